"""The lists of a sweep are compared with the rows of their days, not with the whole history."""

from django.db import migrations, models

from lib.database.online_index import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("customers", "0013_guests_in_sums")]

    operations = [
        AddIndexOnline(
            model_name="customer",
            index=models.Index(fields=["group", "last_update_date"], name="customer_updated"),
        ),
    ]
