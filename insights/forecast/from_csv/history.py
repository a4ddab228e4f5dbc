"""Reads a history of bookings from a CSV file for the forecasts."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from statistics import median

from insights.forecast.from_csv.rows import DAY, DAY_START, CsvRow, Unreadable, read_rows
from insights.forecast.history import NEVER, Bookings, PastBooking, bookings_of

WALK_IN = "Walk-in"
FEWEST_WALK_INS = 10
WEST, EAST = -12 * 60, 14 * 60  # minutes that clocks differ from UTC by
LEFT_OPEN = 7  # days that a file may go on after its last change and all be over


@dataclass(frozen=True)
class FileHistory:
    """All restaurants of a file, by service, and the last day whose outcome it knows."""

    restaurants: dict[str, dict[str, Bookings]]
    last: date

    @property
    def today(self) -> date:
        return self.last + timedelta(days=1)


def read_history(path: Path) -> FileHistory:
    rows: dict[str, list[CsvRow]] = defaultdict(list)
    for row in read_rows(path):
        rows[row.restaurant].append(row)
    if not rows:
        raise Unreadable("The file has no bookings.")
    restaurants = {name: _services(rows.pop(name)) for name in sorted(rows)}
    return FileHistory(restaurants, date.fromordinal(_last_day(restaurants)))


def _services(rows: list[CsvRow]) -> dict[str, Bookings]:
    offset = clock_offset(rows)
    services: dict[str, list[PastBooking]] = defaultdict(list)
    for row in rows:
        services[row.service].append(_booking(row, offset))
    return {name: bookings_of(services[name]) for name in sorted(services)}


def _booking(row: CsvRow, offset: int) -> PastBooking:
    return PastBooking(
        day=row.day,
        created=_service_day(row.created, offset),
        cancelled=_service_day(row.cancelled, offset),
        covers=row.covers,
        status=row.status,
    )


def _service_day(moment: int | None, offset: int) -> int:
    return NEVER if moment is None else (moment + offset - DAY_START) // DAY


def clock_offset(rows: Iterable[CsvRow]) -> int:
    """How many minutes the restaurant's clocks are ahead of UTC, which the file does not state.

    A walk-in is written down as it sits down, so its local time less its UTC time is the answer.
    """
    ahead = [
        row.meal - row.created for row in rows if row.channel == WALK_IN and row.created is not None
    ]
    if len(ahead) < FEWEST_WALK_INS:
        return 0
    return min(max(int(median(ahead)), WEST), EAST)


def _last_day(restaurants: dict[str, dict[str, Bookings]]) -> int:
    """The last day of the file; if it goes on after its last change, the day before that."""
    every = [one for services in restaurants.values() for one in services.values()]
    last = max(int(one.day.max()) for one in every)
    changes = [days[days < NEVER] for one in every for days in (one.created, one.cancelled)]
    changed = max((int(days.max()) for days in changes if len(days)), default=last)
    return last if last - changed <= LEFT_OPEN else changed - 1
