"""The range into which four of five services fall, from how wrong past forecasts were.

Conformal: no shape of the errors is assumed. The range of a lag is the middle of the last errors
at that lag; where it has caught too few or too many services lately, it takes more or less of them.
"""

from dataclasses import dataclass

import numpy as np

from insights.forecast import DAYS_AHEAD
from insights.forecast.history import Flags, Floats, History, Ints

INSIDE = 0.80
WINDOW = 100  # services whose errors are looked at
WEEK = 7  # days between two looks
FROM = 21  # days until a forecast is one whose error counts
FEWEST = 16  # with fewer a wide range is assumed
GUESS = 0.45  # of the expected covers, where nothing is known
POWER = 0.75  # errors grow slower than the covers
CORRECTION = 0.08  # how fast the range follows its own misses
NARROWEST, WIDEST = 0.5, 0.97
LAGS = np.arange(DAYS_AHEAD)
ENDS = np.array([[-1], [1]])  # of a range


@dataclass(frozen=True)
class Interval:
    """Whole covers, [lag, day]."""

    lower: Floats
    upper: Floats

    def while_open(self, is_open: Flags) -> "Interval":
        """Nobody at all where the service will not be held."""
        return Interval(self.lower * is_open, self.upper * is_open)


@dataclass(frozen=True)
class Errors:
    """Errors in the unit of `scale_of`, [lag, service held], and how many each look knows."""

    scaled: Floats
    days: Ints
    known: Ints

    def range_at(self, look: int, aim: Floats) -> Floats:
        """[end, lag] what the middle of the last errors spans; `aim` is its share of all."""
        end = self.known[look]
        if not end:
            return np.zeros((2, DAYS_AHEAD))
        ranked = np.sort(self.scaled[:, max(end - WINDOW, 0) : end], axis=1)
        return _quantiles(ranked, (1 + ENDS * aim) / 2)


def scale_of(expected: Floats) -> Floats:
    scale: Floats = np.maximum(expected, 1.0) ** POWER
    return scale


def interval_of(history: History, expected: Floats) -> Interval:
    errors = _errors(history, expected)
    looks = np.clip(history.mornings, 0, None) // WEEK
    low, high = _ranges(errors, looks)
    lower, upper = low[looks, LAGS[:, None]], high[looks, LAGS[:, None]]
    scale = scale_of(expected)
    unknown = errors.known[looks] < FEWEST
    middle = np.round(expected)
    lower = np.where(unknown, expected * (1 - GUESS), expected + lower * scale)
    upper = np.where(unknown, expected * (1 + GUESS), expected + upper * scale)
    return Interval(
        lower=np.clip(np.minimum(np.ceil(lower), middle), 0, None),
        upper=np.maximum(np.floor(upper), middle),
    )


def _errors(history: History, expected: Floats) -> Errors:
    days = np.flatnonzero(history.held & (np.arange(history.days) >= FROM))
    ours = expected[:, days]
    mornings = np.arange(0, history.columns + WEEK, WEEK)
    scaled = (history.came[days] - ours) / scale_of(ours)
    return Errors(scaled, days, np.searchsorted(days, mornings))


def _ranges(errors: Errors, looks: Ints) -> tuple[Floats, Floats]:
    """[look, lag] from week to week, each aiming wider or narrower by the misses before it."""
    low, high = np.zeros((2, len(errors.known), DAYS_AHEAD))
    aim = np.full(DAYS_AHEAD, INSIDE)
    before = 0
    for look, known in enumerate(errors.known):
        week = slice(before, known)  # the services since the last look
        own = looks[:, errors.days[week]]
        lower, upper = low[own, LAGS[:, None]], high[own, LAGS[:, None]]
        missed = (errors.scaled[:, week] < lower) | (errors.scaled[:, week] > upper)
        moved = CORRECTION * (missed - (1 - INSIDE)).sum(axis=1)
        aim = np.minimum(np.maximum(aim + moved, NARROWEST), WIDEST)
        low[look], high[look] = errors.range_at(look, aim)
        before = known
    return low, high


def _quantiles(ranked: Floats, shares: Floats) -> Floats:
    """Of each lag its own shares, between two neighbours in proportion."""
    last = ranked.shape[1] - 1
    place = np.minimum(np.maximum(shares * (last + 2) - 1, 0), last)
    below = place.astype(np.int64)
    first, second = ranked[LAGS, below], ranked[LAGS, np.minimum(below + 1, last)]
    value: Floats = first + (place - below) * (second - first)
    return value
