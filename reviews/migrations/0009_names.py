from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviews", "0008_words")]

    operations = [
        migrations.RenameModel("Step", "ReplyStep"),
        migrations.RenameModel("SavedView", "SavedInboxView"),
    ]
