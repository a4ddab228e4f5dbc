"""Who gets an announcement: users who may see its restaurant, or its group if it has none."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from accounts.models import User
from live.models import Announcement, LatencySample
from restaurants.models import Group, Restaurant


@dataclass(frozen=True)
class Scope:
    """The restaurants and groups of which a user gets announcements, by primary key."""

    restaurants: Mapping[int, UUID]
    groups: frozenset[int]

    def sees(self, line: Announcement | LatencySample) -> bool:
        if line.restaurant_id is None:
            return line.group_id in self.groups
        return line.restaurant_id in self.restaurants

    def message(self, line: Announcement) -> dict[str, str | int | None]:
        """A message contains only ids and a version; the content is requested from a view."""
        place = line.restaurant_id
        return {
            "kind": line.kind,
            "uuid": str(line.uuid),
            "version": line.version,
            "restaurant": None if place is None else str(self.restaurants[place]),
        }


def scope_of(user: User) -> Scope:
    """Costs two queries."""
    return Scope(
        restaurants=dict(Restaurant.objects.visible_to(user).values_list("pk", "uuid")),
        groups=frozenset(Group.objects.visible_to(user).values_list("pk", flat=True)),
    )


def scope_now(*, session_key: str, user_id: int) -> Scope | None:
    """The scope as of now, or None if this session no longer belongs to this person.

    Signing out, a changed password, a deactivated account and the hand-over of a shared tablet
    all end here. Costs four queries.
    """
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    if not isinstance(user, User) or user.pk != user_id:
        return None
    return scope_of(user)
