"""A restaurant with a history, for tests: the engine's made-up guests as stored bookings."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from insights.forecast.testing import MadeUp, Row, make_history
from insights.sums import recount
from lib.database import bulk
from reservations.models import Reservation
from reservations.testing import new_reservation
from restaurants.models import Restaurant

BISTRO = MadeUp("Bistro", {"dinner": 8.0}, follows_holidays=False)
AHEAD = 28


def fill(restaurant: Restaurant, *, now: datetime, weeks: int, place: MadeUp = BISTRO) -> None:
    """So many weeks of the past, and what is booked of the four to come, as it is known now."""
    today = restaurant.service_day(now)
    first = today - timedelta(weeks=weeks)
    rows = make_history(place, first=first, days=7 * weeks + AHEAD, seed=1)
    bulk.load(_known(restaurant, rows, now=now))
    recount.rebuild(restaurant, now=now)


def _known(restaurant: Restaurant, rows: Iterator[Row], *, now: datetime) -> Iterator[Reservation]:
    for row in rows:
        meal_at = restaurant.at(date.fromisoformat(row[1]), time.fromisoformat(row[3]))
        created, cancelled = _moment(row[4]), _moment(row[5])
        if created is None or created > now:
            continue
        is_cancelled = cancelled is not None and cancelled <= now
        yield new_reservation(
            restaurant,
            meal_at=meal_at,
            party_size=int(row[6]),
            status=row[7] if is_cancelled or meal_at <= now else "RECORDED",
            reservation_channel=row[8],
            created_at=created,
            updated_at=cancelled if is_cancelled else created,
        )


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
