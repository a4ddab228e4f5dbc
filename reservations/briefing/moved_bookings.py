"""Bookings that left a service day for another: an earlier briefing still lists them."""

from collections.abc import Sequence

from django.utils import timezone

from mirror.kinds import Stored
from reservations.models import MovedBooking, Reservation


def note(stored: Sequence[Stored]) -> None:
    """One query where a booking moved, else none. Those gone upstream keep their day."""
    now = timezone.now()
    moved = [one.before for one in stored if _has_left(one.before, one.after)]
    rows = [
        MovedBooking(uuid=row.uuid, restaurant_id=row.restaurant_id, day=row.service_day, at=now)
        for row in moved
    ]
    if rows:
        MovedBooking.objects.bulk_create(rows)


def _has_left(before: Reservation | None, after: Reservation) -> bool:
    if before is None or before.service_day is None:
        return False
    return (before.restaurant_id, before.service_day) != (after.restaurant_id, after.service_day)
