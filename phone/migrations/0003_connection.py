"""The telephone system belongs to the connection that the installation had."""

import django.db.models.deletion
from django.db import migrations, models


def give_to_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    system = apps.get_model("phone", "PhoneSystem").objects.order_by("pk").first()
    if connection and system:
        system.connection = connection
        system.save(update_fields=["connection"])


class Migration(migrations.Migration):
    dependencies = [("phone", "0002_whole_index"), ("partner", "0006_identity_of_a_connection")]

    operations = [
        migrations.AddField(
            model_name="phonesystem",
            name="connection",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="partner.connection",
                verbose_name="connection",
            ),
        ),
        migrations.AddField(
            model_name="phonesystem",
            name="namespace",
            field=models.CharField(db_default="", default="", max_length=12),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
