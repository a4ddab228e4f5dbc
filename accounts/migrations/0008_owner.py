from django.db import migrations, models

from accounts.rights import write_roles


def write(apps, schema_editor):
    write_roles(apps)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_mail_queue")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_owner",
            field=models.BooleanField(default=False, verbose_name="owner of the installation"),
        ),
        migrations.RunPython(write, migrations.RunPython.noop),
    ]
