"""What a backfill or a sweep must list: days of one kind at one place, the nearest first."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from mirror import kinds
from mirror.jobs import completeness
from mirror.jobs.completeness import OVERLAP, REVIEWED_WITHIN, UNNAMED
from mirror.kinds import EntityLocation
from restaurants.models import Restaurant

# One listing by meal date covers a week: small enough to have this week first.
SPAN = {"mealDate": timedelta(days=7), "updatedDate": timedelta(days=30)}
# A listing by update of which only the unknown is read: no list by meal date names a booking that
# has none.
UNDATED = "undated"
SPAN[UNDATED] = SPAN["updatedDate"]
# Of so many days to come a sweep notices which bookings the service names no more.
AHEAD = timedelta(days=30)
# The days that a person may name: a mistyped year reads no list, and a day more is still a day.
EARLIEST, LATEST = date(1970, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class Window:
    """Days of one kind at one place, listed by one date field."""

    kind: str
    location: EntityLocation
    since: date
    until: date
    by: str


def of_backfill(
    kind_names: Collection[str],
    chosen: list[Restaurant],
    since: date,
    until: date,
    *,
    today: date,
) -> list[Window]:
    """All days of the range: today first, then outward."""
    windows = [w for kind in kind_names for w in _backfill_windows(kind, chosen, since, until)]
    if "reservation" in kind_names:
        windows += _undated_windows(chosen, since, min(until, today + OVERLAP))
    order = kinds.names()
    return sorted(
        windows, key=lambda w: (w.by == UNDATED, _distance(w, today), order.index(w.kind))
    )


def of_sweep(
    restaurants: list[Restaurant], today: date, until: date, *, days: int | None
) -> list[Window]:
    """What may have changed since it was proven complete, wide enough to leave no gap."""
    return [
        window
        for kind in kinds.names()
        for location in _places(kind, restaurants)
        for window in _sweep_windows(
            kind, location, _sweep_since(kind, location, today, days), until
        )
    ]


def utc_days(since: date, until: date) -> tuple[datetime, datetime]:
    """Return the first moment of whole UTC days, and the one that follows the last."""
    begin = datetime.combine(since, time(), tzinfo=UTC)
    return begin, datetime.combine(until + timedelta(days=1), time(), tzinfo=UTC)


def changed_since(windows: Iterable[Window], today: date) -> date:
    """The first day whose changes a sweep asks for."""
    return min((w.since for w in windows if w.by == "updatedDate"), default=today - OVERLAP)


def everywhere() -> QuerySet[Restaurant]:
    return Restaurant.objects.select_related("group").order_by("pk")


def _places(kind: str, restaurants: list[Restaurant]) -> list[EntityLocation]:
    """Reviews can be listed by restaurant only."""
    return [_at(place) for place in restaurants] if kind == "review" else _groups(restaurants)


def _sweep_since(kind: str, location: EntityLocation, today: date, days: int | None) -> date:
    """Reach back to where the place is proven complete, however long that is ago.

    Where nothing is proven, to its first listing: that job may have failed half way.
    """
    if days:
        return today - timedelta(days=days)
    start = completeness.proven(kind, location) or completeness.first_listed(kind, location)
    return (start.date() if start else today - timedelta(days=1)) - OVERLAP


def _backfill_windows(
    kind: str, restaurants: list[Restaurant], since: date, until: date
) -> Iterator[Window]:
    # Reservations and reviews are cut by UTC days, their evenings are local: a day wider on
    # both outer sides. Inner edges touch without overlap, so that nothing is read twice.
    widened = (since - timedelta(days=1), until + timedelta(days=1))
    if kind == "customer":
        for location in _groups(restaurants):
            yield from _cut(kind, location, since, until, by="updatedDate")
    elif kind == "review":
        for place in restaurants:
            yield from _cut(kind, _at(place), *widened, by="mealDate")
    else:
        for location in _groups_or_restaurants(restaurants):
            yield from _cut(kind, location, *widened, by="mealDate")


def _undated_windows(restaurants: list[Restaurant], since: date, until: date) -> Iterator[Window]:
    for location in _groups_or_restaurants(restaurants):
        yield from _cut("reservation", location, since, until, by=UNDATED)


def _sweep_windows(
    kind: str, location: EntityLocation, since: date, until: date
) -> Iterator[Window]:
    if kind == "review":
        # Lists leave out what became invalid, so all that we know of is read again as well.
        for by in ("mealDate", "known"):
            yield Window(kind, location, since - REVIEWED_WITHIN, until, by)
    else:
        yield from _cut(kind, location, since, until, by="updatedDate")
    if kind == "reservation":
        yield Window(kind, location, until - 2 * OVERLAP, until + AHEAD, UNNAMED)


def _cut(
    kind: str, location: EntityLocation, since: date, until: date, *, by: str
) -> Iterator[Window]:
    """Cut a range into windows that touch without overlap."""
    start = since
    while start <= until:
        end = min(start + SPAN[by] - timedelta(days=1), until)
        yield Window(kind, location, start, end, by)
        start = end + timedelta(days=1)


def _distance(window: Window, today: date) -> int:
    if window.since <= today <= window.until:
        return 0
    return min(abs((window.since - today).days), abs((window.until - today).days))


def _at(restaurant: Restaurant) -> EntityLocation:
    return EntityLocation(restaurant.group.uuid, restaurant.uuid)


def _groups(restaurants: list[Restaurant]) -> list[EntityLocation]:
    return [EntityLocation(uuid) for uuid in dict.fromkeys(r.group.uuid for r in restaurants)]


def _groups_or_restaurants(restaurants: list[Restaurant]) -> list[EntityLocation]:
    """List by whole groups where all their restaurants are wanted: fewer calls."""
    chosen = {restaurant.pk for restaurant in restaurants}
    everyone = {r.pk: r for r in everywhere()}
    partial = {r.group.uuid for r in everyone.values() if r.pk not in chosen}
    singles = [_at(r) for r in restaurants if r.group.uuid in partial]
    return [
        location for location in _groups(restaurants) if location.group_uuid not in partial
    ] + singles
