"""`python -m tests.forecast_oracle 1 2 3`: how far a forecast of the `group` world can get at all.

The oracle knows the generator: the parties that a day should bring, where they sit down, how long
before they book, how many cancel or stay away. It sees the bookings that a forecast sees on the
same morning and answers the expected value; what is left is chance that no forecast can know.
"""

import math
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from insights.forecast import HORIZONS
from insights.forecast.backtest import scored_days
from insights.forecast.engine import ServiceForecast, train
from insights.forecast.from_csv.history import clock_offset, read_history
from insights.forecast.from_csv.rows import DAY, DAY_START, CsvRow, read_rows
from partner_sandbox.entities.availability import regular_slots
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.world import bookings as world
from partner_sandbox.world.plans import SIZES, blueprint

UNTIL = "2026-11-23"
LUCK = (0.92, 1.08)  # times the usual parties
LEAD, SHORTEST = 5.5 * DAY, 20  # minutes before the meal: the mean, and the least
CANCELLED, LOST, REFUSED = 0.085, 0.12, 0.3  # shares up to which a booking is these
DRAWS = 40  # days that tell how the parties of a day spread over its slots
Slot = tuple[int, str, int]  # service day, service, minute of its meal since the first day


@dataclass(frozen=True)
class Draw:
    """A calendar day of one restaurant: its usual parties, and their shares by slot."""

    parties: float
    shares: dict[Slot, float]


def came(place: SandboxRestaurant, size: int) -> float:
    """How likely a booking of this size is served in the end."""
    return 1 - (REFUSED if size >= place.request_from else LOST)


def draw_of(place: SandboxRestaurant, day: date) -> Draw | None:
    slots = regular_slots(place, day)
    if not slots:
        return None
    luck = Random(day.toordinal())  # noqa: S311  # no secret
    parties = usual_parties(place, day)
    weights = [world._pull(place, slot, day) for slot in slots]
    found: Counter[Slot] = Counter()
    for _ in range(DRAWS):
        covers = dict.fromkeys((slot.instant for slot in slots), 0)
        for _ in range(round(parties)):
            size = luck.choice(world.PARTY_SIZES)
            slot = world._seat(luck, slots, weights, covers, size)
            covers[slot.instant] += size
            found[slot_of(day, slot.text)] += 1
    return Draw(parties, {slot: n / found.total() for slot, n in found.items()})


def usual_parties(place: SandboxRestaurant, day: date) -> float:
    season = 1 + 0.16 * math.sin((day.timetuple().tm_yday - 100) / 365 * 2 * math.pi)
    festive = 1.15 if day.month == 12 else 1.0
    pull = world.WEEKDAY_PULL[day.weekday()]
    return SIZES["group"].parties * pull * season * festive * place.busyness


def slot_of(day: date, text: str) -> Slot:
    minute = int(text[11:13]) * 60 + int(text[14:16])
    meal = day.toordinal() * DAY + minute
    is_dinner = minute >= 17 * 60 or minute < DAY_START
    return (meal - DAY_START) // DAY, "dinner" if is_dinner else "lunch", meal


