"""The two rules that every forecast is measured against, and replaced by where they do better."""

from collections import deque

import numpy as np

from insights.forecast.history import DAYS_AHEAD, Floats, History
from insights.forecast.levels import Cells

LAST = 4  # same weekdays of the average
USUAL = 8  # same weekdays of the usual ratio


def last_four(history: History, cells: Cells) -> Floats:
    """The average of the last four same weekdays on which the service was held."""
    weekdays = history.weekdays
    averages = np.zeros((history.columns, 7))
    recent: list[deque[float]] = [deque(maxlen=LAST) for _ in range(7)]
    current = [0.0] * 7
    for day in range(history.days):
        if history.held[day]:
            covers = recent[weekdays[day]]
            covers.append(float(history.came[day]))
            current[weekdays[day]] = sum(covers) / len(covers)
        averages[day + 1] = current
    averages[history.days :] = current
    return cells.spread(averages)


def booked_times_ratio(history: History, cells: Cells) -> Floats:
    """Booked now × how many came for each cover booked by then, on the last eight same weekdays.

    Where nobody had booked by then on any of them there is no ratio, and the average stands in.
    """
    ratios = np.full((history.columns, 7, DAYS_AHEAD), np.nan)
    weekdays = history.weekdays
    recent: list[deque[int]] = [deque(maxlen=USUAL) for _ in range(7)]
    current = np.full((7, DAYS_AHEAD), np.nan)
    for day in range(history.days):
        if history.held[day]:
            days = recent[weekdays[day]]
            days.append(day)
            booked = history.booked[:, list(days)].sum(axis=1)
            came = history.came[list(days)].sum()
            current[weekdays[day]] = np.where(booked > 0, came / np.maximum(booked, 1), np.nan)
        ratios[day + 1] = current
    ratios[history.days :] = current
    usual = cells.pick(ratios)
    return np.where(np.isnan(usual), last_four(history, cells), usual * history.booked)
