"""What was known when: final covers by day, and booked covers by day and days before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from insights.forecast import DAYS_AHEAD

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

NEVER = 4_000_000  # a day far beyond all others, as an ordinal
CONFIRMED = ("RECORDED", "NO_SHOW")


@dataclass(frozen=True)
class Bookings:
    """All bookings of one service of one restaurant, a column each; days are `date.toordinal()`.

    A day begins when the restaurant's service day begins. `created` and `cancelled` are the
    service days within which that happened; `NEVER` where it did not or nobody knows. A
    cancellation at an unknown moment counts as booked until its meal, so give the last change of
    the row where nothing better is known. Requests that were never confirmed are left out by
    whoever makes this.
    """

    day: Ints
    created: Ints
    cancelled: Ints
    covers: Ints
    came: Flags
    confirmed: Flags  # came or should have: the service was held

    def __len__(self) -> int:
        return len(self.day)

    def known_on(self, today: int) -> "Bookings":
        """What the books showed on the morning of a day: later bookings and outcomes are gone."""
        known = (self.created < today) | (self.day < today)
        over = self.day[known] < today
        cancelled = self.cancelled[known]
        return Bookings(
            day=self.day[known],
            created=self.created[known],
            cancelled=np.where(over | (cancelled < today), cancelled, NEVER),
            covers=self.covers[known],
            came=self.came[known] & over,
            confirmed=self.confirmed[known] & over,
        )


@dataclass(frozen=True)
class PastBooking:
    """One row, as the copy's own rows or a file give it."""

    day: int
    created: int
    cancelled: int
    covers: int
    status: str


def bookings_of(rows: Sequence[PastBooking]) -> Bookings:
    return Bookings(
        day=np.array([row.day for row in rows], np.int64),
        created=np.array([row.created for row in rows], np.int64),
        cancelled=np.array([row.cancelled for row in rows], np.int64),
        covers=np.array([row.covers for row in rows], np.int64),
        came=np.array([row.status == "RECORDED" for row in rows], np.bool_),
        confirmed=np.array([row.status in CONFIRMED for row in rows], np.bool_),
    )


@dataclass(frozen=True)
class History:
    """One service from its first day to 28 days beyond today, as it is known this morning."""

    first: int  # ordinal of the first column
    days: int  # columns that are over; the day of the next one is today
    came: Floats  # [day]
    missed: Floats  # [day] covers of no-shows
    held: Flags  # [day], whether the service took place
    booked: Floats  # [lag, day] covers on the books
    parties: Floats  # [lag, day]
    made: Floats  # [lag, day] parties booked by then, whether cancelled since or not

    @property
    def columns(self) -> int:
        return self.days + DAYS_AHEAD

    @property
    def today(self) -> date:
        return date.fromordinal(self.first) + timedelta(days=self.days)

    @cached_property
    def weekdays(self) -> Ints:
        return (np.arange(self.columns) + self.first - 1) % 7  # ordinal 1 was a Monday

    @cached_property
    def mornings(self) -> Ints:
        """[lag, day] the column of the morning on which the cell was known; before 0 is none."""
        return np.arange(self.columns) - np.arange(DAYS_AHEAD)[:, None]


def history_of(bookings: Bookings, *, first: int, today: int) -> History:
    known = bookings.known_on(today)
    days = today - first
    wanted = (known.day >= first) & (known.day < today + DAYS_AHEAD)
    column = known.day[wanted] - first
    covers = known.covers[wanted].astype(np.float64)
    came, held = known.came[wanted], known.confirmed[wanted]
    lags = _lags(known, wanted)
    ones = np.ones_like(covers)
    width = days + DAYS_AHEAD
    return History(
        first=first,
        days=days,
        came=_sums(column, covers * came, width)[:days],
        missed=_sums(column, covers * (held & ~came), width)[:days],
        held=_sums(column, held, width)[:days] > 0,
        booked=_standing(column, *lags, covers, width),
        parties=_standing(column, *lags, ones, width),
        made=_standing(column, np.zeros_like(lags[0]), lags[1], ones, width),
    )


def _lags(known: Bookings, wanted: Flags) -> tuple[Ints, Ints]:
    """From how many days before to how many days before each booking stood in the books."""
    day = known.day[wanted]
    first = np.clip(day - known.cancelled[wanted], 0, DAYS_AHEAD)
    last = np.clip(day - known.created[wanted], 0, DAYS_AHEAD)  # one past it
    return first, np.maximum(first, last)


def _standing(column: Ints, first: Ints, last: Ints, amounts: Floats, width: int) -> Floats:
    """[lag, day] sums of what stood: added where a booking begins, taken off where it ends."""
    size = (DAYS_AHEAD + 1) * width
    steps = _sums(first * width + column, amounts, size)
    steps -= _sums(last * width + column, amounts, size)
    table: Floats = np.cumsum(steps.reshape(DAYS_AHEAD + 1, width), axis=0)[:DAYS_AHEAD]
    return table


def _sums(places: Ints, amounts: Floats | Flags, size: int) -> Floats:
    sums: Floats = np.bincount(places, amounts, size).astype(np.float64)
    return sums
