"""The point-of-sale identity belongs to the connection that the installation had."""

import django.db.models.deletion
from django.db import migrations, models


def give_to_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    identity = apps.get_model("partner", "PosIdentity").objects.order_by("pk").first()
    if connection and identity:
        identity.connection_id = connection.pk
        identity.save(update_fields=["connection_id"])


class Migration(migrations.Migration):
    dependencies = [("partner", "0005_state")]

    operations = [
        migrations.AddField(
            model_name="posidentity",
            name="connection",
            field=models.OneToOneField(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pos_identity",
                to="partner.connection",
                verbose_name="connection",
            ),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
