"""The first reading: the days of which a screen does not know yet all that is booked.

Until a place has been listed and read whole, no booking does not mean that nobody comes. Days from
before the first that any backfill lists are never read: the copy begins after them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.db.models import Min, Q, QuerySet
from django.utils.translation import gettext as _

from lib.dates import date_format
from lib.processes.short_cache import ShortCache
from mirror.models import Completeness, Job, Slice
from restaurants.models import Restaurant

NAMED = 3  # restaurants in a sentence
ONE_DAY = timedelta(days=1)
OPEN_JOBS = (Job.State.RUNNING, Job.State.PAUSED)
Place = tuple[UUID | None, UUID | None]  # a group, and a restaurant unless it is all of them


@dataclass(frozen=True)
class Doubtful:
    """Restaurants of which some days may be unread."""

    never_whole: frozenset[UUID] = frozenset()  # no job has read all that it was to read
    in_backfill: frozenset[UUID] = frozenset()
    # Set up after their group was read: its listings did not name them.
    joined: frozenset[UUID] = frozenset()
    groups: frozenset[UUID] = frozenset()  # of these restaurants
    # The first day that a backfill lists, by restaurant; none where no backfill is known.
    begins: Mapping[UUID, date] = field(default_factory=dict)


@dataclass(frozen=True)
class Missing:
    """The restaurants of which bookings of a day may be missing, and why."""

    being_read: Sequence[Restaurant] = ()
    before_copy: Sequence[Restaurant] = ()  # nothing of this day was or will be read
    begins: date | None = None  # from when on all of these are read
    of: int = 0  # so many restaurants

    @cached_property
    def places(self) -> list[Restaurant]:
        return list(dict.fromkeys((*self.being_read, *self.before_copy)))

    @cached_property
    def keys(self) -> frozenset[int]:
        """Of the places, for those who ask about each of many restaurants."""
        return frozenset(one.pk for one in self.places)

    @property
    def words(self) -> str:
        """What the day may lack; empty where everything was read once."""
        if not self.places:
            return ""
        if self.before_copy and self.begins:
            return self._words_of_before(self.begins)
        if len(self.places) == self.of:
            return _("This day is being read for the first time: bookings may be missing.")
        words = _("Being read for the first time, bookings may be missing: %(names)s")
        return words % {"names": named(self.places)}

    def _words_of_before(self, begins: date) -> str:
        facts = {"day": date_format(begins), "names": named(self.before_copy)}
        if len(self.before_copy) == self.of:
            return _("The copy begins on %(day)s: bookings from before are missing.") % facts
        return _("Not read before %(day)s, bookings are missing: %(names)s") % facts


def named(restaurants: Sequence[Restaurant]) -> str:
    names = ", ".join(restaurant.name for restaurant in restaurants[:NAMED])
    if others := len(restaurants[NAMED:]):
        return _("%(names)s and %(number)s more") % {"names": names, "number": others}
    return names


class Listed(NamedTuple):
    """The days around one that were read, or are to be, by place."""

    read: dict[Place, set[date]]
    to_read: dict[Place, set[date]]


def _doubtful() -> Doubtful:
    """Six queries at most."""
    places = [*Restaurant.objects.order_by().values_list("group__uuid", "uuid")]
    whole = set(_whole_places())
    unread = set(_places_in_backfill())
    never_whole = frozenset(uuid for group, uuid in places if not _keys(group, uuid) & whole)
    in_backfill = frozenset(uuid for group, uuid in places if _keys(group, uuid) & unread)
    joined = _joined(places, unread) - never_whole
    doubtful = never_whole | in_backfill | joined
    groups = frozenset(group for group, uuid in places if uuid in doubtful)
    return Doubtful(never_whole, in_backfill, joined, groups, _begins(places))


def _joined(places: Iterable[tuple[UUID, UUID]], unread: Iterable[Place]) -> frozenset[UUID]:
    """Those whose own first backfill is under way, or about to begin (`jobs.new_places`)."""
    listed = Slice.objects.filter(job__purpose=Job.Purpose.BACKFILL).order_by()
    own = listed.exclude(restaurant_uuid=None).values_list("restaurant_uuid", flat=True).distinct()
    known, read = set(own), set(own.filter(job__state=Job.State.DONE))
    reviewed = set(listed.filter(kind="review").values_list("group_uuid", flat=True).distinct())
    of_groups = reviewed & {group for group, uuid in _read_places() if uuid is None}
    under_way = {uuid for _group, uuid in unread if uuid} - read
    return frozenset(
        uuid
        for group, uuid in places
        if uuid in under_way or (group in of_groups and uuid not in known)
    )


def _begins(places: Iterable[tuple[UUID, UUID]]) -> dict[UUID, date]:
    """A listing is a day wider than what it is to know (mirror/jobs/windows.py)."""
    rows = _backfilled().values("group_uuid", "restaurant_uuid").annotate(first=Min("since"))
    first = {(row["group_uuid"], row["restaurant_uuid"]): row["first"] for row in rows}
    found = {uuid: _keys(group, uuid) & first.keys() for group, uuid in places}
    return {uuid: min(first[key] for key in keys) + ONE_DAY for uuid, keys in found.items() if keys}


DOUBTFUL: ShortCache[Doubtful] = ShortCache(_doubtful, usual=Doubtful())


def is_past_unread(group: UUID) -> bool:
    """Whether a guest may have been here before without our knowing. No query within seconds."""
    return group in DOUBTFUL.value().groups


def unread_on(day: date, restaurants: Iterable[Restaurant]) -> list[Restaurant]:
    """Those of which the bookings of a day are being read for the first time.

    No query in an installation that has read everything once. One while there are such places.
    """
    return unread_between(day, day, restaurants)[day]


def unread_between(
    first: date, last: date, restaurants: Iterable[Restaurant]
) -> Mapping[date, list[Restaurant]]:
    """The same for each day of a range, with as many queries."""
    doubts = DOUBTFUL.value()
    known = doubts.never_whole | doubts.in_backfill | doubts.joined
    doubtful = [one for one in restaurants if one.uuid in known]
    found: dict[date, list[Restaurant]] = defaultdict(list)
    if doubtful:
        listed = _listed_between(first, last)
        for day in _days(first, last):
            found[day] = [one for one in doubtful if _is_unread(one, listed, day, doubts)]
    return found


def missing_on(day: date, restaurants: Collection[Restaurant]) -> Missing:
    """What is not known of a day. A query while there is a place that was never read whole."""
    return missing_between(day, day, restaurants)[day]


def missing_between(
    first: date, last: date, restaurants: Collection[Restaurant]
) -> dict[date, Missing]:
    """The same for each day of a range, with as many queries."""
    begins = DOUBTFUL.value().begins
    unread = unread_between(first, last, restaurants)
    found = {}
    for day in _days(first, last):
        before = [one for one in restaurants if day < begins.get(one.uuid, day)]
        whole = max((begins[one.uuid] for one in before), default=None)
        found[day] = Missing(unread[day], before, whole, len(restaurants))
    return found


def words_of(days: Iterable[Missing]) -> list[str]:
    """What a range of days lacks: those from before the copy, and those being read."""
    found = [day for day in days if day.places]
    words = [day.words for day in found if day.before_copy][-1:]
    if any(set(day.being_read) - set(day.before_copy) for day in found):
        words.append(_("Some days are being read for the first time: bookings may be missing."))
    return words


def missing_in(first: date, last: date, restaurants: Collection[Restaurant]) -> dict[date, Missing]:
    """The days of a range of years that lack something. No work where everything was read."""
    doubts = DOUBTFUL.value()
    uuids = {one.uuid for one in restaurants}
    is_before = any(first < doubts.begins.get(uuid, first) for uuid in uuids)
    if not is_before and uuids.isdisjoint(doubts.never_whole | doubts.in_backfill | doubts.joined):
        return {}
    days = missing_between(first, last, restaurants)
    return {day: missing for day, missing in days.items() if missing.places}


def _is_unread(place: Restaurant, listed: Listed, day: date, doubts: Doubtful) -> bool:
    keys = _keys(place.group.uuid, place.uuid)
    if is_new := place.uuid in doubts.joined:
        keys = {(place.group.uuid, place.uuid)}
    read = set().union(*(listed.read[key] for key in keys))
    if read.issuperset(_around(day)):
        return False
    to_read = set().union(*(listed.to_read[key] for key in keys))
    is_unknown = is_new or place.uuid in doubts.never_whole
    return is_unknown or bool((to_read - read).intersection(_around(day)))


def _listed_between(first: date, last: date) -> Listed:
    """The service lists by UTC days: an evening is in the one before or after, too. One query."""
    days = _days(first - ONE_DAY, last + ONE_DAY)
    slices = _backfilled().filter(since__lte=last + ONE_DAY, until__gte=first - ONE_DAY)
    listed = Listed(defaultdict(set), defaultdict(set))
    for group, restaurant, since, until, state in slices.values_list(
        "group_uuid", "restaurant_uuid", "since", "until", "state"
    ):
        listings = listed.read if state == Slice.State.DONE else listed.to_read
        listings[group, restaurant] |= {one for one in days if since <= one <= until}
    return listed


def _backfilled() -> QuerySet[Slice]:
    found = Slice.objects.filter(kind="reservation", by="mealDate", job__purpose="backfill")
    return found.exclude(~Q(state=Slice.State.DONE), ~Q(job__state__in=OPEN_JOBS)).order_by()


def _places_in_backfill() -> Iterable[Place]:
    open_slices = _backfilled().exclude(state=Slice.State.DONE)
    return open_slices.values_list("group_uuid", "restaurant_uuid").distinct()


def _read_places() -> Iterable[Place]:
    read = _backfilled().filter(state=Slice.State.DONE)
    return read.values_list("group_uuid", "restaurant_uuid").distinct()


def _whole_places() -> Iterable[Place]:
    rows = Completeness.objects.filter(kind="reservation")
    for group, restaurant in rows.values_list("group_uuid", "restaurant_uuid"):
        yield group, None if restaurant == Completeness.WHOLE_GROUP else restaurant


def _keys(group: UUID, restaurant: UUID) -> set[Place]:
    """What a listing of a restaurant may name: itself, or all of its group."""
    return {(group, restaurant), (group, None)}


def _days(first: date, last: date) -> Sequence[date]:
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _around(day: date) -> tuple[date, ...]:
    return day - ONE_DAY, day, day + ONE_DAY
