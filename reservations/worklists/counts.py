"""Counts of the worklists in the menus: requests, and undated bookings."""

from typing import Any

from django.utils import timezone

from lib.database.compiled_queries import COUNT, CountQuery, prepared
from reservations.models import Reservation
from reservations.worklists import requests_due
from restaurants.shell import Shell


def waiting(shell: Shell) -> CountQuery | None:
    """As many as the page of the same scope lists."""
    return requests_due.count_waiting(shell.scope_restaurants, now=timezone.now())


def undated(shell: Shell) -> CountQuery | None:
    """Counted over the index of the boards, which has bookings without a day too."""
    ids = [restaurant.pk for restaurant in shell.scope_restaurants]
    return _count_undated.about(ids) if ids else None


@prepared
def _count_undated(restaurant_ids: list[int]) -> Any:
    return Reservation.objects.for_restaurants(restaurant_ids).undated().values_list(COUNT)
