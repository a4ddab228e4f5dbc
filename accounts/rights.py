"""The rights that exist, and which role carries which: the one table of who may do what.

Roles are Django groups and rights are Django permissions, so both can be looked up with
`user.has_perm`. A role is held at a group or a restaurant; only owners hold the rights that concern
the installation as a whole. A superuser has a few rights and no role. `migrate` ends by writing the
roles from this table.
"""

from typing import Any

from django.apps import apps as current_apps
from django.apps.registry import Apps
from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    STAFF = "staff", _("Staff")
    MANAGER = "manager", _("Manager")
    ADMIN = "admin", _("Admin")


# right -> (the model it hangs on, what it lets a person do)
STAFF = {
    "reservations.view_reservation": ("reservation", "Browse reservations"),
    "reservations.change_reservation": ("reservation", "Book, change and cancel"),
    "customers.view_customer": ("customer", "Browse guests"),
    "customers.view_health": ("customer", "See allergies and diets"),
    "customers.reveal_contact": ("customer", "Reveal contact details of guests"),
    "reviews.view_review": ("review", "Browse reviews"),
    "reviews.suggest_reply": ("review", "Suggest a reply to a review"),
    "phone.view_call": ("call", "See calls"),
}
MANAGER = STAFF | {
    "reservations.override_availability": ("reservation", "Override the availability"),
    "reviews.reply_review": ("review", "Reply to reviews"),
    "insights.view_insights": ("insights", "See insights"),
    "insights.export_data": ("insights", "Export data"),
}
ADMIN = MANAGER | {
    "customers.manage_privacy": ("customer", "Export and erase what is held on a guest"),
    "accounts.manage_people": ("user", "Manage people and their roles"),
    "accounts.view_audit": ("user", "Read the audit trail"),
    "restaurants.change_restaurant": ("restaurant", "Change groups and restaurants"),
    "mirror.view_health": ("health", "See the health of the copy"),
}
# A connection, its webhook address and its point-of-sale identity serve all its groups.
OWNER = {
    "partner.change_connection": ("connection", "Change the connection and its credentials"),
    "pos.change_logo": ("logo", "Change the point-of-sale logo"),
    "restaurants.add_group": ("group", "Add groups"),
    "customers.approve_purge": ("customer", "Approve that many guests are erased at once"),
    "accounts.manage_owners": ("user", "Make and unmake owners"),
    "accounts.require_second_factor": ("user", "Choose the roles that need a second factor"),
    "phone.change_system": ("phonesystem", "Change the address of the telephone system"),
}
# What there is once, however many connections there are: for those who own every connection, and
# for superusers, because of several owners none may decide about the others.
OF_INSTALLATION = frozenset({"customers.approve_purge"})
# Held by superusers, who keep an installation running without seeing anybody's data: only a role,
# which each can give themselves for a while and for a reason, shows that of a group.
INSTANCE = {
    "partner.add_connection": ("connection", "Add, pause and retire connections"),
    "restaurants.take_emergency_access": ("group", "Take a role for a limited time"),
}
SUPERUSERS_TOO = OF_INSTALLATION | {
    "partner.change_connection",
    "mirror.view_health",
}
# What admins hold for their places, owners hold for all groups of their connections; and they may
# add a connection of their own.
OWNERS_TOO = frozenset(
    {
        "accounts.manage_people",
        "accounts.view_audit",
        "mirror.view_health",
        "partner.add_connection",
    }
)
# Every right of this table. Those of Django's own database admin are not among them.
ALL_RIGHTS = ADMIN.keys() | OWNER.keys() | INSTANCE.keys()
RIGHTS_OF_ROLES = {Role.STAFF: STAFF, Role.MANAGER: MANAGER, Role.ADMIN: ADMIN}

# A device that several people share opens no admin page and exports nothing, whoever holds it.
SHAREABLE = frozenset(MANAGER) - {"insights.export_data"}


def write_roles(apps: Apps = current_apps) -> None:
    """Make the roles carry exactly the rights of the table. Repeating it changes nothing."""
    groups: Any = apps.get_model("auth", "Group").objects
    for role, rights in RIGHTS_OF_ROLES.items():
        group, _made = groups.get_or_create(name=role.value)
        group.permissions.set(write_permissions(apps, rights))
    write_permissions(apps, OWNER | INSTANCE)


def write_permissions(apps: Apps, rights: dict[str, tuple[str, str]]) -> list[Any]:
    return [
        write_permission(apps, right=right, model=model, name=name)
        for right, (model, name) in rights.items()
    ]


def write_permission(apps: Apps, *, right: str, model: str, name: str) -> Any:
    content_types: Any = apps.get_model("contenttypes", "ContentType").objects
    permissions: Any = apps.get_model("auth", "Permission").objects
    app, codename = right.split(".")
    content_type, _made = content_types.get_or_create(app_label=app, model=model)
    permission, _made = permissions.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name}
    )
    return permission
