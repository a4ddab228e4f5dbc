from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("mirror", "0007_heartbeat")]

    operations = [migrations.RenameField("alert", "told_at", "notified_at")]
