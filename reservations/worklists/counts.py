"""Counts of the worklists in the menus: requests, and undated bookings."""

from datetime import date, datetime
from typing import Any

from django.utils import timezone

from lib.database.compiled_queries import COUNT, CountQuery, prepared
from reservations.models import Reservation, well_before
from restaurants.shell import Shell


def waiting(shell: Shell) -> CountQuery | None:
    """Counted over an index of such bookings only."""
    ids = [restaurant.pk for restaurant in shell.scope_restaurants]
    now = timezone.now()
    return _count.about(ids, now, well_before(now)) if ids else None


def undated(shell: Shell) -> CountQuery | None:
    """Counted over the index of the boards, which has bookings without a day too."""
    ids = [restaurant.pk for restaurant in shell.scope_restaurants]
    return _count_undated.about(ids) if ids else None


@prepared
def _count_undated(restaurant_ids: list[int]) -> Any:
    return Reservation.objects.for_restaurants(restaurant_ids).undated().values_list(COUNT)


@prepared
def _count(restaurant_ids: list[int], now: datetime, since: date) -> Any:
    rows = Reservation.objects.for_restaurants(restaurant_ids).requested(now=now, since=since)
    return rows.values_list(COUNT)
