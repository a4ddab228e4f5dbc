"""Superusers of before go on seeing what they saw: as owners, and as admins of every group.

Until now no role was needed for that. An installation of before has one connection, so that nobody
sees more of others than on the day before. Both can be taken away on the people pages.
"""

from django.db import migrations


def give_roles(apps, schema_editor):
    users = apps.get_model("accounts", "User").objects.filter(is_superuser=True, is_active=True)
    groups = apps.get_model("restaurants", "Group").objects.all()
    memberships = apps.get_model("restaurants", "Membership").objects
    connections = apps.get_model("partner", "Connection").objects.all()
    for person in users:
        for group in groups:
            memberships.get_or_create(user=person, group=group, defaults={"role": "admin"})
        person.owned_connections.add(*connections)
    users.update(is_owner=True)


class Migration(migrations.Migration):
    dependencies = [
        ("restaurants", "0014_emergency_access"),
        ("accounts", "0012_owned_connections"),
    ]

    operations = [migrations.RunPython(give_roles, migrations.RunPython.noop)]
