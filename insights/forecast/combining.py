"""Combines forecasts, weighted by past errors; a simple rule wins where it was better."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from insights.forecast.history import Floats, History, Ints

CONTEST = 112  # days over which a forecast must not lose to a simple rule
CLEARLY, LATELY = 0.9, 56  # nor lose more than a tenth over these days


class Rule(IntEnum):
    """The method that a number comes from."""

    FORECAST = 0
    LAST_FOUR = 1
    RATIO = 2


def blend(
    history: History,
    views: Sequence[Floats],
    *,
    trust: Sequence[float],
    sharpness: float,
    memory: float,
) -> Floats:
    """[lag, day]: views weighted by the trust in them and how little they erred by that morning.

    `memory` is after how many days an error counts half.
    """
    stacked = np.stack(views)
    errors = (stacked[:, :, : history.days] - history.came) ** 2 * history.held
    mean = recent_mean(history, errors, memory)
    mean = mean + 0.01 * mean.mean(axis=0) + 1e-6
    weights = np.array(trust)[:, None, None] * (mean / mean.min(axis=0)) ** -sharpness
    mixed: Floats = (weights * stacked).sum(axis=0) / weights.sum(axis=0)
    return mixed


def recent_mean(history: History, errors: Floats, memory: float) -> Floats:
    """Faded means over services of what was known on each cell's morning, [view, lag, day]."""
    age = np.log(2) / memory * (np.arange(history.days) - history.days)
    growing, fading = np.exp(age), np.exp(-age)
    counts = np.cumsum(history.held * growing) * fading
    means = np.cumsum(errors * growing, axis=2) * fading / np.maximum(counts, 1e-9)
    return known_sums(history, means, history.mornings)


def known_sums(history: History, by_day: Floats, mornings: Ints) -> Floats:
    """[view, lag, day]: the value of the last day that was over on each cell's morning."""
    padded = np.concatenate([np.zeros_like(by_day[..., :1]), by_day], axis=2)
    lags = np.arange(mornings.shape[0])[:, None]
    found: Floats = padded[:, lags, np.clip(mornings, 0, history.days)]
    return found


def contest(history: History, mixed: Floats, rules: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Return the forecast or the simple rule that beat it lately, and which one it is."""
    entrants = np.stack([mixed, *rules])
    errors = np.abs(entrants[:, :, : history.days] - history.came) * history.held
    sums = np.cumsum(errors, axis=2)
    long, short = _lost(history, sums, CONTEST), _lost(history, sums, LATELY)
    clearly = short.min(axis=0) < CLEARLY * short[0]
    winner = np.where(clearly, np.argmin(short, axis=0), np.argmin(long, axis=0))
    chosen: Floats = np.take_along_axis(entrants, winner[None], axis=0)[0]
    return chosen, winner.astype(np.int64)


def _lost(history: History, sums: Floats, days: int) -> Floats:
    """[entrant, lag, day] errors of the days before each cell's morning."""
    before = known_sums(history, sums, history.mornings - days)
    return known_sums(history, sums, history.mornings) - before
