"""The usual covers: level, weekday, trend and season, each day worked out from the days before it.

Several views of the level are kept, because no single one suits a steady bistro, a growing one and
a seaside terrace; how well each did lately decides how much it counts.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from insights.forecast.history import Flags, Floats, History

# How much one service moves the two running levels, and its weekday in each
SLOW, FAST = (0.05, 0.03), (0.10, 0.08)
MOST, LEAST = 2.5, 0.3  # one service counts as no more, and no less, than so many times the usual
YEAR = 365.25
SEASON_NEEDS = 300  # days of history before a season is separated from a trend
SEASON_MEMORY = 182.0  # days after which a service counts half
SEASON_DOUBT = 2.0  # services' worth of belief that there is none
TREND_MEMORY, TREND_DOUBT = 28.0, 0.05
Number = TypeVar("Number", np.float64, np.int64)


@dataclass(frozen=True)
class Levels:
    """Expected covers without looking at the bookings, [view, lag, day]."""

    views: Floats
    factors: Floats  # [morning, weekday] against a mean day


@dataclass
class Running:
    """A level and the weekdays around it, moved by every service."""

    pace: float
    weekday_pace: float
    services: int  # that will be added at most
    level: float = 0.0
    seen: int = 0

    def __post_init__(self) -> None:
        self.factors = [1.0] * 7
        self.counts = [0] * 7
        numbers = np.arange(self.services)
        self.paces = np.maximum(self.pace, 1 / (numbers + 2)).tolist()
        self.weekday_paces = np.maximum(self.weekday_pace, 1 / (numbers + 3)).tolist()

    def add(self, weekday: int, covers: float) -> None:
        if not self.seen:
            self.level = max(covers, 1.0)
        usual = self.level * self.factors[weekday]
        times = covers / (usual if usual > 0.5 else 0.5)
        surprise = (LEAST if times < LEAST else MOST if times > MOST else times) - 1
        pace = self.paces[self.seen]
        learning = self.weekday_paces[self.counts[weekday]] * (1 - pace)
        self.level *= 1 + pace * surprise
        self.factors[weekday] *= 1 + learning * surprise
        self.counts[weekday] += 1
        self.seen += 1
        if self.seen % 7 == 0:
            self._centre()

    def _centre(self) -> None:
        known = [factor for factor, n in zip(self.factors, self.counts, strict=True) if n]
        mean = sum(known) / len(known)
        self.factors = [factor / mean for factor in self.factors]
        self.level *= mean


def levels_of(history: History) -> Levels:
    slow, factors = _run(history, SLOW)
    fast, fast_factors = _run(history, FAST)
    cells = Cells(history)
    usual = cells.spread(factors)
    deseasoned = _without_weekdays(history, factors)
    views = [
        cells.at(slow) * usual,
        cells.at(fast) * cells.spread(fast_factors),
        _trend(history, deseasoned, cells) * usual,
    ]
    young = cells.mornings < SEASON_NEEDS
    for season in _seasons(history, deseasoned, cells):
        views.append(np.where(young, views[0], season * usual))
    return Levels(views=np.maximum(np.stack(views), 0.0), factors=factors)


class Cells:
    """Reads what was known on each cell's own morning."""

    def __init__(self, history: History) -> None:
        self.mornings = np.clip(history.mornings, 0, None)
        self._places = self.mornings * 7 + history.weekdays

    def at(self, values: Floats) -> Floats:
        """[morning] → [lag, day]."""
        found: Floats = values.take(self.mornings)
        return found

    def spread(self, values: NDArray[Number]) -> NDArray[Number]:
        """[morning, weekday] → [lag, day]."""
        found: NDArray[Number] = values.ravel().take(self._places)
        return found


def _run(history: History, paces: tuple[float, float]) -> tuple[Floats, Floats]:
    """The running level and weekday factors on every morning."""
    days = np.flatnonzero(history.held)
    running = Running(*paces, services=len(days))
    states = [[running.level, *running.factors]]
    services = zip(history.weekdays[days].tolist(), history.came[days].tolist(), strict=True)
    for weekday, covers in services:
        running.add(weekday, covers)
        states.append([running.level, *running.factors])
    known = np.array(states)[np.searchsorted(days, np.arange(history.columns))]
    return known[:, 0], known[:, 1:]


