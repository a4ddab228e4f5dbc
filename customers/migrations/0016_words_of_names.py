"""Full names are found by their words. The index is made while everybody goes on writing."""

from django.db import migrations

from customers.search import search_index


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("customers", "0015_retention_place")]

    operations = [
        migrations.RunPython(search_index.install_names, search_index.remove_names, atomic=False)
    ]
