"""Requests are found by their listing when that is deleted."""

from django.db import migrations, models

from lib.database.online_index import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("mirror", "0015_refused_listings")]

    operations = [
        AddIndexOnline(
            model_name="syncrequest",
            index=models.Index(
                condition=models.Q(("slice__isnull", False)),
                fields=["slice", "state"],
                name="request_by_slice",
            ),
        ),
    ]
