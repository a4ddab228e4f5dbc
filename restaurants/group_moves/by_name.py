"""Moves a group from the shell: by its uuid or name, without a person."""

from uuid import UUID

from django.utils import timezone

from partner import factory
from partner.group_moves import MoveRefused
from partner.models import Connection
from restaurants.group_moves import moving
from restaurants.group_moves.sync import is_owned
from restaurants.models import Group


def move_by_name(text: str, target: Connection) -> str:
    """Move it if the account owns it. Calls the service, which may raise."""
    group = _group(text)
    if group.connection_id is None or group.connection_id == target.pk:
        raise MoveRefused(f"{group} cannot move from where it is to {target}.")
    now = timezone.now()
    if not is_owned(group, api=factory.client(target.pk), today=now.date()):
        raise MoveRefused(f"The service says that {group} does not belong to {target}.")
    lines = moving.sentences(group)
    moving.move(group, target, actor=None, now=now)
    return "\n".join([f"{group} belongs to {target} now.", *lines])


def _group(text: str) -> Group:
    found = list(Group.objects.filter(name=text)[:2])
    if not found and (uuid := _uuid(text)):
        found = list(Group.objects.filter(uuid=uuid))
    if len(found) != 1:
        raise MoveRefused(f"“{text}” does not name one group.")
    return found[0]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
