"""Stays: which parties are in house when, as bars in packed rows, without tables.

The length of a stay is not known in advance, so a bar has two parts that look different: the
observed one and the assumed one.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cached_property
from math import inf
from typing import NamedTuple
from uuid import UUID

from mirror.models import Change
from reservations.day_board.pages import cards
from reservations.day_board.pages.cards import CardContext
from reservations.day_board.pages.stay_lengths import LengthLine, lengths_of
from reservations.learnt_stays.marks import FROM_EARLY, GONE, HERE, TO_LATE
from reservations.phases import COMING_OR_CAME, IN_HOUSE, STILL_TO_COME
from reservations.service_clock import UNIT, clock, minutes_on
from reservations.service_day.bookings import BoardBooking, Stay
from reservations.service_day.day import ServiceDay
from restaurants.models import Restaurant

MOST = 60  # bookings, beyond which the picture is unreadable
PARTY = 5  # the size from which a party is always shown in a crowd
LAST_SIP = 15  # minutes that somebody with a bill is assumed to stay
LABEL = 75  # minutes that are as wide as a name with its marks (`stays.css`)
BEFORE = 60  # minutes before now at which the picture opens


class ObservedStay(NamedTuple):
    """The minutes at which a party was first recorded in house, and as having left."""

    came: int | None = None
    left: int | None = None


class StayCell(NamedTuple):
    """A block, or the gap beside one; `now` is where the line of the present crosses it."""

    span: int
    html: str = ""
    now: int | None = None
    is_start: bool = False  # where the picture opens

    @property
    def width(self) -> int:
        return self.span * UNIT


class Strip(NamedTuple):
    """The rows of one restaurant; `now` and `hours` are its own if its clock differs."""

    name: str
    covers: int
    rows: list[list[StayCell]]
    head: StayCell
    hours: list[StayCell]
    now: str


class Stays:
    """One query more than the board: the recorded arrivals."""

    def __init__(
        self, evening: ServiceDay, picked: list[BoardBooking], *, limits_crowd: bool
    ) -> None:
        self.evening = evening
        self.all = [one for one in picked if one.phase.key in COMING_OR_CAME]
        self.is_limited = limits_crowd and len(self.all) > MOST
        self.bookings = self._most_relevant() if self.is_limited else self.all

    def _most_relevant(self) -> list[BoardBooking]:
        """Parties in house, expected within the hour, or large and not gone."""
        return [
            one
            for one in self.all
            if one.phase.key in IN_HOUSE or self.evening.is_soon(one) or self._is_large(one)
        ]

    def _is_large(self, booking: BoardBooking) -> bool:
        has_gone = booking.phase.key == "left" and self.evening.is_running
        return (booking.party_size or 0) >= PARTY and not has_gone

    @cached_property
    def blocks(self) -> list[tuple[BoardBooking, Stay]]:
        """The bookings with their stays. One query."""
        seen = observed_stays(self.bookings, self.evening)
        return [(one, stay_of(one, self.evening, seen=seen[one.uuid])) for one in self.bookings]

    @property
    def lengths(self) -> list[LengthLine]:
        return lengths_of(self.evening, self.all)

    @cached_property
    def ahead(self) -> dict[int, int]:
        """The minutes by which each clock is ahead of the earliest.

        So now is at the same place for every restaurant, and each has its own hours. On a day that
        is running nowhere all share the hours.
        """
        of = {booking.restaurant.pk for booking, _stay in self.blocks}
        if not self.evening.is_running:
            return dict.fromkeys(of, 0)
        clocks = {pk: self.evening.minutes_now(self.evening.restaurants[pk]) for pk in of}
        return {pk: minutes - min(clocks.values()) for pk, minutes in clocks.items()}

    @property
    def has_own_hours(self) -> bool:
        return any(self.ahead.values())

    @cached_property
    def first(self) -> int:
        """The earliest hour that is drawn, by the earliest clock."""
        return (
            min(stay.start - self.ahead[row.restaurant.pk] for row, stay in self.blocks) // 60 * 60
        )

    @cached_property
    def units(self) -> int:
        ends = (label_end(stay) - self.ahead[row.restaurant.pk] for row, stay in self.blocks)
        return -(-(max(ends) - self.first) // 60) * 60 // UNIT

    @property
    def columns(self) -> range:
        return range(self.units)

    @property
    def now(self) -> str | None:
        """The local time that all restaurants share; where they differ each strip names its own."""
        minutes = self.evening.now_minutes
        return None if minutes is None else clock(minutes)

    @property
    def head(self) -> list[StayCell]:
        """The hours that all restaurants share, with the line if they share the clock."""
        return [] if self.has_own_hours else self._hours(self.first, self.evening.now_minutes)

    def _hours(self, start: int, now: int | None) -> list[StayCell]:
        """The hours of a clock from a local minute on; the picture opens at the one before now."""
        cells = place_cells(hour_cells(start, start + self.units * UNIT), start, now)
        if now is None:
            return cells
        opening = max(0, (now - BEFORE - start) // 60)
        return [cell._replace(is_start=at == opening) for at, cell in enumerate(cells)]

    @property
    def strips(self) -> list[Strip]:
        of: dict[int, list[tuple[BoardBooking, Stay]]] = {pk: [] for pk in self.evening.restaurants}
        for booking, stay in self.blocks:
            of[booking.restaurant.pk].append((booking, stay))
        order = sorted(of, key=lambda pk: self._minutes_until(of[pk], self.evening.local_times[pk]))
        return [self._strip(self.evening.restaurants[pk], of[pk]) for pk in order]

    @staticmethod
    def _minutes_until(blocks: list[tuple[BoardBooking, Stay]], now: int | None) -> float:
        """0 while a party is in house, else until the next arrives: by name alone, the picture of a
        chain opened with those who sleep. Equal ones stay as they were."""
        if now is None:
            return inf
        return min(
            (
                0 if row.phase.key in IN_HOUSE else max(0, stay.start - now)
                for row, stay in blocks
                if row.phase.key in IN_HOUSE
                or (row.phase.key in STILL_TO_COME and stay.start + stay.length > now)
            ),
            default=inf,
        )

    def _strip(self, restaurant: Restaurant, blocks: list[tuple[BoardBooking, Stay]]) -> Strip:
        covers = sum(booking.party_size or 0 for booking, _stay in blocks)
        now = self.evening.local_times[restaurant.pk]
        first = self.first + self.ahead.get(restaurant.pk, 0)
        rows = [place_cells(self._row(row, first), first, now) for row in pack(blocks)]
        (head,) = place_cells([("", self.units)], first, now)
        hours = self._hours(first, now) if self.has_own_hours else []
        is_own = now is not None and self.evening.now_minutes is None
        own_time = clock(now) if now and is_own else ""
        return Strip(restaurant.name, covers, rows, head, hours, own_time)

    def _row(
        self, blocks: list[tuple[BoardBooking, Stay]], first: int
    ) -> Iterator[tuple[str, int]]:
        """The HTML and the units of each block and of the gaps."""
        end = first
        for booking, stay in blocks:
            yield "", (stay.start - end) // UNIT
            yield cards.draw(booking, CardContext("stays", stay=stay)), stay.span
            end = stay.start + stay.length
        yield "", self.units - (end - first) // UNIT


def hour_cells(start: int, end: int) -> Iterator[tuple[str, int]]:
    """The hours of a clock and their units; what is left of a broken one has no label."""
    while start < end:
        until = min(end, start // 60 * 60 + 60)
        yield "" if start % 60 else clock(start), (until - start) // UNIT
        start = until


def place_cells(cells: Iterable[tuple[str, int]], start: int, now: int | None) -> list[StayCell]:
    """The cells that have a width, and the line in the one that now is within."""
    placed = []
    for html, span in cells:
        end = start + span * UNIT
        here = now - start if now is not None and start <= now < end else None
        if span:
            placed.append(StayCell(span, html, here))
        start = end
    return placed


def pack(blocks: Iterable[tuple[BoardBooking, Stay]]) -> list[list[tuple[BoardBooking, Stay]]]:
    """Put each block into the first row with space for it and the one before. Deterministic."""
    rows: list[list[tuple[BoardBooking, Stay]]] = []
    for booking, stay in sorted(blocks, key=lambda block: (block[1].start, block[0].uuid)):
        free = (row for row in rows if label_end(row[-1][1]) <= stay.start)
        row = next(free, None)
        if row is None:
            rows.append([(booking, stay)])
        else:
            row.append((booking, stay))
    return rows


def label_end(stay: Stay) -> int:
    """Where the bar ends, or the name that is wider than its bar."""
    return stay.start + max(stay.length, LABEL)


def stay_of(booking: BoardBooking, evening: ServiceDay, *, seen: ObservedStay) -> Stay:
    """From the booked time to the assumed end; longer for those who are still there."""
    start = booking.minutes
    came = start if seen.came is None else seen.came
    end = came + evening.stay_minutes(booking)
    now = evening.local_times[booking.restaurant.pk]
    is_here = booking.phase.key in IN_HOUSE and now is not None and now >= start
    seen_to, over = came, 0
    if is_here and now is not None:
        end = min(end, now + LAST_SIP) if booking.phase.key == "bill" else end
        seen_to, over = now, max(0, now - end)
    elif booking.phase.key == "left" and seen.left is not None:
        seen_to = end = max(seen.left, start + UNIT)
    elif booking.phase.key == "left" and now is not None:
        end = min(end, max(now, start + UNIT))
    return Stay(_down(start), _up(max(end, seen_to)), max(start, _down(came)), seen_to, over)


def observed_stays(
    bookings: Iterable[BoardBooking], evening: ServiceDay
) -> dict[UUID, ObservedStay]:
    """When each booking was first recorded in house, and as having left. One query."""
    by_uuid = {booking.uuid: booking for booking in bookings}
    seen = dict.fromkeys(by_uuid, ObservedStay())
    rows = Change.objects.filter(
        kind="reservation", uuid__in=by_uuid, field="meal_status", after__in=HERE + GONE
    )
    for uuid, word, at in rows.order_by("seen_at").values_list("uuid", "after", "seen_at"):
        minutes = _local_time(at, by_uuid[uuid], evening)
        if minutes is None:
            continue
        if word in GONE:
            seen[uuid] = seen[uuid]._replace(left=minutes)
        elif seen[uuid].came is None:
            seen[uuid] = seen[uuid]._replace(came=minutes)
    return seen


def _local_time(at: datetime, booking: BoardBooking, evening: ServiceDay) -> int | None:
    """The local minute, unless the change was recorded by a backfill on another day."""
    restaurant = evening.restaurants[booking.restaurant.pk]
    minutes = minutes_on(restaurant.local(at), evening.day)
    return minutes if FROM_EARLY <= minutes - booking.minutes <= TO_LATE else None


def _down(minutes: int) -> int:
    return minutes - minutes % UNIT


def _up(minutes: int) -> int:
    return _down(minutes + UNIT - 1)
