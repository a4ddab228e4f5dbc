"""The pulse: restaurants × quarter hours, to read many restaurants at a glance."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from lib.templatetags.ui import at_least
from lib.web.addresses import opening
from reservations.day_board.pages.next_up import FEW, NextUp, next_up
from reservations.day_board.pages.now_lines import NowCell, now_cell
from reservations.service_clock import SLOT, clock
from reservations.service_day.day import ServiceDay
from reservations.service_day.sums import ServiceDaySums
from restaurants.models import Restaurant

LEVELS = 5  # tints of a cell
GAP = 90  # minutes without an arrival between two services
KEPT = 1024  # rows in each process, a few kilobytes each


class PulseCell(NamedTuple):
    """The covers of a quarter of an hour; `now` is how far the line of the present stands in it."""

    minutes: int
    covers: int
    tint: int
    now: int | None = None


class PulseRow(NamedTuple):
    """Everything that a row shows, and so its cache key."""

    url: str
    name: str
    colour: str
    clock: str  # the local time, when the local times differ
    covers: int | str  # “12+” where more may be missing, “–” for none
    bookings: int | str
    in_house: int | str
    late: int
    requests: int
    allergies: int  # tagged; the next two stand in notes
    noted: int
    maybe: int
    vips: int
    columns: tuple[int, ...]
    seated: tuple[int, ...]  # the covers of each column
    top: int  # the covers of the darkest cell of any row
    here: NowCell | None

    @property
    def urgency(self) -> int:
        return self.late + self.requests

    @property
    def cells(self) -> tuple[PulseCell, ...]:
        """Worked out when the row is drawn: one that is remembered needs none."""
        return tuple(map(self._cell, self.columns, self.seated))

    def _cell(self, minutes: int, covers: int) -> PulseCell:
        now = self.here.offset if self.here and self.here.slot == minutes else None
        return PulseCell(minutes, covers, -(-covers * LEVELS // self.top), now)


class Pulse:
    """Restaurants that need somebody first."""

    def __init__(self, evening: ServiceDay, address: QueryDict, *, by_name: bool = False) -> None:
        self.evening = evening
        self.address = address
        self.by_name = by_name

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The slots of the services, without the gaps in which nobody arrives anywhere."""
        sums = self.evening.sums.values()
        seated = {minutes for one in sums for minutes, covers in one.seated.items() if covers}
        return tuple(_without_gaps(sorted(seated)))

    @property
    def is_empty(self) -> bool:
        """Whether there is no booking, by the sums: the pulse reads no single booking."""
        return not any(sums.is_booked for sums in self.evening.sums.values())

    @property
    def labels(self) -> list[tuple[str, bool]]:
        """The label of each column, and whether to scroll there: to who comes next, anywhere."""
        here = min(self._next_columns(), default=None)
        return [(clock(minutes), minutes == here) for minutes in self.columns]

    def _next_columns(self) -> Iterator[int]:
        """For each restaurant whose day it is: the present, or where the next service begins."""
        for pk, now in self.evening.local_times.items():
            if now is None or not self.columns:
                continue
            seated = self.evening.sums[pk].seated
            to_come = self.columns[bisect_right(self.columns, now - SLOT) :]
            coming = next((slot for slot in to_come if seated.get(slot)), None)
            if coming is None:
                yield self.columns[-1]
            else:
                yield to_come[0] if coming - now < GAP else coming

    @property
    def rows(self) -> list[PulseRow]:
        sums = self.evening.sums
        rows = [self._row(one, sums[pk]) for pk, one in self.evening.restaurants.items()]
        return sorted(rows, key=lambda row: (0 if self.by_name else -row.urgency, row.name.lower()))

    @property
    def html(self) -> SafeString:
        language = get_language()
        return format_html_join("", "{}", ((_draw(row, language),) for row in self.rows))

    @cached_property
    def _unread(self) -> set[int]:
        return {restaurant.pk for restaurant in self.evening.missing.places}

    def _row(self, restaurant: Restaurant, sums: ServiceDaySums) -> PulseRow:
        number = at_least if restaurant.pk in self._unread else int
        return PulseRow(
            url=f"{self._link}{restaurant.uuid}",
            name=restaurant.name,
            colour=restaurant.colour,
            clock=self._clock(restaurant),
            covers=number(sums.covers),
            bookings=number(sums.bookings),
            in_house=number(sums.in_house),
            late=sums.late,
            requests=sums.requests,
            allergies=sums.allergies,
            noted=self.evening.noted.stated[restaurant.pk],
            maybe=self.evening.noted.maybe[restaurant.pk],
            vips=sums.vips,
            columns=self.columns,
            seated=tuple([sums.seated.get(minutes, 0) for minutes in self.columns]),
            top=self._top,
            here=now_cell(self.columns, self.evening.local_times[restaurant.pk]),
        )

    @cached_property
    def next_up(self) -> list[NextUp]:
        """Of a few restaurants, while guests are to come. One query, for the bookings."""
        places = self.evening.restaurants.values()
        if len(places) > FEW or self.is_empty or self.evening.is_over:
            return []
        link = self._link_to("list")
        found = [
            next_up(self.evening, one, f"{link}{one.uuid}", self._clock(one)) for one in places
        ]
        return sorted(
            found, key=lambda place: (() if self.by_name else place.calm, place.name.lower())
        )

    @cached_property
    def _link(self) -> str:
        """The link to the arrivals of a restaurant, whose uuid is appended."""
        return self._link_to("arrivals")

    def _link_to(self, zoom: str) -> str:
        address = self.address.copy()
        address["zoom"] = zoom
        address.pop("sort", None)
        return opening(address, "scope")

    def _clock(self, restaurant: Restaurant) -> str:
        now = self.evening.local_times[restaurant.pk]
        return clock(now) if self.evening.spans_zones and now is not None else ""

    @cached_property
    def _top(self) -> int:
        """The fullest quarter of an hour of any restaurant."""
        covers = (max(one.seated.values(), default=0) for one in self.evening.sums.values())
        return max(covers, default=0) or 1


def _without_gaps(seated: Iterable[int]) -> Iterator[int]:
    """Every slot from the first to the last of a run with arrivals."""
    before = None
    for minutes in seated:
        if before is not None and minutes - before < GAP:
            yield from range(before + SLOT, minutes, SLOT)
        yield minutes
        before = minutes


@lru_cache(maxsize=KEPT)
def _draw(row: PulseRow, _language: str | None) -> SafeString:
    return render_to_string("reservations/_pulse_row.html", {"row": row})
