"""Whoever owned the installation owns the connection that it had."""

from django.db import migrations, models


def own_the_connection(apps, schema_editor):
    connection = apps.get_model("partner", "Connection").objects.order_by("state", "pk").first()
    if connection:
        connection.owners.set(apps.get_model("accounts", "User").objects.filter(is_owner=True))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_second_factor_rules"), ("partner", "0005_state")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="owned_connections",
            field=models.ManyToManyField(
                blank=True,
                related_name="owners",
                to="partner.connection",
                verbose_name="owned connections",
            ),
        ),
        migrations.RunPython(own_the_connection, migrations.RunPython.noop),
    ]
