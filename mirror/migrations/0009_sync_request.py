from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("mirror", "0008_notified_at")]

    # No index and no constraint names a renamed column: all stay as they are.
    operations = [
        migrations.RenameModel("Request", "SyncRequest"),
        migrations.RenameField("syncrequest", "wanted", "request_count"),
        migrations.RenameField("syncrequest", "asked_again_at", "requested_again_at"),
    ]
