"""Rules of the second factor belong to a connection: those there are hold for every connection."""

import django.db.models.deletion
from django.db import migrations, models


# Safe because: the code before writes no connection, and rows without one never equal each other


def give_to_every_connection(apps, schema_editor):
    rules = apps.get_model("accounts", "SecondFactorRule").objects
    connections = list(apps.get_model("partner", "Connection").objects.values_list("pk", flat=True))
    roles = list(rules.values_list("role", flat=True)) if connections else []
    for role in roles:
        rules.filter(role=role).update(connection=connections[0])
        for pk in connections[1:]:
            rules.create(role=role, connection_id=pk)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_owned_connections"),
        ("partner", "0006_identity_of_a_connection"),
    ]

    operations = [
        migrations.AlterField(
            model_name="secondfactorrule",
            name="role",
            field=models.CharField(
                choices=[("staff", "Staff"), ("manager", "Manager"), ("admin", "Admin")],
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="secondfactorrule",
            name="connection",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="partner.connection",
                verbose_name="connection",
            ),
        ),
        migrations.AddConstraint(
            model_name="secondfactorrule",
            constraint=models.UniqueConstraint(
                fields=("role", "connection"), name="one_second_factor_rule"
            ),
        ),
        migrations.RunPython(give_to_every_connection, migrations.RunPython.noop),
    ]
