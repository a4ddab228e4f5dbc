"""Tally is named for what it is: an hourly count. Every row stays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0001_deliveries")]

    operations = [
        migrations.RemoveConstraint("Tally", "one_tally_an_hour"),
        migrations.RenameModel("Tally", "HourlyCount"),
        migrations.AddConstraint(
            "HourlyCount",
            models.UniqueConstraint(fields=["hour", "what", "restaurant"], name="one_hourly_count"),
        ),
    ]
