"""The lists of a sweep are compared with the rows of their days, not with the whole history."""

from django.db import migrations, models

from lib.database.online_index import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("reservations", "0013_note_readings")]

    operations = [
        AddIndexOnline(
            model_name="reservation",
            index=models.Index(fields=["restaurant", "updated_at"], name="reservation_updated"),
        ),
    ]
