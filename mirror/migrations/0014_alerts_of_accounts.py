"""Alerts about an account name it: those of before belong to the only connection there is."""

import re

import django.db.models.deletion
from django.db import migrations, models

# Safe because: the constraint before refused every row that these refuse, and more.

OF_ACCOUNTS = [
    "queue",
    "token",
    "api",
    "freshness",
    "sweep",
    "lists",
    "webhooks",
    "outbox",
]
OF_SEVERAL = re.compile(r"(token|api)-(\d+)")


def give_to_the_connection(apps, schema_editor):
    alerts = apps.get_model("mirror", "Alert").objects
    connections = apps.get_model("partner", "Connection").objects
    for found in (connections.filter(state="active"), connections.exclude(state="retired")):
        if len(found) == 1:
            of_accounts = alerts.filter(cause__in=OF_ACCOUNTS, connection=None)
            of_accounts.update(connection=found[0])
    known = set(connections.values_list("pk", flat=True))
    for pk, cause in alerts.filter(cause__contains="-").values_list("pk", "cause"):
        named = OF_SEVERAL.fullmatch(cause)
        if named and int(named[2]) in known:
            alerts.filter(pk=pk).update(cause=named[1], connection=int(named[2]))


class Migration(migrations.Migration):
    dependencies = [
        ("mirror", "0013_connection"),
        ("partner", "0006_identity_of_a_connection"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="alert", name="one_open_alert_per_cause"),
        migrations.AddField(
            model_name="alert",
            name="connection",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="partner.connection",
            ),
        ),
        migrations.AddField(
            model_name="alert",
            name="translations",
            field=models.JSONField(null=True),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)),
                fields=("cause", "connection"),
                name="one_open_alert_per_account",
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None), ("connection", None)),
                fields=("cause",),
                name="one_open_alert_of_machine",
            ),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
