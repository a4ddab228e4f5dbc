from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reservations", "0007_names")]

    operations = [
        migrations.RenameModel("Regular", "ReturningGuest"),
        migrations.RenameIndex(
            "returningguest",
            new_name="returning_guest_last_visit",
            old_name="regular_by_last_visit",
        ),
    ]
