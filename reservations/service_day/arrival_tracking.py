"""Learns from past weeks which restaurants mark arrivals."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q

from lib.database.compiled_queries import prepared
from reservations.models import ArrivalTracking, Reservation

LOOK_BACK = timedelta(days=28)


def measure(*, now: datetime) -> int:
    """Count the marks of every restaurant's past bookings. One grouped query and one write."""
    today = now.date()
    past = Reservation.objects.present().filter(
        service_day__range=(today - LOOK_BACK, today - timedelta(days=1)), status="RECORDED"
    )
    counts = (
        past.order_by()
        .values("restaurant_id")
        .annotate(bookings=Count("pk"), marked=Count("pk", filter=~Q(meal_status="")))
    )
    arrival_tracking = [ArrivalTracking(measured_at=now, **count) for count in counts]
    ArrivalTracking.objects.bulk_create(
        arrival_tracking,
        update_conflicts=True,
        unique_fields=["restaurant"],
        update_fields=["bookings", "marked", "measured_at"],
    )
    return len(arrival_tracking)


def marking(restaurant_ids: list[int]) -> dict[int, bool]:
    """Whether each of these restaurants marks arrivals. A new one is missing."""
    return {pk: marks_arrivals(bookings, marked) for pk, bookings, marked in _known(restaurant_ids)}


def marks_arrivals(bookings: int, marked: int) -> bool:
    """Whether at least a fifth of the past bookings have a mark."""
    return bookings > 0 and marked * 5 >= bookings


@prepared
def _known(restaurant_ids: list[int]) -> Any:
    arrival_tracking = ArrivalTracking.objects.filter(restaurant__in=restaurant_ids)
    return arrival_tracking.values_list("restaurant_id", "bookings", "marked")
