"""Recomputes the service days of reviews when a restaurant's clock is corrected."""

from collections.abc import Iterator
from copy import copy
from uuid import UUID

from django.db import transaction

from lib.database import bulk
from mirror.kinds import Stored, notify_watchers
from restaurants.models import Restaurant
from reviews.models import Review

SLICE = 500  # rows of one transaction


def recompute_service_days(restaurant: Restaurant) -> int:
    """Put every review on the day of its visit by the present clock. Returns how many moved."""
    outdated = list(_outdated(restaurant))
    return sum(
        _move(restaurant, outdated[start : start + SLICE])
        for start in range(0, len(outdated), SLICE)
    )


def _outdated(restaurant: Restaurant) -> Iterator[UUID]:
    held = Review.objects.filter(restaurant=restaurant, meal_at__isnull=False).order_by()
    rows = held.values_list("pk", "meal_at", "service_day")
    for pk, meal_at, day in rows.iterator(chunk_size=5000):
        if meal_at is not None and day != restaurant.service_day(meal_at):
            yield pk


@transaction.atomic
def _move(restaurant: Restaurant, pks: list[UUID]) -> int:
    """Read again under a lock, because the visit may have changed meanwhile."""
    rows = Review.objects.select_for_update().filter(restaurant=restaurant, pk__in=pks)
    stored = []
    for row in rows.defer("raw"):
        before = copy(row)
        row.service_day = restaurant.service_day(row.meal_at) if row.meal_at else None
        stored.append(Stored(before, row))
    bulk.update([pair.after for pair in stored], ["service_day"])
    notify_watchers("review", stored)
    return len(stored)
