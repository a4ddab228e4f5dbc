"""Restaurants of a group that its bookings name, because the service lists none."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from partner.client import Client

# Bookings of these days around today are looked through.
DAYS = timedelta(days=3)
MOST = 40  # restaurants: each costs two calls


@dataclass(frozen=True)
class FoundRestaurant:
    uuid: UUID
    meal_date: datetime | None  # of one of its bookings, with the offset of its clock
    bookings: int

    @property
    def clock(self) -> str:
        return f"{self.meal_date:%H:%M}" if self.meal_date else ""

    @property
    def offset(self) -> str:
        """The offset of its clock from UTC, as +02:00."""
        return self.meal_date.isoformat()[-6:] if self.meal_date else ""


def find_restaurants(group: UUID, *, api: Client, today: date) -> Iterator[FoundRestaurant]:
    """Read one booking, list those of its restaurant, and go on with what is left.

    Two calls for each restaurant, however many bookings it has.
    """
    start, end = today - DAYS, today + DAYS
    left = set(api.reservation_uuids(group=group, start=start, end=end, by="mealDate"))
    for _number in range(MOST):
        if not left:
            return
        booking = api.reservation(uuid := min(left)).entity
        left.discard(uuid)
        if place := booking.restaurant_uuid:
            theirs = set(
                api.reservation_uuids(restaurant=place, start=start, end=end, by="mealDate")
            )
            yield FoundRestaurant(place, booking.meal_date, len(theirs | {uuid}))
            left -= theirs
