"""Which requests wait for the restaurant's answer: one rule for board, page and the count above.

A request waits until its service day is over, also after its time has passed, because the guest may
be on the way.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from lib.database.compiled_queries import COUNT, CountQuery, prepared
from reservations.models import Reservation
from restaurants.models import Restaurant, by_service_day

LOOK_BACK = 28  # service days for which an unanswered request is still listed as over


def within(
    restaurants: Iterable[Restaurant], *, now: datetime, first: int = 0, last: int | None = None
) -> Any:
    """Requests from so many service days after the running one of their restaurant, to so many."""
    spans = [
        Q(restaurant__in=ids, service_day__range=(_after(day, first), _after(day, last)))
        for day, ids in by_service_day(restaurants, now=now).items()
    ]
    rows = Reservation.objects.requested()
    return rows.filter(reduce(or_, spans)) if spans else rows.none()


def _after(day: date, days: int | None) -> date:
    """With an end, because PostgreSQL would otherwise estimate a third of all bookings."""
    return date.max if days is None else day + timedelta(days)


def count_waiting(restaurants: Iterable[Restaurant], *, now: datetime) -> CountQuery | None:
    """Counted over an index of such bookings only."""
    sharing = by_service_day(restaurants, now=now).items()
    values = [value for day, ids in sharing for value in (day, ids)]
    return _count.about(*values) if values else None


@prepared
def _count(*days_and_ids: Any) -> Any:
    spans = [
        Q(restaurant__in=ids, service_day__range=(day, date.max))
        for day, ids in zip(days_and_ids[::2], days_and_ids[1::2], strict=True)
    ]
    return Reservation.objects.requested().filter(reduce(or_, spans)).values_list(COUNT)
