"""Tally is named for what it is: counts of bookings. Every row stays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("insights", "0001_sums")]

    operations = [
        migrations.RemoveConstraint("Tally", "one_tally_per_cut"),
        migrations.RenameModel("Tally", "BookingCount"),
        migrations.AddConstraint(
            "BookingCount",
            models.UniqueConstraint(
                fields=["span", "cut", "restaurant", "start", "service", "channel", "hour"],
                name="one_booking_count_per_cut",
            ),
        ),
    ]
