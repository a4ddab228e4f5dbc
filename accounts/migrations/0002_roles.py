from django.db import migrations

from accounts.rights import write_roles


def write(apps, schema_editor):
    write_roles(apps)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(write, migrations.RunPython.noop)]
