"""Two simple rules. Every forecast is compared with them, and replaced by one that does better."""

import numpy as np

from insights.forecast.history import Floats, History
from insights.forecast.weekdays import WeekdayServices

LAST = 4  # same weekdays of the average
USUAL = 8  # same weekdays of the usual ratio


def last_four(history: History, own: WeekdayServices) -> Floats:
    """The average of the last four same weekdays on which the service was held."""
    return own.mean(history.came, LAST)


def booked_times_ratio(history: History, own: WeekdayServices, average: Floats) -> Floats:
    """Booked now × how many came for each cover booked by then, on the last eight same weekdays.

    Where nobody had booked by then on any of them there is no ratio, and the average stands in.
    """
    covers = own.sums(history.came, USUAL)
    booked = own.sums(history.booked, USUAL)
    usual = history.booked * covers / np.maximum(booked, 1)
    return np.where(booked > 0, usual, average)
