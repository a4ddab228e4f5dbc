"""Sentences become codes and parameters. What was said before stays, in the words it had."""

from django.db import migrations, models
from django.db.models import Q


def keep_the_words(apps, schema_editor):
    Intent = apps.get_model("outbox", "Intent")
    rows = Intent.objects.exclude(Q(sentence="") & Q(next_step=""))
    for intent in rows.only("pk", "sentence", "next_step").iterator():
        said = {"text": intent.sentence, "params": {}, "next": intent.next_step}
        Intent.objects.filter(pk=intent.pk).update(said=said)


class Migration(migrations.Migration):
    dependencies = [("outbox", "0001_initial")]

    operations = [
        migrations.AddField("intent", "said", models.JSONField(default=dict)),
        migrations.RunPython(keep_the_words, migrations.RunPython.noop),
        migrations.RemoveField("intent", "sentence"),
        migrations.RemoveField("intent", "next_step"),
    ]
