"""Calls whose guest was erased are marked, so that no later event stores the number again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("phone", "0003_connection"),
    ]

    operations = [
        migrations.AddField(
            model_name="call",
            name="is_redacted",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
