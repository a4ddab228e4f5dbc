from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("mirror", "0006_short_lists")]

    operations = [migrations.RenameModel("Pulse", "Heartbeat")]
