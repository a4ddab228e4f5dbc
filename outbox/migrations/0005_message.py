"""`said` is named for what it is: the message about an intent. Every row stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("outbox", "0004_unconfirmed_count")]

    operations = [migrations.RenameField("Intent", "said", "message")]
