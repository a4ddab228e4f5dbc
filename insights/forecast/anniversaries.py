"""Days that were unusual a year ago: holidays, as far as the history shows them."""

from datetime import date
from functools import lru_cache

import numpy as np

from insights.forecast.history import Floats, History, Ints
from insights.forecast.pace import Pace

USUALLY = 0.2  # by which share of itself the level is wrong, until that is known
TIMES = 3.0  # of that, from which on a day stands out
MEMORY = 0.03  # how much one service moves what is usual
NOT_BEFORE = 28  # days, until when nobody knows what is usual
LARGE, AROUND, ALONE = 0.25, 3, 2  # with more large ones so near it was a promotion, no holiday
MOST = 1.5
HALF = 0.5


def stood_out(history: History, pace: Pace) -> Floats:
    """Return by which share the same date of last year was above or below its level.

    [lag, day]; what is booked already shows it by itself.
    """
    shares = _last_year(history, _surprises(history, pace.level[0, : history.days]))
    to_come: Floats = shares * np.clip(pace.pickup, 0.0, 1.0)
    return to_come


def open_again(history: History) -> Floats:
    """Return how likely the service is held on a date on which it was closed last year."""
    weekdays = history.weekdays[: history.days]
    shut = np.zeros(history.days)
    for weekday in range(7):
        own = np.flatnonzero(weekdays == weekday)
        held = np.pad(history.held[own].astype(np.float64), 2)
        near = held[:-4] + held[1:-3] + held[3:-1] + held[4:]  # two weeks before, two after
        shut[own] = ~history.held[own] & (near == 4)
    return np.where(_last_year(history, shut) > 0, HALF, 1.0)


def _surprises(history: History, level: Floats) -> Floats:
    """Shares of the level by which days stood out; nearly nought for those that hardly did."""
    known = history.held & (np.arange(history.days) >= NOT_BEFORE)
    strayed = np.where(known, history.came / level - 1, 0.0)
    usual, usually = USUALLY, np.ones(history.days)
    for day in np.flatnonzero(known).tolist():
        usually[day] = usual
        usual += MEMORY * (min(abs(strayed[day]), 1.0) - usual)
    size = (strayed / (TIMES * usually)) ** 4
    out = np.clip(strayed, -1.0, MOST) * size / (size + 1)
    near = np.convolve(np.abs(out) > LARGE, np.ones(2 * AROUND + 1))[AROUND : AROUND + len(out)]
    return np.where(near <= ALONE, out, 0.0)


def _year_ago(history: History) -> Ints:
    """The column of the same date of last year; negative if the history does not reach so far."""
    return np.array(
        [_before(history.first + day) - history.first for day in range(history.columns)]
    )


@lru_cache(4 * 366)
def _before(ordinal: int) -> int:
    day = date.fromordinal(ordinal)
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year - 1, day=28 if leap else day.day).toordinal()


def _last_year(history: History, by_day: Floats) -> Floats:
    """[day] what the same date of last year had; nought where there is none."""
    ago = _year_ago(history)
    found: Floats = np.where(ago >= 0, by_day[np.clip(ago, 0, history.days - 1)], 0.0)
    return found
