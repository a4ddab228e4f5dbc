"""Booking pace: how many had booked as long before on past days, and how this day differs."""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from insights.forecast.history import Floats, History, Ints
from insights.forecast.levels import Cells
from insights.forecast.weekdays import WeekdayServices

OVERALL, BY_WEEKDAY = 0.015, 0.025  # how much one service moves the usual pace
WARM_UP = 14  # days before a pace is learnt
CAP = 4.0
FAR = 3.0
LEAST_BOOKED = 0.05  # of the level, for a ratio to mean something
FULL_LATELY, FULLEST = 40, 3  # services held, and how many of them tell what a full one takes
NOT_FULL = 20  # services before anything is taken for full
LOOK_AROUND = 14  # coming days that tell whether all of them fill faster than usual


@dataclass(frozen=True)
class Pace:
    """Shares of the expected covers, [lag, day]."""

    level: Floats  # what they are shares of
    usual: Floats  # booked by then
    usual_parties: Floats
    pickup: Floats  # still to come, cancellations, no-shows and walk-ins included
    ahead: Floats  # booked beyond usual
    parties_ahead: Floats

    def added(self, history: History) -> Floats:
        """Booked, and as much as usually still comes."""
        return np.maximum(history.booked + self.pickup * self.level, 0.0)

    def multiplied(self, history: History) -> Floats:
        """Booked, times how many usually come for each cover booked by then."""
        times = np.maximum(self.usual + self.pickup, 0.0) / np.maximum(self.usual, LEAST_BOOKED)
        return history.booked * times


def pace_of(history: History, level: Floats, cells: Cells) -> Pace:
    level = np.maximum(level, 1.0)
    shares = _shares(history, level)
    usual, pickup, parties = _learn(history, cells, shares)
    return Pace(
        level=level,
        usual=usual,
        usual_parties=parties,
        pickup=pickup,
        ahead=np.clip(history.booked / level - usual, -FAR, FAR),
        parties_ahead=np.clip(history.made / level - parties, -FAR, FAR),
    )


def _shares(history: History, level: Floats) -> Floats:
    """[what, lag, day]: booked, still to come, and parties booked, against the level."""
    past = slice(0, history.days)
    booked, parties = history.booked[:, past], history.made[:, past]
    to_come = (history.came - booked) / level[:, past]
    shares = np.stack([booked / level[:, past], to_come, parties / level[:, past]])
    return np.clip(shares, -1.0, CAP)


def _learn(history: History, cells: Cells, shares: Floats) -> Floats:
    """[what, lag, day] as learnt from the services before each cell's morning.

    A weekday begins with the profile of all days and then goes its own way.
    """
    learnt = history.held & (np.arange(history.days) >= WARM_UP)
    own = WeekdayServices(history, cells, learnt)
    by_day = np.ascontiguousarray(np.moveaxis(shares, 2, 0))
    overall = np.zeros_like(by_day)
    overall[learnt] = _running_means(by_day[learnt], _steps(OVERALL, int(learnt.sum()), after=1))
    profiles = [np.zeros((0, *by_day.shape[1:]))]
    for days in np.split(own.days, np.cumsum(own.counts)[:-1]):
        steps = _steps(BY_WEEKDAY, len(days), after=4)
        followed = _running_means(by_day[days], steps, start=overall[days[:1]])
        profiles += [np.zeros_like(by_day[:1]), followed]
    # The nought before each weekday's profiles moves them by one place for each weekday.
    return _picked(np.concatenate(profiles), own.until + history.weekdays)


def _picked(profiles: Floats, places: Ints) -> Floats:
    """[service, what, lag] → [what, lag, day]."""
    _services, kinds, lags = profiles.shape
    flat = places * (kinds * lags) + np.arange(lags)[:, None]
    return np.stack([profiles.ravel().take(flat + what * lags) for what in range(kinds)])


def _steps(least: float, number: int, *, after: int) -> Floats:
    """How much each service moves a mean: less and less, until it is `least`."""
    steps: Floats = np.maximum(least, 1 / (np.arange(number) + after))
    return steps


def _running_means(values: Floats, steps: Floats, start: Floats | None = None) -> Floats:
    """[service, …] means that move by a step towards each value, from `start` or the first."""
    if not len(values):
        return values
    if start is None:
        first, rest = values[:1], _running_means(values[1:], steps[1:], start=values[:1])
        return np.concatenate([first, rest])
    kept = np.cumprod(1 - steps)[:, None, None]
    pulls: Floats = np.cumsum(values * (steps[:, None, None] / kept), axis=0)
    return kept * (start + pulls)


def around(history: History, pace: Pace) -> Floats:
    """Return how far the other days of the next two weeks are ahead on the same morning."""
    by_morning = np.zeros(history.columns)
    for lag in range(LOOK_AROUND):
        by_morning[: history.columns - lag] += pace.ahead[lag, lag:]
    others: Floats = by_morning[np.clip(history.mornings, 0, None)]
    others[:LOOK_AROUND] -= pace.ahead[:LOOK_AROUND]
    return others / LOOK_AROUND


def capacity_of(history: History) -> Floats:
    """[morning] how many a full service takes: what is booked earlier than usual is not more.

    The mean of the fullest services of late; without a limit at first.
    """
    days = np.flatnonzero(history.held)
    padded = np.concatenate([np.zeros(FULL_LATELY), history.came[days]])
    ranked = np.partition(sliding_window_view(padded, FULL_LATELY), -FULLEST, axis=1)
    fullest = ranked[:, -FULLEST:].mean(axis=1)
    fullest[:NOT_FULL] = np.inf
    found: Floats = fullest[np.searchsorted(days, np.arange(history.columns))]
    return found
