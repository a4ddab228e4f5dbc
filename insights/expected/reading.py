"""A restaurant's own bookings as the forecasting engine takes them."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

import numpy as np
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Least

from insights.forecast import DAYS_AHEAD
from insights.forecast.engine import MOST_DAYS
from insights.forecast.history import CONFIRMED, NEVER, Bookings, Ints
from mirror.models import Change
from reservations.models import Reservation
from reservations.service_day.services import service_of
from restaurants.models import Restaurant

# A booking made earlier than this before the first day was on the books all the time.
EARLIEST = timedelta(days=DAYS_AHEAD + 2)
CANCELED = "CANCELED"


class BookedRow(NamedTuple):
    """The columns of a booking, in the order in which they are read."""

    service_day: date
    local_minutes: int
    created_at: datetime | None
    party_size: int | None
    status: str


def bookings_by_service(restaurant: Restaurant, *, today: date) -> dict[str, Bookings]:
    """All that the engine looks at, until 28 days from today. Two queries."""
    first, last = today - timedelta(days=MOST_DAYS), today + timedelta(days=DAYS_AHEAD)
    rows: dict[str, list[tuple[BookedRow, datetime | None]]] = defaultdict(list)
    for row, cancelled in _rows(restaurant, first, last):
        rows[service_of(row.local_minutes // 60)].append((row, cancelled))
    clock = ServiceDayClock(restaurant, first - EARLIEST, last)
    return {service: _bookings(rows[service], clock) for service in sorted(rows)}


def _rows(
    restaurant: Restaurant, first: date, last: date
) -> Iterator[tuple[BookedRow, datetime | None]]:
    held = Reservation.objects.present().filter(
        restaurant=restaurant, service_day__range=(first, last), local_minutes__isnull=False
    )
    confirmed = held.filter(status__in=CONFIRMED).order_by().values_list(*BookedRow._fields)
    for row in confirmed.iterator(chunk_size=5000):
        yield BookedRow._make(row), None
    cancelled = held.filter(status=CANCELED).annotate(cancelled_at=_cancelled_at()).order_by()
    columns = cancelled.values_list(*BookedRow._fields, "cancelled_at")
    for *row, moment in columns.iterator(chunk_size=5000):
        yield BookedRow._make(row), moment


def _cancelled_at() -> Coalesce:
    """When the cancellation was read, or the last change of the row, whichever is earlier."""
    seen = Change.objects.filter(
        kind="reservation", uuid=OuterRef("uuid"), field="status", after=CANCELED
    )
    seen_at = Subquery(seen.order_by("-seen_at").values("seen_at")[:1])
    updated = F("updated_at")
    return Coalesce(Least(seen_at, updated), seen_at, updated)


class ServiceDayClock:
    """Service days of many instants at once, across changes of the clock."""

    def __init__(self, restaurant: Restaurant, first: date, last: date) -> None:
        self.first = first.toordinal()
        days = range((last - first).days + 2)
        starts = [restaurant.day_bounds(first + timedelta(days=day))[0] for day in days]
        self.starts = np.array([start.timestamp() for start in starts])

    def ordinals(self, moments: list[datetime | None]) -> Ints:
        """`NEVER` for those that nobody knows."""
        seconds = np.array([np.nan if at is None else at.timestamp() for at in moments])
        found = np.searchsorted(self.starts, seconds, side="right") - 1 + self.first
        return np.where(np.isnan(seconds), NEVER, found).astype(np.int64)


def _bookings(rows: list[tuple[BookedRow, datetime | None]], clock: ServiceDayClock) -> Bookings:
    booked = [row for row, _cancelled in rows]
    status = np.array([row.status for row in booked])
    return Bookings(
        day=np.array([row.service_day.toordinal() for row in booked], np.int64),
        created=clock.ordinals([row.created_at for row in booked]),
        cancelled=clock.ordinals([cancelled for _row, cancelled in rows]),
        covers=np.array([row.party_size or 0 for row in booked], np.int64),
        came=status == "RECORDED",
        confirmed=np.isin(status, CONFIRMED),
    )
