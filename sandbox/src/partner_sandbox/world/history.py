"""The past bookings of a world as a table, for whoever studies or forecasts them."""

import csv
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TextIO

from partner_sandbox.clock import SECOND
from partner_sandbox.entities.directory import Directory, SandboxRestaurant
from partner_sandbox.store import Store

COLUMNS = (
    "restaurant", "service_day", "service", "meal_time", "created_at", "cancelled_at",
    "party_size", "status", "channel", "seated_at", "left_at",
)  # fmt: skip
DAY_START = 4  # until that hour a meal belongs to the day before
DINNER = 17
PAST = """
    SELECT * FROM reservation
    WHERE meal < ? AND status IN ('RECORDED', 'CANCELED', 'NO_SHOW') ORDER BY meal, id
"""


def write_history(store: Store, file: TextIO, *, until: int) -> None:
    """Bookings of the groups that the usual client may see, of meals before an instant."""
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(store, until))


def _rows(store: Store, until: int) -> Iterator[tuple[object, ...]]:
    directory = Directory(store)
    places = {place.id: place for place in directory.restaurants.values()}
    with store.reading() as db:
        for row in db.execute(PAST, (until,)):
            place = places[row["restaurant_id"]]
            if directory.groups[place.group_id].owner == "full":
                yield _row(row, place)


def _row(row: sqlite3.Row, place: SandboxRestaurant) -> tuple[object, ...]:
    meal = datetime.fromtimestamp(row["meal"] / SECOND, place.zone)
    day = (meal.replace(tzinfo=None) - timedelta(hours=DAY_START)).date()
    is_dinner = meal.hour >= DINNER or meal.hour < DAY_START
    cancelled = _utc(row["updated"]) if row["status"] == "CANCELED" else ""
    return (
        place.name,
        day.isoformat(),
        "dinner" if is_dinner else "lunch",
        meal.strftime("%H:%M"),
        _utc(row["created"]),
        cancelled,
        row["party_size"],
        row["status"],
        row["channel"],
        "",
        "",
    )


def _utc(instant: int) -> str:
    return datetime.fromtimestamp(instant / SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
