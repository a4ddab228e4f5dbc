"""Estimates whether a service will be held at all, from past weekdays and from missing bookings."""

import numpy as np

from insights.forecast.anniversaries import open_again
from insights.forecast.combining import known_sums
from insights.forecast.history import Flags, Floats, History
from insights.forecast.levels import Cells
from insights.forecast.pace import Pace
from insights.forecast.weekdays import WeekdayServices

WEEK = 7
REMEMBERED = 8  # same weekdays
REGULARLY = 0.7  # of them; then the others were exceptions
SURELY_BOOKED = 8.0  # parties that are usually in the book by then
NEVER_EMPTY = 40  # services in a row that had two parties in the book by then


def open_share(history: History, pace: Pace, cells: Cells) -> Floats:
    """How likely the service is held, [lag, day]."""
    share = _regular(history, cells) * open_again(history)
    share = np.where(history.booked > 0, 1.0, share)
    shut = (history.parties == 0) & (pace.usual_parties * pace.level >= SURELY_BOOKED)
    shut &= _never_empty(history, cells)
    return np.where(shut, 0.0, share)


def _regular(history: History, cells: Cells) -> Floats:
    """[lag, day] the share of the last same weekdays on which it was held."""
    days = np.arange(history.days)
    last = np.maximum.accumulate(np.where(history.held, days, -WEEK))
    is_open = days - last < WEEK  # else it is on holiday
    own = WeekdayServices(history, cells, is_open)
    share = own.mean(history.held.astype(np.float64), REMEMBERED)
    return np.where(share >= REGULARLY, 1.0, share)


def _never_empty(history: History, cells: Cells) -> Flags:
    """Whether the book was never nearly empty by then on the last services, [lag, day]."""
    empty = (history.parties[:, : history.days] < 2) & history.held
    counts = np.cumsum(history.held)
    lasted = np.maximum.accumulate(np.where(empty, counts, 0), axis=1)
    held = np.concatenate([[0], counts])[np.clip(history.mornings, 0, history.days)]
    since: Floats = held - known_sums(history, lasted[None])[0]
    return since >= NEVER_EMPTY
