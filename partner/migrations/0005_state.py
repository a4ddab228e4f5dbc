"""Connections have a state: the one in use is active, others are paused with all they hold."""

from django.db import migrations, models


def fill_state(apps, schema_editor):
    connections = apps.get_model("partner", "Connection").objects
    connections.filter(is_active=False).update(state="paused")


def fill_is_active(apps, schema_editor):
    """Going back, only the oldest active connection can stay in use."""
    connections = apps.get_model("partner", "Connection").objects
    oldest = connections.filter(state="active").order_by("pk").values_list("pk", flat=True).first()
    connections.exclude(pk=oldest).update(is_active=False)


class Migration(migrations.Migration):
    dependencies = [("partner", "0004_host_app_name")]

    operations = [
        migrations.AddField(
            model_name="connection",
            name="state",
            field=models.CharField(
                choices=[("active", "Active"), ("paused", "Paused"), ("retired", "Retired")],
                default="active",
                editable=False,
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.RemoveConstraint(model_name="connection", name="partner_one_active"),
        migrations.RunPython(fill_state, fill_is_active),
        migrations.RemoveField(model_name="connection", name="is_active"),
    ]
