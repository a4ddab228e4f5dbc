"""Covers on the books now, by restaurant, service day and service.

They come from the sums of days. A day whose sums wait to be counted again is counted from its
reservations, so that a booking is here as soon as it is stored.
"""

from collections.abc import Collection
from datetime import date
from itertools import chain

from django.db.models import Sum
from django.db.models.functions import Coalesce

from insights.models import BookingCount, CountRow, Mark
from reservations.models import Reservation
from reservations.service_day.services import service_of

Place = tuple[int, date, str]
MOST_MARKED = 60  # days of restaurants; a backfill marks thousands


def booked_now(restaurants: Collection[int], first: date, last: date) -> dict[Place, int]:
    """Two queries, and a third while days wait."""
    held = BookingCount.objects.daily(restaurants, first, last).filter(cut=CountRow.BY_SERVICE)
    found = {
        (pk, day, service): covers
        for pk, day, service, covers in held.values_list(
            "restaurant_id", "start", "service", "covers"
        ).iterator()
    }
    marks = Mark.objects.filter(restaurant__in=restaurants, day__range=(first, last))
    marked = set(marks.order_by().values_list("restaurant_id", "day").distinct()[:MOST_MARKED])
    if not marked:
        return found
    settled = {place: covers for place, covers in found.items() if place[:2] not in marked}
    return settled | _counted(marked)


def _counted(marked: Collection[tuple[int, date]]) -> dict[Place, int]:
    held = Reservation.objects.present().filter(
        restaurant__in={pk for pk, _day in marked},
        service_day__in={day for _pk, day in marked},
        status="RECORDED",
        local_minutes__isnull=False,
    )
    groups = held.order_by().values_list("restaurant_id", "service_day", "local_minutes")
    found: dict[Place, int] = {}
    for pk, day, minutes, covers in groups.annotate(covers=Coalesce(Sum("party_size"), 0)):
        if (pk, day) in marked:
            place = (pk, day, service_of(minutes // 60))
            found[place] = found.get(place, 0) + covers
    return found


def services_in(*keys: Collection[Place]) -> set[tuple[int, str]]:
    """Which restaurants have which services."""
    return {(pk, service) for pk, _day, service in chain(*keys)}
