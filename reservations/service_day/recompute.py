"""Recomputes service days and local times when a restaurant's clock is corrected."""

from live.announcements import announce_one
from mirror.queue.store import EVERYTHING
from mirror.service_days import ClockColumns
from reservations.models import Reservation, service_day_and_minutes
from restaurants.models import Restaurant

CLOCK_COLUMNS = ClockColumns(
    "reservation", Reservation, ("service_day", "local_minutes"), service_day_and_minutes
)


def recompute_service_days(restaurant: Restaurant) -> int:
    """Recompute every booking, and refresh open boards if any moved. Returns how many did."""
    moved = CLOCK_COLUMNS.recompute(restaurant)
    if moved:
        announce_one("reservation", EVERYTHING, version=0, restaurant=restaurant)
    return moved
