from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("customers", "0007_purge_question")]

    operations = [
        migrations.RenameModel("Look", "ProfileView"),
        migrations.RenameIndex(
            "profileview", new_name="views_of_a_profile", old_name="look_at_a_guest"
        ),
        migrations.RenameField("purgequestion", "asked_at", "raised_at"),
    ]
