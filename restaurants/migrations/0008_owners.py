"""An installation of before gets its owners: whoever was admin of everything, else the first admin.

Nobody is made an owner where somebody can be reached on the server's behalf: a superuser is one.
"""

from django.db import migrations


def make_owners(apps, schema_editor):
    people = apps.get_model("accounts", "User").objects.filter(is_active=True)
    if people.filter(is_superuser=True).exists():
        return
    groups = set(apps.get_model("restaurants", "Group").objects.values_list("pk", flat=True))
    admins = people.filter(memberships__role="admin", memberships__group__isnull=False).distinct()
    of_all = [one.pk for one in admins if groups == admin_of(one)]
    first = admins.order_by("date_joined", "pk").values_list("pk", flat=True)[:1]
    people.filter(pk__in=of_all or list(first)).update(is_owner=True)


def admin_of(person):
    held = person.memberships.filter(role="admin", group__isnull=False)
    return set(held.values_list("group", flat=True))


class Migration(migrations.Migration):
    dependencies = [("restaurants", "0007_invitations"), ("accounts", "0008_owner")]

    operations = [migrations.RunPython(make_owners, migrations.RunPython.noop)]
