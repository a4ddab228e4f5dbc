"""Restaurants by uuid, cached in the process, without a query for each row that is read.

Every answer of the service names a restaurant, and a backfill reads thousands a minute. The map is
cached for a few seconds; a missing uuid is looked up at once, so that the first read finds a
restaurant that was just added.
"""

import time
from dataclasses import dataclass, field
from uuid import UUID

from restaurants.models import Group, Restaurant

KEPT_FOR = 5.0  # seconds: a corrected time zone is used by the next reads
MISSES_KEPT = 1000  # uuids from forged events must not grow a process


@dataclass(slots=True)
class _Directory:
    read_at: float = -KEPT_FOR
    restaurants: dict[UUID, Restaurant] = field(default_factory=dict)
    groups: dict[UUID, Group] = field(default_factory=dict)
    missing: set[UUID] = field(default_factory=set)


_directory = _Directory()


def find_restaurant(uuid: UUID | None) -> Restaurant | None:
    """The restaurant, with its group. Queries when the map is older than a few seconds."""
    if uuid is None:
        return None
    return _current(uuid).restaurants.get(uuid)


def find_group(uuid: UUID | None) -> Group | None:
    if uuid is None:
        return None
    return _current(uuid).groups.get(uuid)


def find_connection(group: UUID | None, restaurant: UUID | None) -> int | None:
    """The key of the connection of a place; None where the place is not known."""
    if found := find_group(group):
        return found.connection_id
    place = find_restaurant(restaurant)
    return place.group.connection_id if place else None


def restaurants_of(group: Group) -> list[Restaurant]:
    """The restaurants of a group, by name."""
    everything = _current(group.uuid).restaurants.values()
    return [restaurant for restaurant in everything if restaurant.group_id == group.pk]


def forget() -> None:
    """Read the map anew at the next question."""
    global _directory  # swapped whole, so that readers need no lock
    _directory = _Directory()


def _current(uuid: UUID) -> _Directory:
    global _directory  # swapped whole, so that readers need no lock
    known = _directory
    is_old = time.monotonic() - known.read_at >= KEPT_FOR
    if is_old or not _has_met(known, uuid):
        _directory = known = _read(known.missing if not is_old else set(), uuid)
    return known


def _has_met(known: _Directory, uuid: UUID) -> bool:
    return uuid in known.restaurants or uuid in known.groups or uuid in known.missing


def _read(missing: set[UUID], uuid: UUID) -> _Directory:
    restaurants = {row.uuid: row for row in Restaurant.objects.select_related("group")}
    groups = {row.uuid: row for row in Group.objects.all()}
    if uuid not in restaurants and uuid not in groups and len(missing) < MISSES_KEPT:
        missing = missing | {uuid}
    return _Directory(time.monotonic(), restaurants, groups, missing)
