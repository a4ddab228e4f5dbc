"""Expected no-shows: covers of a service that will be booked and not come, from like services.

A number of the service. Nothing is known here of who missed a booking before.
"""

from dataclasses import dataclass

import numpy as np

from insights.forecast.history import Floats, History
from insights.forecast.levels import Cells

WINDOW = 182  # days that are looked at
MOST = 2.0  # missed for each that came
FIRM = 300.0  # covers for which the share of all weekdays counts, beside the weekday's own


@dataclass(frozen=True)
class NoShows:
    """Covers of the window before each morning, by weekday: [morning, weekday]."""

    missed: Floats
    came: Floats

    @property
    def share(self) -> Floats:
        """Missed for each that came, pulled towards all weekdays where little was seen."""
        every = self.missed.sum(axis=1) / np.maximum(self.came.sum(axis=1), 1.0)
        found: Floats = (self.missed + FIRM * every[:, None]) / (self.came + FIRM)
        return found

    def expected(self, covers: Floats, cells: Cells) -> Floats:
        """[lag, day] beside the covers that are expected to come."""
        missed: Floats = covers * np.minimum(cells.spread(self.share), MOST)
        return missed


def no_shows_of(history: History) -> NoShows:
    """As known on each morning."""
    return NoShows(
        missed=_lately(history, history.missed),
        came=_lately(history, history.came),
    )


def _lately(history: History, covers: Floats) -> Floats:
    """[morning, weekday] sums over the days of the window before it."""
    days = np.arange(history.days)
    by_weekday = np.zeros((history.columns + 1, 7))
    by_weekday[days + 1, history.weekdays[: history.days]] = covers
    running = np.cumsum(by_weekday, axis=0)[:-1]
    before = np.maximum(np.arange(history.columns) - WINDOW, 0)
    found: Floats = running - running[before]
    return found
