"""Stored events came by the address of the connection that the installation had."""

import django.db.models.deletion
from django.db import migrations, models


def give_to_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    if connection:
        apps.get_model("webhooks", "Delivery").objects.update(connection=connection)


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0003_plain_words"),
        ("partner", "0006_identity_of_a_connection"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="connection",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="partner.connection",
                verbose_name="connection",
            ),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
