"""The marks of a service day, as its boards need them."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models.utils import create_namedtuple_class

from lib.database.compiled_queries import prepared
from mirror.models import Mirrored
from reservations.host_marks.models import (
    HostMark,
    ShownMark,
    latest_of_each,
    quiet_until,
    shown_mark,
)
from reservations.service_day.bookings import as_instant
from restaurants.models import Restaurant

FIELDS = {
    "uuid": "reservation_id",
    "restaurant_id": "reservation__restaurant_id",
    "status": "reservation__status",
    "meal_status": "reservation__meal_status",
    "meal_at": "reservation__meal_at",
    "kind": "kind",
    "minutes": "minutes",
    "made_at": "made_at",
}
HostMarkRow: Any = create_namedtuple_class(*FIELDS)


class MarkedBooking(NamedTuple):
    """A booking with its latest call and its ready table; `row` has what its phase follows from."""

    row: Any
    marks: tuple[ShownMark, ...]
    quiet_until: datetime | None


UNTOUCHED = MarkedBooking(None, (), None)


def marks_of_day(day: date, restaurants: dict[int, Restaurant]) -> dict[Any, MarkedBooking]:
    """By the uuid of the booking, as the database stores it. One query."""
    rows: dict[Any, list[Any]] = defaultdict(list)
    for row in map(HostMarkRow._make, _marks_of(day, list(restaurants), as_stored=True)):
        rows[row.uuid].append(row._replace(made_at=as_instant(row.made_at)))
    return {
        uuid: _marked(found, restaurants[found[0].restaurant_id]) for uuid, found in rows.items()
    }


def _marked(rows: list[Any], restaurant: Restaurant) -> MarkedBooking:
    latest = [rows[at] for at in sorted(latest_of_each(row.kind for row in rows).values())]
    marks = tuple(shown_mark(row.kind, row.minutes, row.made_at, restaurant) for row in latest)
    return MarkedBooking(rows[0], marks, _quiet(latest))


def _quiet(rows: Iterable[Any]) -> datetime | None:
    ends = (quiet_until(row.kind, row.minutes, row.made_at) for row in rows)
    return next(filter(None, ends), None)


@prepared
def _marks_of(day: date, restaurant_ids: list[int]) -> Any:
    # Where the booking is now: it may have moved to another restaurant since.
    of_day = HostMark.objects.order_by("made_at", "pk").filter(
        service_day=day,
        reservation__service_day=day,
        reservation__restaurant__in=restaurant_ids,
        reservation__presence=Mirrored.Presence.PRESENT,
    )
    return of_day.values_list(*FIELDS.values())
