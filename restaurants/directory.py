"""Restaurants by uuid, cached in the process, without a query for each row that is read.

Every answer of the service names a restaurant, and a backfill reads thousands a minute. A group is
cached with its restaurants for a few seconds, and by itself: an event of one of two hundred
accounts must not read the places of all. A missing uuid is looked up at once, so that the first
read finds a restaurant that was just added.
"""

import time
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from restaurants.models import Group, Restaurant

KEPT_FOR = 5.0  # seconds: a corrected time zone is used by the next reads
MISSES_KEPT = 1000  # uuids from forged events must not grow a process


@dataclass(frozen=True, slots=True)
class _GroupEntry:
    """A group with its restaurants; no group, where a uuid is not known here."""

    read_at: float
    group: Group | None = None
    restaurants: dict[UUID, Restaurant] = field(default_factory=dict)

    @property
    def is_old(self) -> bool:
        return time.monotonic() - self.read_at >= KEPT_FOR


@dataclass(slots=True)
class _Directory:
    """By the uuid of a group and of each of its restaurants; threads write whole entries."""

    entries: dict[UUID, _GroupEntry] = field(default_factory=dict)
    missing: dict[UUID, _GroupEntry] = field(default_factory=dict)


_directory = _Directory()


def find_restaurant(uuid: UUID | None) -> Restaurant | None:
    """The restaurant, with its group. Queries when the map is older than a few seconds."""
    if uuid is None:
        return None
    return _entry(uuid).restaurants.get(uuid)


def find_group(uuid: UUID | None) -> Group | None:
    if uuid is None:
        return None
    found = _entry(uuid).group
    return found if found and found.uuid == uuid else None


def find_connection(group: UUID | None, restaurant: UUID | None) -> int | None:
    """The key of the connection of a place; None where the place is not known."""
    if found := find_group(group):
        return found.connection_id
    place = find_restaurant(restaurant)
    return place.group.connection_id if place else None


def restaurants_of(group: Group) -> list[Restaurant]:
    """The restaurants of a group, by name."""
    return list(_entry(group.uuid).restaurants.values())


def clear() -> None:
    """Read the map anew at the next question."""
    global _directory  # swapped whole, so that readers need no lock
    _directory = _Directory()


def _entry(uuid: UUID) -> _GroupEntry:
    known = _directory
    found = known.entries.get(uuid) or known.missing.get(uuid)
    if found is None or found.is_old:
        found = _read(uuid)
        _store(known, uuid, found)
    return found


def _read(uuid: UUID) -> _GroupEntry:
    """The group with this uuid, or with a restaurant of it. Two queries."""
    now = time.monotonic()
    named = Restaurant.objects.filter(uuid=uuid).order_by().values("group")
    group = Group.objects.filter(Q(uuid=uuid) | Q(pk__in=named)).first()
    if group is None:
        return _GroupEntry(now)
    return _GroupEntry(now, group, {row.uuid: row for row in _places_of(group)})


def _places_of(group: Group) -> list[Restaurant]:
    places = list(Restaurant.objects.filter(group=group))
    for place in places:
        place.group = group
    return places


def _store(known: _Directory, uuid: UUID, found: _GroupEntry) -> None:
    if found.group is None:
        known.entries.pop(uuid, None)
        if len(known.missing) >= MISSES_KEPT:
            known.missing.clear()
        known.missing[uuid] = found
        return
    known.entries.update(dict.fromkeys((found.group.uuid, *found.restaurants), found))
    for key in (found.group.uuid, *found.restaurants):
        known.missing.pop(key, None)
