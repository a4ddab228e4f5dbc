"""Every group belongs to the connection that the installation had."""

import django.db.models.deletion
from django.db import migrations, models


def give_to_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    if connection:
        apps.get_model("restaurants", "Group").objects.update(connection=connection)


class Migration(migrations.Migration):
    dependencies = [("restaurants", "0012_host_app_words"), ("partner", "0005_state")]

    operations = [
        migrations.AddField(
            model_name="group",
            name="connection",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="groups",
                to="partner.connection",
                verbose_name="connection",
            ),
        ),
        migrations.RunPython(give_to_the_connection, migrations.RunPython.noop),
    ]
