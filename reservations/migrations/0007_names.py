import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0006_departures"),
        ("restaurants", "0006_names"),
    ]

    operations = [
        migrations.RenameModel("ArrivalHabit", "ArrivalTracking"),
        migrations.AlterField(
            model_name="arrivaltracking",
            name="restaurant",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="arrival_tracking",
                serialize=False,
                to="restaurants.restaurant",
            ),
        ),
        migrations.RenameModel("Departure", "MovedBooking"),
        migrations.RenameIndex(
            "movedbooking", new_name="moved_from_a_day", old_name="departure_of_a_day"
        ),
        migrations.RenameIndex(
            "reservation", new_name="reservation_open_past", old_name="reservation_unclosed"
        ),
    ]
