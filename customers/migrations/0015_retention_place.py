"""Retention goes on where it stopped."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("customers", "0014_updated_guests")]

    operations = [
        migrations.CreateModel(
            name="RetentionPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("after", models.UUIDField()),
            ],
        ),
    ]
