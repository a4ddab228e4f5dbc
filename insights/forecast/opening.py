"""Estimates whether a service will be held at all, from past weekdays and from missing bookings."""

from collections import deque

import numpy as np

from insights.forecast.anniversaries import open_again
from insights.forecast.history import DAYS_AHEAD, Flags, Floats, History
from insights.forecast.levels import Cells
from insights.forecast.pace import Pace

REMEMBERED = 8  # same weekdays
REGULARLY = 0.7  # of them; then the others were exceptions
SURELY_BOOKED = 8.0  # parties that are usually in the book by then
NEVER_EMPTY = 40  # services in a row that had two parties in the book by then


def open_share(history: History, pace: Pace, cells: Cells) -> Floats:
    """How likely the service is held, [lag, day]."""
    share = cells.spread(_regular(history)) * open_again(history)
    share = np.where(history.booked > 0, 1.0, share)
    shut = (history.parties == 0) & (pace.usual_parties * pace.level >= SURELY_BOOKED)
    shut &= _never_empty(history, cells)
    return np.where(shut, 0.0, share)


def _regular(history: History) -> Floats:
    """[morning, weekday] the share of the last same weekdays on which it was held."""
    shares = np.zeros((history.columns, 7))
    recent: list[deque[bool]] = [deque(maxlen=REMEMBERED) for _ in range(7)]
    weekdays, held = history.weekdays.tolist(), history.held.tolist()
    current, last = [0.0] * 7, -7
    for day in range(history.days):
        last = day if held[day] else last
        if day - last < 7:  # else it is on holiday
            days = recent[weekdays[day]]
            days.append(held[day])
            current[weekdays[day]] = _certain(sum(days) / len(days))
        shares[day + 1] = current
    shares[history.days :] = current
    return shares


def _certain(share: float) -> float:
    return 1.0 if share >= REGULARLY else share


def _never_empty(history: History, cells: Cells) -> Flags:
    """Whether the book was never nearly empty by then on the last services, [lag, day]."""
    empty = (history.parties[:, : history.days] < 2) & history.held
    counts = np.cumsum(history.held)
    lasted = np.where(empty, counts, 0)
    last_empty = np.concatenate(
        [np.zeros((DAYS_AHEAD, 1)), np.maximum.accumulate(lasted, axis=1)], axis=1
    )
    held = np.concatenate([[0], counts])
    mornings = np.clip(history.mornings, 0, history.days)
    since: Floats = held[mornings] - last_empty[cells.lags, mornings]
    return since >= NEVER_EMPTY
