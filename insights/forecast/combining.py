"""Combines forecasts, weighted by past errors; a simple rule wins where it was better."""

from collections.abc import Sequence

import numpy as np

from insights.forecast.history import Floats, History, Ints

CONTEST = 112  # days over which a forecast must not lose to a simple rule
FIRST_COUNTED = 28  # days: a forecast from hardly any history says nothing about later ones
CLEARLY, LATELY = 0.9, 56  # nor lose more than a tenth over these days


def blend(
    history: History,
    views: Sequence[Floats],
    *,
    trust: Sequence[float],
    sharpness: int,
    memory: float,
    since: int = 0,
) -> Floats:
    """[lag, day]: views weighted by the trust in them and how little they erred by that morning.

    `memory` is after how many days an error counts half; errors of days before `since` do not.
    """
    stacked = np.stack(views)
    errors = stacked[:, :, : history.days] - history.came
    errors *= errors
    errors *= history.held & (np.arange(history.days) >= since)
    mean = recent_mean(history, errors, memory)
    mean += 0.01 * mean.mean(axis=0) + 1e-6
    weights = _power(mean.min(axis=0) / mean, sharpness)
    weights *= np.array(trust)[:, None, None]
    total = weights.sum(axis=0)
    weights *= stacked
    mixed: Floats = weights.sum(axis=0) / total
    return mixed


def _power(base: Floats, exponent: int) -> Floats:
    """By squaring: numpy's own power takes ten times as long."""
    if exponent == 1:
        return base
    half = _power(base, exponent // 2)
    return half * half * base if exponent % 2 else half * half


def recent_mean(history: History, errors: Floats, memory: float) -> Floats:
    """Faded means over services of what was known on each cell's morning, [view, lag, day]."""
    age = np.log(2) / memory * (np.arange(history.days) - history.days)
    growing, fading = np.exp(age), np.exp(-age)
    counts = np.cumsum(history.held * growing) * fading
    means = errors * growing
    np.cumsum(means, axis=2, out=means)
    means *= fading / np.maximum(counts, 1e-9)
    return known_sums(history, means)


def known_sums(history: History, by_day: Floats, *, earlier: int = 0) -> Floats:
    """[view, lag, day]: the value of the last day that was over on each cell's morning.

    Or so many days before that morning; nought before the first day.
    """
    found = np.zeros((*by_day.shape[:2], history.columns))
    for lag in range(by_day.shape[1]):
        first = lag + earlier + 1
        last = first + history.days
        found[:, lag, first:last] = by_day[:, lag, : max(history.columns - first, 0)]
        found[:, lag, last:] = by_day[:, lag, -1:]
    return found


def contest(history: History, mixed: Floats, rules: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Return the forecast or the simple rule that beat it lately, and which one it is."""
    entrants = np.stack([mixed, *rules])
    counted = history.held & (np.arange(history.days) >= FIRST_COUNTED)
    errors = np.abs(entrants[:, :, : history.days] - history.came) * counted
    sums = np.cumsum(errors, axis=2)
    known = known_sums(history, sums)
    long, short = (known - known_sums(history, sums, earlier=days) for days in (CONTEST, LATELY))
    clearly = short.min(axis=0) < CLEARLY * short[0]
    winner = np.where(clearly, np.argmin(short, axis=0), np.argmin(long, axis=0))
    chosen: Floats = np.take_along_axis(entrants, winner[None], axis=0)[0]
    return chosen, winner.astype(np.int64)
