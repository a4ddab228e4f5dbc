"""Guests without a word in their notes name no word lists: the index of the sums passes them over."""

from django.db import migrations, models

NO_WORDS = {"notes": "", "fav_food": "", "fav_drinks": "", "custom_fields": []}


def forget_word_lists(apps, _editor):
    guests = apps.get_model("customers", "Customer").objects.filter(**NO_WORDS)
    guests.update(notes_read_by=None, notes_tell=False)


class Migration(migrations.Migration):
    dependencies = [
        ("customers", "0012_title_in_plain_words"),
        ("restaurants", "0015_superusers"),
    ]

    operations = [
        migrations.RunPython(forget_word_lists, migrations.RunPython.noop, elidable=True),
        migrations.RemoveIndex(model_name="customer", name="customer_counted"),
        migrations.RemoveIndex(model_name="customer", name="customer_noted"),
        migrations.AddIndex(
            model_name="customer",
            index=models.Index(
                condition=models.Q(
                    ("is_vip", True),
                    ("has_allergies", True),
                    ("notes_tell__isnull", True),
                    ("notes_tell", True),
                    ("notes_read_by__isnull", False),
                    _connector="OR",
                ),
                fields=["uuid", "is_vip", "has_allergies", "notes_read_by", "notes_tell"],
                name="customer_in_sums",
            ),
        ),
    ]
