"""The index of what a listing waits for: the one of all that it named has it, too."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("mirror", "0016_request_by_slice")]

    operations = [
        migrations.RemoveIndex(model_name="syncrequest", name="request_of_a_slice"),
    ]
