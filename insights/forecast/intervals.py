"""The range into which four of five services fall, from how wrong past forecasts were.

Conformal: no shape of the errors is assumed. The range of a lag is the middle of the last errors
at that lag; where it has caught too few or too many services lately, it takes more or less of them.
"""

from dataclasses import dataclass

import numpy as np

from insights.forecast.history import DAYS_AHEAD, Flags, Floats, History, Ints

INSIDE = 0.80
WINDOW = 100  # services whose errors are looked at
REFIT = 7  # days between two looks
FEWEST = 16  # with fewer a wide range is assumed
GUESS = 0.6  # of the expected covers, where nothing is known
POWER = 0.75  # errors grow slower than the covers
CORRECTION = 0.03  # how fast the range follows its own misses
NARROWEST, WIDEST = 0.6, 0.95


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
    """The last errors before each look, [look, lag, rank], in the unit of `scale_of`."""

    ranked: Floats
    known: Ints  # [look, lag]

    def quantile(self, look: Ints, share: Floats) -> Floats:
        """Of each lag, at its own look."""
        lags = np.arange(DAYS_AHEAD)
        known = self.known[look, lags]
        place = np.clip(share * (known + 1) - 1, 0, np.maximum(known - 1, 0))
        below = place.astype(np.int64)
        above = np.minimum(below + 1, np.maximum(known - 1, 0))
        low, high = self.ranked[look, lags, below], self.ranked[look, lags, above]
        value: Floats = low + (place - below) * (high - low)
        return value


def scale_of(expected: Floats) -> Floats:
    scale: Floats = np.maximum(expected, 1.0) ** POWER
    return scale


def interval_of(history: History, expected: Floats, *, ready: int) -> Interval:
    """From day `ready` on; forecasts before that were no forecasts."""
    errors = _errors(history, expected, ready)
    low, high = np.zeros_like(expected), np.zeros_like(expected)
    aims = np.full((history.columns + 1, DAYS_AHEAD), INSIDE)
    lags = np.arange(DAYS_AHEAD)
    for day in range(history.columns):
        mornings = np.clip(day - lags, 0, None)
        aim = aims[np.minimum(mornings, history.days), lags]
        looks = mornings // REFIT
        low[:, day] = errors.quantile(looks, (1 - aim) / 2)
        high[:, day] = errors.quantile(looks, (1 + aim) / 2)
        aims[day + 1] = aims[day]
        if day < history.days and history.held[day] and day >= ready:
            error = (history.came[day] - expected[:, day]) / scale_of(expected[:, day])
            missed = (error < low[:, day]) | (error > high[:, day])
            moved = aims[day] + CORRECTION * (missed - (1 - INSIDE))
            aims[day + 1] = np.clip(moved, NARROWEST, WIDEST)
    return _in_covers(history, expected, low, high, errors)


def _errors(history: History, expected: Floats, ready: int) -> Errors:
    days = np.flatnonzero(history.held & (np.arange(history.days) >= ready))
    ours = expected[:, days]
    scaled = (history.came[days] - ours) / scale_of(ours)
    looks = np.arange(0, history.columns + REFIT, REFIT)
    upto = np.searchsorted(days, looks)
    ranked = np.full((len(looks), DAYS_AHEAD, WINDOW), np.inf)
    for look, end in enumerate(upto):
        start = max(end - WINDOW, 0)
        ranked[look, :, : end - start] = scaled[:, start:end]
    ranked.sort(axis=2)
    known = np.repeat(np.minimum(upto, WINDOW)[:, None], DAYS_AHEAD, axis=1)
    return Errors(np.where(np.isinf(ranked), 0.0, ranked), known)


def _in_covers(
    history: History, expected: Floats, low: Floats, high: Floats, errors: Errors
) -> Interval:
    scale = scale_of(expected)
    looks = np.clip(history.mornings, 0, None) // REFIT
    unknown = errors.known[looks, np.arange(DAYS_AHEAD)[:, None]] < FEWEST
    lower = np.where(unknown, expected * (1 - GUESS), expected + low * scale)
    upper = np.where(unknown, expected * (1 + GUESS), expected + high * scale)
    middle = np.round(expected)
    return Interval(
        lower=np.clip(np.minimum(np.ceil(lower), middle), 0, None),
        upper=np.maximum(np.floor(upper), middle),
    )
