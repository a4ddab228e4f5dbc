"""Generated histories for tests: each booking with the times it was made and cancelled.

Guests are drawn one by one around a demand that no model of ours knows: it drifts, has seasons,
holidays, weather and full evenings. The same seed makes the same rows.
"""

import csv
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import TextIO

from insights.forecast.history import NEVER, Bookings, PastBooking, bookings_of

COLUMNS = (
    "restaurant", "service_day", "service", "meal_time", "created_at", "cancelled_at",
    "party_size", "status", "channel", "seated_at", "left_at",
)  # fmt: skip
Row = tuple[str, ...]

EVERY_DAY = (1.0,) * 7
PARTY_SIZES = (1,) * 5 + (2,) * 48 + (3,) * 13 + (4,) * 21 + (5,) * 5 + (6,) * 5 + (8,) * 2 + (12,)
CHANNELS = ("Marketplace",) * 4 + ("PastBooking Module",) * 3 + ("Offline",) * 2 + ("Guide",)
WALK_IN = "Walk-in"
HOURS = {"lunch": (12, 13), "dinner": (19, 20, 21)}

# How many times a usual day's guests come; nought is shut.
HOLIDAYS = {(1, 1): 0.0, (2, 14): 1.6, (5, 1): 0.7, (8, 15): 1.25, (12, 24): 0.0, (12, 25): 0.0,
            (12, 26): 0.5, (12, 31): 1.7}  # fmt: skip
EASTER = {date(2025, 4, 20): 1.5, date(2025, 4, 21): 1.3, date(2026, 4, 5): 1.5,
          date(2026, 4, 6): 1.3}  # fmt: skip


@dataclass(frozen=True)
class MadeUp:
    """The properties of a generated restaurant."""

    name: str
    parties: Mapping[str, float]  # of a usual day, by service
    weekdays: tuple[float, ...] = EVERY_DAY  # nought is closed
    season: float = 0.0  # how far a year swings around its middle
    peak: int = 200  # day of the year on which the season is highest
    growth: float = 0.0  # share of a year
    walk_ins: float = 0.12
    leads: tuple[tuple[float, float], ...] = ((0.35, 1.0), (0.45, 6.0), (0.2, 21.0))  # share, days
    cancelled: float = 0.09
    no_shows: float = 0.04
    unrest: float = 0.12  # how far one day strays from another
    seats: float = 1.6  # times the usual guests
    sizes: tuple[int, ...] = PARTY_SIZES
    promotions: tuple[tuple[date, int, float], ...] = ()  # first day, days, times the guests
    closures: tuple[tuple[date, int], ...] = ()
    follows_holidays: bool = True
    held: float = 1.0  # share of its days on which it opens at all


@dataclass
class YearlyDrift:
    """Demand that drifts from day to day; no column of the history shows it."""

    luck: Random
    unrest: float
    level: float = 0.0
    week: float = field(default=0.0)

    def step(self) -> float:
        self.level = 0.995 * self.level + self.luck.gauss(0, self.unrest / 12)
        self.week = 0.7 * self.week + self.luck.gauss(0, self.unrest / 2)
        return math.exp(self.level + self.week + self.luck.gauss(0, self.unrest / 2))


def make_history(place: MadeUp, *, first: date, days: int, seed: int) -> Iterator[Row]:
    """All bookings of one restaurant, in the order of their days."""
    luck = Random(f"{seed} {place.name}")  # noqa: S311  # no secret
    drift = YearlyDrift(luck, place.unrest)
    for offset in range(days):
        day = first + timedelta(days=offset)
        mood = drift.step() * usual(place, day, offset)
        if luck.random() >= place.held or not mood:
            continue
        for service, parties in place.parties.items():
            yield from _service(luck, place, day, service, parties=parties * mood)


def usual(place: MadeUp, day: date, offset: int) -> float:
    """What a day should bring, before chance: weekday, season, growth, holidays, promotions."""
    if any(start <= day < start + timedelta(days=length) for start, length in place.closures):
        return 0.0
    angle = (day.timetuple().tm_yday - place.peak) / 365 * 2 * math.pi
    mood = place.weekdays[day.weekday()] * (1 + place.season * math.cos(angle))
    mood *= float((1 + place.growth) ** (offset / 365))
    if place.follows_holidays:
        mood *= HOLIDAYS.get((day.month, day.day), 1.0) * EASTER.get(day, 1.0)
    for start, length, times in place.promotions:
        mood *= times if start <= day < start + timedelta(days=length) else 1.0
    return mood


