"""Recomputes service days and local times when a restaurant's clock is corrected."""

from collections.abc import Iterator
from copy import copy
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from lib.database import bulk
from live.announce import announce
from live.models import Announcement
from mirror.kinds import Stored, notify_watchers
from mirror.queue.store import EVERYTHING
from reservations.models import Reservation, service_day_and_minutes
from restaurants.models import Restaurant

SLICE = 500  # rows of one transaction, which bounds the wait of a process that stores an event


def recompute_service_days(restaurant: Restaurant) -> int:
    """Recompute every booking by the restaurant's present clock. Returns how many changed."""
    outdated = list(_outdated(restaurant))
    moved = sum(
        _move(restaurant, outdated[start : start + SLICE])
        for start in range(0, len(outdated), SLICE)
    )
    if moved:
        announce([_news(restaurant)])
    return moved


def _outdated(restaurant: Restaurant) -> Iterator[UUID]:
    held = Reservation.objects.filter(restaurant=restaurant, meal_at__isnull=False).order_by()
    rows = held.values_list("pk", "meal_at", "service_day", "local_minutes")
    for pk, meal_at, *place in rows.iterator(chunk_size=5000):
        if tuple(place) != service_day_and_minutes(restaurant, meal_at):
            yield pk


@transaction.atomic
def _move(restaurant: Restaurant, pks: list[UUID]) -> int:
    """Compute again under a lock, because the time of a booking may have changed meanwhile."""
    rows = Reservation.objects.select_for_update().filter(restaurant=restaurant, pk__in=pks)
    stored = []
    for row in rows.defer("raw"):
        before = copy(row)
        row.restaurant = restaurant
        row.set_service_day()
        stored.append(Stored(before, row))
    bulk.update([pair.after for pair in stored], ["service_day", "local_minutes"])
    notify_watchers("reservation", stored)
    return len(stored)


def _news(restaurant: Restaurant) -> Announcement:
    return Announcement(
        kind="reservation",
        uuid=EVERYTHING,
        version=0,
        group_id=restaurant.group_id,
        restaurant_id=restaurant.pk,
        at=timezone.now(),
    )
