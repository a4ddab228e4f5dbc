"""Two simple rules. Every forecast is compared with them, and replaced by one that does better."""

import numpy as np

from insights.forecast.history import Floats, History
from insights.forecast.levels import Cells

LAST = 4  # same weekdays of the average
USUAL = 8  # same weekdays of the usual ratio


def last_four(history: History, cells: Cells) -> Floats:
    """The average of the last four same weekdays on which the service was held."""
    came = np.broadcast_to(history.came, (len(cells.mornings), history.days))
    sums, counts = _of_weekdays(history, cells, came, LAST)
    return sums / np.maximum(counts, 1)


def booked_times_ratio(history: History, cells: Cells, average: Floats) -> Floats:
    """Booked now × how many came for each cover booked by then, on the last eight same weekdays.

    Where nobody had booked by then on any of them there is no ratio, and the average stands in.
    """
    came = np.broadcast_to(history.came, (len(cells.mornings), history.days))
    covers, _ = _of_weekdays(history, cells, came, USUAL)
    booked, _ = _of_weekdays(history, cells, history.booked[:, : history.days], USUAL)
    usual = history.booked * covers / np.maximum(booked, 1)
    return np.where(booked > 0, usual, average)


def _of_weekdays(
    history: History, cells: Cells, values: Floats, number: int
) -> tuple[Floats, Floats]:
    """Sums over the last same weekdays held before each cell's morning, and how many they were."""
    sums, counts = np.zeros(cells.mornings.shape), np.zeros(cells.mornings.shape)
    weekdays = history.weekdays
    lags = np.arange(len(values))[:, None]
    for weekday in range(7):
        days = np.flatnonzero(history.held & (weekdays[: history.days] == weekday))
        columns = weekdays == weekday
        until = np.searchsorted(days, cells.mornings[:, columns])
        since = np.maximum(until - number, 0)
        running = np.pad(np.cumsum(values[:, days], axis=1), ((0, 0), (1, 0)))
        sums[:, columns] = running[lags, until] - running[lags, since]
        counts[:, columns] = until - since
    return sums, counts
