"""Booking pace: how many had booked as long before on past days, and how this day differs."""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from insights.forecast.history import DAYS_AHEAD, Floats, History
from insights.forecast.levels import Cells

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


@dataclass
class Learnt:
    """A profile over the lags, of all days and of each weekday."""

    overall: Floats
    seen: int = 0

    def __post_init__(self) -> None:
        self.by_weekday = np.tile(self.overall, (7, 1, 1))
        self.counts = [0] * 7

    def add(self, weekday: int, shares: Floats) -> None:
        self.overall += max(OVERALL, 1 / (self.seen + 1)) * (shares - self.overall)
        if not self.counts[weekday]:
            self.by_weekday[weekday] = self.overall
        step = max(BY_WEEKDAY, 1 / (self.counts[weekday] + 4))
        self.by_weekday[weekday] += step * (shares - self.by_weekday[weekday])
        self.counts[weekday] += 1
        self.seen += 1


def pace_of(history: History, level: Floats, cells: Cells) -> Pace:
    level = np.maximum(level, 1.0)
    shares = _shares(history, level)
    usual, pickup, parties = (cells.pick(profile) for profile in _learn(history, shares))
    return Pace(
        level=level,
        usual=usual,
        usual_parties=parties,
        pickup=pickup,
        ahead=np.clip(history.booked / level - usual, -FAR, FAR),
        parties_ahead=np.clip(history.parties / level - parties, -FAR, FAR),
    )


def _shares(history: History, level: Floats) -> Floats:
    """[what, lag, day]: booked, still to come, and parties booked, against the level."""
    past = slice(0, history.days)
    booked, parties = history.booked[:, past], history.parties[:, past]
    to_come = (history.came - booked) / level[:, past]
    shares = np.stack([booked / level[:, past], to_come, parties / level[:, past]])
    return np.clip(shares, -1.0, CAP)


def _learn(history: History, shares: Floats) -> Floats:
    """[what, morning, weekday, lag] as learnt from the days before each morning."""
    learnt = Learnt(np.zeros((3, DAYS_AHEAD)))
    profiles = np.zeros((history.columns, 7, 3, DAYS_AHEAD))
    weekdays = history.weekdays
    for day in range(history.days):
        if history.held[day] and day >= WARM_UP:
            learnt.add(int(weekdays[day]), shares[:, :, day])
        profiles[day + 1] = learnt.by_weekday
    profiles[history.days :] = learnt.by_weekday
    return np.moveaxis(profiles, 2, 0)


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
