"""Which restaurants mark arrivals, by the marks of their past bookings."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from lib.database.compiled_queries import prepared
from reservations.models import ArrivalTracking, Reservation
from reservations.service_clock import Lengths
from reservations.service_day.bookings import WALK_IN

# Past weeks from which a restaurant is known to mark arrivals, or not to.
LOOK_BACK = timedelta(days=28)


class TrackedRow(NamedTuple):
    """What the marks of past bookings tell of a restaurant."""

    restaurant: int
    bookings: int
    marked: int
    stays: Lengths


def marks_arrivals(bookings: int, marked: int) -> bool:
    """Whether at least a fifth of the past bookings have a mark. Walk-ins are in neither number:
    they are marked by being entered."""
    return bookings > 0 and marked * 5 >= bookings


def marking_restaurants(restaurant_ids: list[int], *, now: datetime) -> dict[int, bool]:
    """Whether each of these restaurants marks arrivals. One without past bookings is missing.

    One query. One that was not measured yet, because its first bookings have just been read, is
    measured now: a second query until the next hour.
    """
    return completed(measured_restaurants(restaurant_ids), restaurant_ids, now=now)


def completed(
    known: dict[int, bool], restaurant_ids: list[int], *, now: datetime
) -> dict[int, bool]:
    """With those that were not measured yet. One query, where there are some."""
    new = [pk for pk in restaurant_ids if pk not in known]
    found = _counted(now.date()).filter(restaurant__in=new) if new else ()
    fresh = {one["restaurant_id"]: marks_arrivals(one["bookings"], one["marked"]) for one in found}
    return known | fresh


def measured_restaurants(restaurant_ids: list[int]) -> dict[int, bool]:
    """The same of those that were measured in the past hours; the others are missing. One query."""
    return measured(tracked_rows(restaurant_ids))


def tracked_rows(restaurant_ids: list[int]) -> list[TrackedRow]:
    """What the marks of past bookings tell of each restaurant. One query."""
    return [TrackedRow._make(row) for row in _known(restaurant_ids)]


def measured(tracked: Iterable[TrackedRow]) -> dict[int, bool]:
    return {row.restaurant: marks_arrivals(row.bookings, row.marked) for row in tracked}


def measure_arrival_tracking(*, now: datetime) -> int:
    """Count the marks of every restaurant's past bookings. One grouped query and one write."""
    arrival_tracking = [ArrivalTracking(measured_at=now, **count) for count in _counted(now.date())]
    ArrivalTracking.objects.bulk_create(
        arrival_tracking,
        update_conflicts=True,
        unique_fields=["restaurant"],
        update_fields=["bookings", "marked", "measured_at"],
    )
    return len(arrival_tracking)


def _counted(today: date) -> "QuerySet[Reservation, Any]":
    past = Reservation.objects.present().filter(
        service_day__range=(today - LOOK_BACK, today - timedelta(days=1)), status="RECORDED"
    )
    counted: QuerySet[Reservation, Any] = (
        past.exclude(reservation_channel=WALK_IN)
        .order_by()
        .values("restaurant_id")
        .annotate(bookings=Count("pk"), marked=Count("pk", filter=~Q(meal_status="")))
    )
    return counted


@prepared
def _known(restaurant_ids: list[int]) -> Any:
    arrival_tracking = ArrivalTracking.objects.filter(restaurant__in=restaurant_ids)
    return arrival_tracking.values_list("restaurant_id", "bookings", "marked", "stays")
