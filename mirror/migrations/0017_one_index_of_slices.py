"""The index of what a listing waits for: the one of all that it named has it, too."""

from django.db import migrations

from lib.database.online_index import RemoveIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("mirror", "0016_request_by_slice")]

    operations = [
        RemoveIndexOnline(model_name="syncrequest", name="request_of_a_slice"),
    ]
