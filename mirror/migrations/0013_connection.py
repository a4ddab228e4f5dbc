"""Requested reads and jobs belong to the connection that the installation had."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def give_to_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    if connection:
        apps.get_model("mirror", "SyncRequest").objects.update(connection=connection)
        apps.get_model("mirror", "Job").objects.update(connection=connection)
        heartbeats = apps.get_model("mirror", "Heartbeat").objects
        for last in heartbeats.filter(name="event"):
            heartbeats.update_or_create(name=f"event {connection.pk}", defaults={"at": last.at})


class Migration(migrations.Migration):
    dependencies = [
        ("mirror", "0012_scheduled_tasks"),
        ("partner", "0006_identity_of_a_connection"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name="syncrequest", name="request_waiting"),
        migrations.AddField(
            model_name="job",
            name="connection",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="partner.connection",
            ),
        ),
        migrations.AddField(
            model_name="syncrequest",
            name="connection",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="partner.connection",
            ),
        ),
        migrations.AddIndex(
            model_name="syncrequest",
            index=models.Index(
                condition=models.Q(("state", "waiting")),
                fields=["connection", "priority", "not_before"],
                name="request_waiting",
            ),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
