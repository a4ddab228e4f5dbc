"""The line of the present time on the boards, at the local time of each restaurant."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reservations.service_clock import SLOT, UNIT, clock
from reservations.service_day.day import ServiceDay


class NowLine(NamedTuple):
    """A local time, and the restaurants whose time it is; none are named when all share it."""

    minutes: int
    places: tuple[str, ...] = ()

    @property
    def time(self) -> str:
        return clock(self.minutes)


def now_lines(evening: ServiceDay, ids: Iterable[int] | None = None) -> list[NowLine]:
    """One line for each clock of these restaurants on which the service day is running."""
    places: dict[int, list[str]] = {}
    for pk in evening.restaurants if ids is None else ids:
        minutes = evening.local_times[pk]
        if minutes is not None:
            places.setdefault(minutes, []).append(evening.restaurants[pk].label)
    if evening.now_minutes is not None:
        return [NowLine(minutes) for minutes in places]
    return [NowLine(minutes, tuple(places[minutes])) for minutes in sorted(places)]


class NowCell(NamedTuple):
    """A quarter of an hour, and how far into it the line stands: 0, 5 or 10, at its end 15."""

    slot: int
    offset: int


def now_cell(columns: Sequence[int], now: int | None) -> NowCell | None:
    """Where the line crosses a row of these quarters of an hour: between two if none is running."""
    if now is None or not columns:
        return None
    begun = bisect_right(columns, now)
    if begun and now < columns[begun - 1] + SLOT:
        return NowCell(columns[begun - 1], (now - columns[begun - 1]) // UNIT * UNIT)
    return NowCell(columns[begun], 0) if begun < len(columns) else NowCell(columns[-1], SLOT)
