"""Sums over the last services of the same weekday, as known on each cell's own morning."""

import numpy as np

from insights.forecast.history import Flags, Floats, History
from insights.forecast.levels import Cells


class WeekdayServices:
    """Services sorted by weekday, and which of them each cell looks back on.

    A cell's own are `days[first:until]`: those of its weekday that were over on its morning.
    """

    def __init__(self, history: History, cells: Cells, held: Flags) -> None:
        days = np.flatnonzero(held)
        weekdays = history.weekdays[days]
        counts = np.zeros((history.columns + 1, 7), np.int64)
        counts[days + 1, weekdays] = 1
        over = np.cumsum(counts, axis=0)[:-1]
        self.counts = over[-1]
        starts = np.cumsum(self.counts) - self.counts
        self.days = days[np.argsort(weekdays, kind="stable")]
        self.first = starts[history.weekdays]
        self.until = cells.spread(over + starts)

    def mean(self, values: Floats, number: int) -> Floats:
        """[lag, day] of the last so many, or of as many as there are; nought where none is."""
        found: Floats = self.sums(values, number) / np.clip(self.until - self.first, 1, number)
        return found

    def sums(self, values: Floats, number: int) -> Floats:
        """[lag, day] over the last so many; `values` are of each day, or of each lag and day."""
        ours = values[..., self.days]
        running = np.zeros((*ours.shape[:-1], len(self.days) + 1))
        np.cumsum(ours, axis=-1, out=running[..., 1:])
        since = np.maximum(self.until - number, self.first)
        rows = np.arange(len(since))[:, None] * (running.shape[-1] if values.ndim > 1 else 0)
        found: Floats = running.take(self.until + rows) - running.take(since + rows)
        return found
