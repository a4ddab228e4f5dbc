"""Restaurants by quarter of an hour: one look replaces twenty switches."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from reservations.evening import Evening, Lump, Slot
from reservations.phases import IN_HOUSE
from reservations.wall import SLOT, clock, slot_of
from restaurants.models import Restaurant

LEVELS = 5  # tints of a cell
GAP = 90  # minutes without an arrival between two services
KEPT = 1024  # rows in each process, a few kilobytes each


class Row(NamedTuple):
    """Everything a row shows. It is drawn once for the same facts, as cards are."""

    url: str
    name: str
    colour: str
    clock: str  # the time on that wall, when the walls differ
    covers: int
    bookings: int
    in_house: int
    late: int
    requests: int
    allergies: int
    vips: int
    cells: tuple[tuple[int, int, int], ...]  # minutes, covers, tint

    @property
    def urgency(self) -> int:
        return self.late + self.requests


class Pulse:
    """Those that need somebody stand first."""

    def __init__(self, evening: Evening, address: QueryDict, *, by_name: bool = False) -> None:
        self.evening = evening
        self.address = address
        self.by_name = by_name

    @cached_property
    def columns(self) -> list[int]:
        return list(_without_gaps(self.evening.slots))

    @property
    def labels(self) -> list[str]:
        return [clock(minutes) for minutes in self.columns]

    @property
    def rows(self) -> list[Row]:
        lumps: dict[int, list[Lump]] = defaultdict(list)
        for lump in self.evening.lumps:
            lumps[lump.restaurant_id].append(lump)
        rows = [self._row(one, lumps[pk]) for pk, one in self.evening.restaurants.items()]
        return sorted(rows, key=lambda row: (0 if self.by_name else -row.urgency, row.name.lower()))

    @property
    def html(self) -> SafeString:
        return format_html_join("", "{}", ((_draw(row),) for row in self.rows))

    def _row(self, restaurant: Restaurant, lumps: list[Lump]) -> Row:
        counted = [lump for lump in lumps if lump.counts]
        covers = _covers_by_slot(counted)
        return Row(
            url=self._url(restaurant),
            name=restaurant.name,
            colour=restaurant.colour,
            clock=self._clock(restaurant),
            covers=sum(covers.values()),
            bookings=sum(lump.bookings for lump in counted),
            in_house=sum(lump.covers for lump in counted if lump.phase.key in IN_HOUSE),
            late=sum(lump.bookings for lump in lumps if lump.phase.key == "late"),
            requests=sum(lump.bookings for lump in lumps if lump.phase.key == "requested"),
            allergies=sum(lump.allergies for lump in counted),
            vips=sum(lump.vips for lump in counted),
            cells=tuple((m, covers.get(m, 0), self._tint(covers.get(m, 0))) for m in self.columns),
        )

    def _url(self, restaurant: Restaurant) -> str:
        address = self.address.copy()
        address["scope"], address["zoom"] = str(restaurant.uuid), "arrivals"
        address.pop("sort", None)
        return f"?{address.urlencode()}"

    def _clock(self, restaurant: Restaurant) -> str:
        now = self.evening.walls[restaurant.pk]
        return clock(now) if self.evening.spans_zones and now is not None else ""

    @cached_property
    def _top(self) -> int:
        """The fullest quarter of an hour of any restaurant."""
        covers: dict[tuple[int, int], int] = defaultdict(int)
        for lump in self.evening.lumps:
            if lump.counts:
                covers[lump.restaurant_id, slot_of(lump.minutes)] += lump.covers
        return max(covers.values(), default=1) or 1

    def _tint(self, covers: int) -> int:
        return -(-covers * LEVELS // self._top)


def _without_gaps(slots: list[Slot]) -> Iterator[int]:
    """The slots of the services: an afternoon in which nobody comes anywhere is left out."""
    before = None
    for slot in slots:
        if not slot.covers:
            continue
        if before is not None and slot.minutes - before < GAP:
            yield from range(before + SLOT, slot.minutes, SLOT)
        yield slot.minutes
        before = slot.minutes


def _covers_by_slot(lumps: list[Lump]) -> dict[int, int]:
    covers: dict[int, int] = defaultdict(int)
    for lump in lumps:
        covers[slot_of(lump.minutes)] += lump.covers
    return dict(covers)


@lru_cache(maxsize=KEPT)
def _draw(row: Row) -> SafeString:
    return render_to_string("reservations/_pulse_row.html", {"row": row})
