"""Findings that show an object of the program: they are found again, and then named in words."""

from django.db import migrations


def delete_objects(apps, _schema_editor):
    apps.get_model("mirror", "Drift").objects.filter(finding__startswith="DriftItem(").delete()


class Migration(migrations.Migration):
    dependencies = [("mirror", "0017_one_index_of_slices")]

    operations = [
        migrations.RunPython(delete_objects, migrations.RunPython.noop, elidable=True),
    ]