def _without_weekdays(history: History, factors: Floats) -> Floats:
    """Covers as if all weekdays were alike, by the factors known on each day's own morning."""
    own = factors[np.arange(history.days), history.weekdays[: history.days]]
    plain = history.came / np.maximum(own, 0.05)
    return _calmed(plain, history.held)


def _calmed(values: Floats, held: Flags) -> Floats:
    """No single day far beyond those before it: a promotion is not a season."""
    if not held.any():
        return values
    weights = np.cumsum(_faded(np.where(held, values, 0.0), TREND_MEMORY))
    counts = np.cumsum(_faded(held.astype(np.float64), TREND_MEMORY))
    before = np.concatenate([[0.0], weights[:-1]]) / np.maximum(
        np.concatenate([[0.0], counts[:-1]]), 1e-300
    )
    usual = np.where(before > 0, before, values)
    return np.clip(values, LEAST * usual, MOST * usual)


def _faded(values: Floats, memory: float) -> Floats:
    """Weights that grow with the day, so that sums up to a day favour the days just before it."""
    age = np.arange(len(values)) - len(values)
    faded: Floats = values * np.exp(np.log(2) / memory * age)
    return faded


def fit(values: Floats, held: Flags, basis: Floats, *, memory: float, doubt: Floats) -> Floats:
    """[day, term] least squares over the days up to each day, older ones counting less.

    `doubt` pulls each term but the first towards nought.
    """
    weights = _faded(held.astype(np.float64), memory)
    fading = np.exp(-np.log(2) / memory * (np.arange(len(values)) - len(values)))
    squares = np.cumsum(weights[:, None, None] * basis[:, :, None] * basis[:, None, :], axis=0)
    products = np.cumsum((weights * np.where(held, values, 0.0))[:, None] * basis, axis=0)
    squares = squares * fading[:, None, None] + np.diag(doubt)
    solved: Floats = np.linalg.solve(squares, (products * fading[:, None])[..., None])[..., 0]
    return solved


def _seasons(history: History, values: Floats, cells: Cells) -> list[Floats]:
    """A yearly wave around the level; the second view lets it rise or fall beside that."""
    days = np.arange(history.columns)
    angle = 2 * np.pi * (days + history.first) / YEAR
    wave = np.stack([np.ones_like(angle), np.sin(angle), np.cos(angle)], axis=1)
    climb = np.concatenate([wave, (days / YEAR)[:, None]], axis=1)
    return [_extended(history, values, basis, cells) for basis in (wave, climb)]


def _extended(history: History, values: Floats, basis: Floats, cells: Cells) -> Floats:
    doubt = np.array([1e-6] + [SEASON_DOUBT] * (basis.shape[1] - 1))
    past = basis[: history.days]
    terms = fit(values, history.held, past, memory=SEASON_MEMORY, doubt=doubt)
    known = _as_of_morning(history, terms)
    wave: Floats = np.einsum("ldk,dk->ld", known[cells.mornings], basis)
    return wave


def _as_of_morning(history: History, by_day: Floats) -> Floats:
    """[morning, …]: what the days before it gave; the last known one goes on beyond today."""
    nothing = np.zeros_like(by_day[:1])
    found: Floats = np.concatenate([nothing, by_day])[
        np.minimum(np.arange(history.columns), history.days)
    ]
    return found


def _trend(history: History, values: Floats, cells: Cells) -> Floats:
    """A straight line through the last weeks, carried on to the day."""
    days = np.arange(history.columns) / YEAR
    weights = _faded(history.held.astype(np.float64), TREND_MEMORY)
    ours = np.where(history.held, values, 0.0)
    past = days[: history.days]
    sums = [np.cumsum(weights * past**power) for power in range(3)]
    count = np.maximum(sums[0], 1e-300)
    middle, mean = sums[1] / count, np.cumsum(weights * ours) / count
    fading = np.exp(-np.log(2) / TREND_MEMORY * (np.arange(history.days) - history.days))
    spread = (sums[2] - count * middle**2) * fading
    moved = (np.cumsum(weights * ours * past) - count * middle * mean) * fading
    line = np.stack([mean, moved / (np.maximum(spread, 0) + TREND_DOUBT), middle], axis=1)
    known = _as_of_morning(history, line)[cells.mornings]
    carried: Floats = known[..., 0] + known[..., 1] * (days - known[..., 2])
    return carried
