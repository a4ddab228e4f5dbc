from django.db import migrations, models

from lib.text import fold

AT_A_TIME = 2000
KEY_LENGTH = 64


def fill_first_name_keys(apps, _schema_editor):
    guests = apps.get_model("customers", "Customer").objects
    named = guests.exclude(first_name="").only("uuid", "first_name")
    batch = []
    for guest in named.iterator(chunk_size=AT_A_TIME):
        guest.first_name_key = fold(guest.first_name)[:KEY_LENGTH]
        batch.append(guest)
        if len(batch) == AT_A_TIME:
            guests.bulk_update(batch, ["first_name_key"])
            batch = []
    guests.bulk_update(batch, ["first_name_key"])


class Migration(migrations.Migration):
    dependencies = [
        ("customers", "0001_mirror"),
        ("restaurants", "0002_service"),
    ]

    operations = [
        migrations.AddField(
            model_name="customer",
            name="first_name_key",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.RunPython(fill_first_name_keys, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="customer",
            index=models.Index(
                fields=["group", "last_name_key"],
                name="customer_last_name_starts",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
        ),
        migrations.AddIndex(
            model_name="customer",
            index=models.Index(
                fields=["group", "first_name_key"],
                name="customer_first_name_starts",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
        ),
    ]
