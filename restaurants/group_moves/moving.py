"""Moves a group to another connection: one transaction, in which every stored row is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import Promise

from accounts import audit
from accounts.models import User
from lib.registration import ExtensionPoint
from partner.models import Connection
from restaurants import directory
from restaurants.models import Group


def nothing(_group: Group, _now: datetime) -> None:
    """Its rows follow the group by themselves."""


@dataclass(frozen=True)
class GroupFollower:
    """What an app holds of a group: a sentence before it moves, and what has to follow it."""

    name: str
    place: int
    sentence: Callable[[Group], "str | Promise"]
    # Called in the transaction, with the group at its new connection.
    follow: Callable[[Group, datetime], None] = nothing


GROUP_FOLLOWERS: ExtensionPoint[GroupFollower] = ExtensionPoint(
    "What follows a group to another connection", order=lambda one: one.place
)


def targets(group: Group, user: User) -> QuerySet[Connection]:
    """Where the person may move the group: other connections in use that they own as well."""
    others = user.owned_connection_ids - {group.connection_id}
    if group.connection_id not in user.owned_connection_ids:
        return Connection.objects.none()
    return Connection.objects.active().filter(pk__in=others)


def losing_sight(group: Group, target: Connection) -> list[User]:
    """The owners of the present connection who do not own the other one."""
    owners = User.objects.owners().filter(owned_connections=group.connection_id)
    return list(owners.exclude(owned_connections=target))


def sentences(group: Group) -> list[str]:
    """What will happen to what is stored."""
    return [str(follower.sentence(group)) for follower in GROUP_FOLLOWERS]


def move(group: Group, target: Connection, *, actor: User | None, now: datetime) -> None:
    """Let the group belong to another connection from now on. Both keep an audit entry."""
    with transaction.atomic():
        moved = Group.objects.select_for_update(no_key=True).get(pk=group.pk)
        source = moved.connection
        moved.connection = target
        moved.save(update_fields=["connection"])
        for follower in GROUP_FOLLOWERS:
            follower.follow(moved, now)
        for connection in filter(None, (source, target)):
            audit.record(actor, "moved a group", connection, {"group": str(moved)})
    directory.clear()
