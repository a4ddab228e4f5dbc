"""The first reading: the days of which a screen does not know yet all that is booked.

Until a place has been listed and read whole, no booking does not mean that nobody comes.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from lib.processes.short_cache import ShortCache
from mirror.models import Completeness, Job, Slice
from restaurants.models import Restaurant

ONE_DAY = timedelta(days=1)
OPEN_JOBS = (Job.State.RUNNING, Job.State.PAUSED)
Place = tuple[UUID | None, UUID | None]  # a group, and a restaurant unless it is all of them


class Doubtful(NamedTuple):
    """Restaurants of which some days may be unread."""

    never_whole: frozenset[UUID] = frozenset()  # no job has read all that it was to read
    in_backfill: frozenset[UUID] = frozenset()
    groups: frozenset[UUID] = frozenset()  # of these restaurants


class Listed(NamedTuple):
    """The days around one that were read, or are to be, by place."""

    read: dict[Place, set[date]]
    to_read: dict[Place, set[date]]


def _doubtful() -> Doubtful:
    """Three queries."""
    places = [*Restaurant.objects.order_by().values_list("group__uuid", "uuid")]
    whole = set(_whole_places())
    unread = set(_places_in_backfill())
    never_whole = frozenset(uuid for group, uuid in places if not _keys(group, uuid) & whole)
    in_backfill = frozenset(uuid for group, uuid in places if _keys(group, uuid) & unread)
    groups = frozenset(group for group, uuid in places if uuid in never_whole | in_backfill)
    return Doubtful(never_whole, in_backfill, groups)


DOUBTFUL: ShortCache[Doubtful] = ShortCache(_doubtful, usual=Doubtful())


def is_past_unread(group: UUID) -> bool:
    """Whether a guest may have been here before without our knowing. No query within seconds."""
    return group in DOUBTFUL.value().groups


def unread_on(day: date, restaurants: Iterable[Restaurant]) -> list[Restaurant]:
    """Those of which the bookings of a day have never all been read.

    No query in an installation that has read everything once. One while there are such places.
    """
    never_whole, in_backfill, _groups = DOUBTFUL.value()
    known = never_whole | in_backfill
    doubtful = [one for one in restaurants if one.uuid in known]
    if not doubtful:
        return []
    listed = _listed_around(day)
    return [one for one in doubtful if _is_unread(one, listed, day, never_whole)]


def _is_unread(place: Restaurant, listed: Listed, day: date, never_whole: frozenset[UUID]) -> bool:
    keys = _keys(place.group.uuid, place.uuid)
    read = set().union(*(listed.read[key] for key in keys))
    if read.issuperset(_around(day)):
        return False
    return place.uuid in never_whole or any(listed.to_read[key] - read for key in keys)


def _listed_around(day: date) -> Listed:
    """The service lists by UTC days: an evening is in the one before or after, too. One query."""
    slices = _backfilled().filter(since__lte=day + ONE_DAY, until__gte=day - ONE_DAY)
    listed = Listed(defaultdict(set), defaultdict(set))
    for group, restaurant, since, until, state in slices.values_list(
        "group_uuid", "restaurant_uuid", "since", "until", "state"
    ):
        days = listed.read if state == Slice.State.DONE else listed.to_read
        days[group, restaurant] |= {one for one in _around(day) if since <= one <= until}
    return listed


def _backfilled() -> QuerySet[Slice]:
    found = Slice.objects.filter(kind="reservation", by="mealDate", job__purpose="backfill")
    return found.exclude(~Q(state=Slice.State.DONE), ~Q(job__state__in=OPEN_JOBS)).order_by()


def _places_in_backfill() -> Iterable[Place]:
    open_slices = _backfilled().exclude(state=Slice.State.DONE)
    return open_slices.values_list("group_uuid", "restaurant_uuid").distinct()


def _whole_places() -> Iterable[Place]:
    rows = Completeness.objects.filter(kind="reservation")
    for group, restaurant in rows.values_list("group_uuid", "restaurant_uuid"):
        yield group, None if restaurant == Completeness.WHOLE_GROUP else restaurant


def _keys(group: UUID, restaurant: UUID) -> set[Place]:
    """What a listing of a restaurant may name: itself, or all of its group."""
    return {(group, restaurant), (group, None)}


def _around(day: date) -> tuple[date, ...]:
    return day - ONE_DAY, day, day + ONE_DAY
