"""Keeps groups, owners and the point-of-sale identity at the only connection.

While an installation has one connection there is no question which one is meant: whatever comes
before it, or without naming it, belongs to it. From the second on everything names its own.
"""

from typing import Any

from django.db.models import Model
from django.db.models.signals import post_save, pre_save

from accounts.models import SecondFactorRule, User
from lib.registration import ExtensionPoint
from partner.models import Connection, PosIdentity
from restaurants import directory
from restaurants.models import Group

OWN: tuple[type[Model], ...] = (Group, PosIdentity, SecondFactorRule)
BELONGING: ExtensionPoint[type[Model]] = ExtensionPoint("Belongs to the only connection")


def watch() -> None:
    """Keep them there from now on."""
    post_save.connect(adopt, sender=Connection, dispatch_uid="only-connection")
    post_save.connect(follow_ownership, sender=User, dispatch_uid="only-connection")
    for model in OWN:
        pre_save.connect(give_connection, sender=model, dispatch_uid="only-connection")


def adopt(sender: Any, *, instance: Connection, created: bool, **_rest: Any) -> None:
    """Give what was there before the first connection to it."""
    if not created or Connection.objects.exclude(pk=instance.pk).exists():
        return
    for model in (*OWN, *BELONGING):
        model._default_manager.filter(connection=None).update(connection=instance)
    directory.clear()
    instance.owners.add(*User.objects.filter(is_owner=True))


def give_connection(sender: Any, *, instance: Any, **_rest: Any) -> None:
    if instance.connection_id is None:
        instance.connection = Connection.objects.single()


def follow_ownership(
    sender: Any, *, instance: User, created: bool, update_fields: Any = None, **_rest: Any
) -> None:
    """An owner of the installation owns its only connection; who is none any more owns none."""
    if created and instance.is_owner or "is_owner" in (update_fields or ()):
        if not instance.is_owner:
            instance.owned_connections.clear()
        elif connection := Connection.objects.single():
            instance.owned_connections.add(connection)
