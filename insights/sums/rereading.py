"""Counts what guests do not eat again, where notes were read with other word lists.

Month by month, the latest first, each in a short transaction that moves the restaurant's cursor:
a restart goes on where it stopped, and changes of today never wait behind years of notes.
"""

import time
from collections.abc import Collection
from datetime import date, datetime, timedelta

from django.db.models import Max, Q

from customers.allergies.version import reading_version
from insights.models import Counter, DietaryCount, first_of_month
from insights.sums.dietary import noted_bookings
from insights.sums.recount import CALENDAR, count_needs, days_of_month, locked_counter
from reservations.models import Reservation
from restaurants.models import Restaurant

BUDGET_SECONDS = 25
# While an upgrade goes on, old and new processes would otherwise begin in turn for ever.
PAUSE = timedelta(minutes=10)


def read_outdated(*, now: datetime) -> int:
    """Read for as long as the budget lasts. Returns how many months."""
    ends_at, months = time.monotonic() + BUDGET_SECONDS, 0
    for restaurant in _outdated(now):
        _begin(restaurant, now=now)
        while time.monotonic() < ends_at and _read_month(restaurant, now=now):
            months += 1
    return months


def month_waiting(restaurants: Collection[int]) -> date | None:
    """The latest month of these restaurants whose notes wait to be read again."""
    found = Counter.objects.filter(restaurant__in=restaurants).aggregate(Max("reading_month"))
    latest: date | None = found["reading_month__max"]
    return latest


def _outdated(now: datetime) -> list[Restaurant]:
    """Those that were read with other lists, and those that are being read with these."""
    own = Q(reading_version=reading_version())
    settled = own & Q(reading_month=None)
    changing = ~own & Q(reading_changed_at__gt=now - PAUSE)
    current = Counter.objects.filter(settled | changing)
    return list(Restaurant.objects.exclude(pk__in=current.values("restaurant")))


def _begin(restaurant: Restaurant, *, now: datetime) -> None:
    with locked_counter(restaurant, now=now):
        others = Counter.objects.filter(restaurant=restaurant)
        others.exclude(reading_version=reading_version()).update(
            reading_version=reading_version(),
            reading_changed_at=now,
            reading_month=_latest_month(restaurant, until=CALENDAR[1]),
        )


def _read_month(restaurant: Restaurant, *, now: datetime) -> bool:
    """Whether there was one."""
    month = _next_month_of(restaurant)
    if month is None:
        return False
    began = time.monotonic()
    _warm(restaurant, month)
    with locked_counter(restaurant, now=now):
        # Somebody else may have read it meanwhile, perhaps with newer lists.
        if _next_month_of(restaurant) == month:
            count_needs(restaurant, month)
            left = _latest_month(restaurant, until=month - timedelta(days=1))
            Counter.objects.filter(restaurant=restaurant).update(reading_month=left)
    # As long a rest as it took: others write, and boards have the processor.
    time.sleep(time.monotonic() - began)
    return True


def _next_month_of(restaurant: Restaurant) -> date | None:
    own = Counter.objects.filter(restaurant=restaurant, reading_version=reading_version())
    return own.values_list("reading_month", flat=True).first()


def _warm(restaurant: Restaurant, month: date) -> None:
    """Read the notes before the lock is taken: within it their readings are remembered."""
    for noted in noted_bookings(restaurant, service_day__range=days_of_month(month)):
        noted.needs  # noqa: B018  # for what it remembers


def _latest_month(restaurant: Restaurant, *, until: date) -> date | None:
    """The latest one with bookings or counts."""
    held = Reservation.objects.filter(restaurant=restaurant)
    day = held.filter(service_day__range=(CALENDAR[0], until)).aggregate(Max("service_day"))
    counted = DietaryCount.objects.filter(restaurant=restaurant, start__lte=until)
    found = [*day.values(), *counted.aggregate(Max("start")).values()]
    return max((first_of_month(one) for one in found if one), default=None)