def _service(
    luck: Random, place: MadeUp, day: date, service: str, *, parties: float
) -> Iterator[Row]:
    """Bookings in the order they are made; what finds no seat is never written down."""
    wanted = poisson(luck, parties * (1 - place.walk_ins))
    seats = place.seats * place.parties[service] * sum(place.sizes) / len(place.sizes)
    made = sorted((_booking(luck, place, day, service) for _ in range(wanted)), key=_created)
    walk_ins = poisson(luck, parties * place.walk_ins * luck.uniform(0.5, 1.5))
    made += [_walk_in(luck, place, day, service) for _ in range(walk_ins)]
    for row in made:
        if seats > 0:
            seats -= int(row[6]) if row[7] != "CANCELED" else 0
            yield row


def _created(row: Row) -> str:
    return row[4]


def _booking(luck: Random, place: MadeUp, day: date, service: str) -> Row:
    meal, size = _meal(luck, day, service), luck.choice(place.sizes)
    _share, mean = luck.choices(place.leads, [share for share, _mean in place.leads])[0]
    lead = min(luck.expovariate(1 / mean) * (1.5 if size > 5 else 1.0), 180) + 0.02
    created, cancelled, status = meal - timedelta(days=lead), "", "RECORDED"
    chance = luck.random()
    if chance < place.cancelled:
        status, cancelled = "CANCELED", _iso(meal - (meal - created) * luck.random() ** 2)
    elif chance < place.cancelled + place.no_shows:
        status = "NO_SHOW"
    when = (day.isoformat(), service, meal.strftime("%H:%M"), _iso(created), cancelled)
    return (place.name, *when, str(size), status, luck.choice(CHANNELS), "", "")


def _walk_in(luck: Random, place: MadeUp, day: date, service: str) -> Row:
    meal, size = _meal(luck, day, service), min(luck.choice(place.sizes), 6)
    when = (day.isoformat(), service, meal.strftime("%H:%M"), _iso(meal), "")
    return (place.name, *when, str(size), "RECORDED", WALK_IN, "", "")


def _meal(luck: Random, day: date, service: str) -> datetime:
    hour = luck.choice(HOURS[service])
    return datetime.combine(day, time(hour, luck.randrange(0, 60, 15)), UTC)


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def poisson(luck: Random, mean: float) -> int:
    """How many come when `mean` are expected."""
    count, passed = 0, luck.expovariate(1.0)
    while passed < mean:
        count, passed = count + 1, passed + luck.expovariate(1.0)
    return count


def write_csv(path: Path, rows: Iterable[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        write_rows(file, rows)
    return path


def write_rows(file: TextIO, rows: Iterable[Row]) -> None:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    writer.writerows(rows)


# The second world of the backtest: what the sandbox has none of.
SEASONS_FROM, SEASONS_DAYS = date(2025, 7, 7), 549
BISTRO_WEEK = (0.7, 0.8, 0.9, 1.0, 1.3, 1.4, 0.9)
SEASONS = (
    MadeUp("Seaside", {"lunch": 14, "dinner": 24}, season=0.45, weekdays=BISTRO_WEEK),
    MadeUp("Closed on Mondays", {"lunch": 10, "dinner": 22}, weekdays=(0, *BISTRO_WEEK[1:]),
           season=0.15, peak=350),
    MadeUp("Growing", {"dinner": 20}, growth=0.5, weekdays=BISTRO_WEEK),
    MadeUp("Shrinking", {"lunch": 16, "dinner": 26}, growth=-0.35, weekdays=BISTRO_WEEK),
    MadeUp("Promotion", {"lunch": 12, "dinner": 24}, weekdays=BISTRO_WEEK,
           promotions=((date(2026, 11, 16), 7, 1.7), (date(2026, 3, 2), 7, 1.5))),
    MadeUp("Business lunch", {"lunch": 26}, weekdays=(1, 1.1, 1.15, 1.1, 0.9, 0, 0), season=0.1,
           peak=300, closures=((date(2026, 8, 3), 14),)),
)  # fmt: skip


def seasons_world(seed: int = 1) -> Iterator[Row]:
    """Six restaurants over 18 months: seasons, holidays, a closed weekday, growth, a promotion."""
    for place in SEASONS:
        yield from make_history(place, first=SEASONS_FROM, days=SEASONS_DAYS, seed=seed)


def make_bookings(place: MadeUp, *, first: date, days: int, seed: int) -> dict[str, Bookings]:
    """The same as the forecasts take it; service days begin at midnight here."""
    services: dict[str, list[PastBooking]] = {service: [] for service in place.parties}
    for row in make_history(place, first=first, days=days, seed=seed):
        day, created, cancelled = (_ordinal(text) for text in (row[1], row[4], row[5]))
        services[row[2]].append(PastBooking(day, created, cancelled, int(row[6]), row[7]))
    return {service: bookings_of(rows) for service, rows in services.items()}


def _ordinal(text: str) -> int:
    return date.fromisoformat(text[:10]).toordinal() if text else NEVER


if __name__ == "__main__":
    write_rows(sys.stdout, seasons_world(int(sys.argv[1])))
