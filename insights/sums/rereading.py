"""Marks days to be counted again whose notes were read with other word lists.

The marks are the queue: a restart goes on where it stopped, and pages show how many days wait.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from customers.allergies.version import reading_version
from insights.models import Counter, Mark
from insights.sums.recount import CALENDAR
from reservations.models import Reservation
from restaurants.models import Restaurant

# While an upgrade goes on, old and new processes would otherwise undo each other's marks for ever.
PAUSE = timedelta(minutes=10)


def mark_outdated(*, now: datetime) -> int:
    """Restaurant by restaurant, each in a transaction of its own. Returns how many days."""
    version = reading_version()
    current = Counter.objects.filter(
        Q(reading_version=version) | Q(reading_changed_at__gt=now - PAUSE)
    )
    outdated = Restaurant.objects.exclude(pk__in=current.values("restaurant"))
    return sum(_mark_restaurant(one, version, now=now) for one in outdated)


def _mark_restaurant(restaurant: Restaurant, version: str, *, now: datetime) -> int:
    held = Reservation.objects.present().filter(restaurant=restaurant, service_day__range=CALENDAR)
    days = list(held.order_by("service_day").values_list("service_day", flat=True).distinct())
    Counter.objects.get_or_create(restaurant=restaurant)
    with transaction.atomic():
        Mark.objects.bulk_create(Mark(restaurant=restaurant, day=day) for day in days if day)
        Counter.objects.filter(restaurant=restaurant).update(
            reading_version=version, reading_changed_at=now
        )
    return len(days)