class Oracle:
    """Of one restaurant, with the rows of its file."""

    def __init__(self, place: SandboxRestaurant, rows: list[CsvRow]) -> None:
        self.place = place
        self.offset = clock_offset(rows)
        self.rows: dict[int, list[CsvRow]] = {}
        for row in rows:
            self.rows.setdefault(row.meal // DAY, []).append(row)
        sizes = world.PARTY_SIZES
        self.mean = sum(sizes) / len(sizes)
        self.served = sum(size * came(place, size) for size in sizes) / len(sizes)
        large = sum(size >= place.request_from for size in sizes) / len(sizes)
        self.confirmed = 1 - large * (REFUSED - LOST)
        self.draw = cache(lambda day: draw_of(place, date.fromordinal(day)))

    def expected(self, day: int, service: str, *, horizon: int) -> float:
        """Covers of a service day, as known at the end of the one so many days before."""
        cutoff = (day - horizon + 1) * DAY + DAY_START
        booked = sum(
            self._stays(row, cutoff)
            for calendar_day in (day, day + 1)
            for row in self._known(calendar_day, cutoff)
            if row.day == day and row.service == service
        )
        coming = sum(
            covers
            for calendar_day in (day, day + 1)
            for slot, covers in self._to_come(calendar_day, cutoff)
            if slot[:2] == (day, service)
        )
        return booked + coming

    def _known(self, day: int, cutoff: int) -> Iterator[CsvRow]:
        for row in self.rows.get(day, ()):
            if row.created is not None and row.created + self.offset < cutoff:
                yield row

    def _stays(self, row: CsvRow, cutoff: int) -> float:
        """Covers of a booking times how likely it is not cancelled, nor missed, from now on."""
        if row.cancelled is not None and row.cancelled + self.offset < cutoff:
            return 0.0
        if row.channel == "Walk-in":
            return float(row.covers)
        made = (row.created or 0) + self.offset
        left = (row.meal - cutoff) / max(row.meal - made, 1)
        served = came(self.place, row.covers)
        lost = LOST - CANCELLED + CANCELLED * min(max(left, 0.0), 1.0)
        return row.covers * served / (served + lost)

    def _to_come(self, day: int, cutoff: int) -> Iterator[tuple[Slot, float]]:
        draw = self.draw(day)
        if draw is None:
            return
        late = {slot: self._booked_after(slot[2] - cutoff) for slot in draw.shares}
        seen = 1 - world.WALK_INS
        visible = sum(
            share * seen * (1 - late[slot]) * self.confirmed for slot, share in draw.shares.items()
        )
        known = sum(1 for _ in self._known(day, cutoff))
        rest = parties_left(draw.parties, known, visible) / max(1 - visible, 1e-9)
        for slot, share in draw.shares.items():
            covers = world.WALK_INS * self.mean + seen * late[slot] * self.served
            yield slot, rest * share * covers

    @staticmethod
    def _booked_after(ahead: int) -> float:
        """How likely a booking is made less than so many minutes before its meal."""
        return 1 - math.exp(-max(ahead - SHORTEST, 0) / LEAD)


def parties_left(usual: float, known: int, visible: float) -> float:
    """Parties of a day that are not known yet, given how many are: by Bayes."""
    every = np.arange(round(usual * LUCK[0]), round(usual * LUCK[1]) + 1)
    every = every[every >= known] if (every >= known).any() else np.array([known])
    logs = np.array([math.lgamma(n + 1) - math.lgamma(n - known + 1) for n in every.tolist()])
    logs += (every - known) * math.log(max(1 - visible, 1e-9))
    weights = np.exp(logs - logs.max())
    return float(((every - known) * weights).sum() / weights.sum())


@dataclass
class Lead:
    """Errors of one horizon: oracle, product, the two simple rules; and covers that came."""

    errors: tuple[float, ...] = (0.0,) * 4
    came: float = 0.0

    def add(self, oracle: Oracle, name: str, found: ServiceForecast, horizon: int) -> None:
        history, lag = found.history, horizon - 1
        for day in scored_days(found, horizon=horizon).tolist():
            covers = float(history.came[day])
            known = oracle.expected(history.first + day, name, horizon=horizon)
            rules = [float(rule[lag, day]) for rule in found.rules]
            numbers = [known, float(found.expected[lag, day]), *rules]
            errors = [abs(number - covers) for number in numbers]
            self.errors = tuple(map(sum, zip(self.errors, errors, strict=True)))
            self.came += covers

    def line(self, seed: int, horizon: int) -> str:
        oracle, product, *rules = self.errors
        best = min(rules)
        gained = (best - product) / (best - oracle)
        shares = [one / self.came for one in (best, oracle, product)]
        leads = [1 - one / best for one in (oracle, product)]
        cells = [f"{one:.1%}" for one in (*shares, *leads)]
        return " | ".join([str(seed), str(horizon), *cells, f"{gained:.0%}"])


def compare(seed: int, until: str = UNTIL) -> dict[int, Lead]:
    """Of the eight weeks that a backtest walks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "group.csv"
        options = ["--world", "group", "--seed", str(seed), "--until", until]
        command = [sys.executable, "-m", "partner_sandbox", "history", *options]
        with path.open("wb") as file:
            subprocess.run(command, stdout=file, check=True)
        history, rows = read_history(path), list(read_rows(path))
    leads = {horizon: Lead() for horizon in HORIZONS}
    for place in blueprint("group", seed).restaurants:
        services = history.restaurants.get(place.name, {})
        oracle = Oracle(place, [row for row in rows if row.restaurant == place.name])
        for name, found in train(services, today=history.today).items():
            for horizon, lead in leads.items():
                lead.add(oracle, name, found, horizon)
    return leads


if __name__ == "__main__":
    for seed in map(int, sys.argv[1:]):
        for horizon, lead in compare(seed).items():
            print(lead.line(seed, horizon))  # noqa: T201  # for the terminal
