"""The boards of a service day: arrivals, stays, list."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from reservations.day_board.forms import FILTERS, ZOOMS, BoardParams, count_by_filter
from reservations.day_board.pages import cards
from reservations.day_board.pages.arrivals import (
    ArrivalsColumn,
    ArrivalsWindow,
    windows_around_now,
)
from reservations.day_board.pages.cards import CardContext
from reservations.day_board.pages.now_lines import NowLine, now_lines
from reservations.day_board.pages.stays import Stays
from reservations.day_board.pages.urgency import LABELS, ListSection, by_urgency
from reservations.service_clock import slot_of
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay
from reservations.service_day.services import service_at, services_of

URGENT = {"late", "requests"}
ROWS = 300  # of the list: an evening of one restaurant, but not of twenty


class Heading(NamedTuple):
    """A column of the list; without a key it cannot be sorted by."""

    key: str
    label: Promise
    css: str = ""


class FilterChip(NamedTuple):
    """A filter with how many bookings it shows."""

    label: str
    icon: str
    number: int
    is_on: bool
    is_urgent: bool
    url: str
    shortcut: str


class Board:
    """The bookings of the service day that match the filters. One query, on first access."""

    def __init__(self, evening: ServiceDay, params: BoardParams) -> None:
        self.evening = evening
        self.params = params
        self.many = len(evening.restaurants) > 1

    @property
    def label(self) -> str:
        return str(ZOOMS[self.params.zoom])

    @property
    def scope(self) -> str:
        """The restaurants whose changes concern this board."""
        return " ".join(str(one.uuid) for one in self.evening.restaurants.values())

    @cached_property
    def picked(self) -> list[BoardBooking]:
        return self.params.pick(self.evening.bookings)

    @cached_property
    def filter_counts(self) -> dict[str, int]:
        """How many bookings each filter shows; of the pulse, which reads none, some of them."""
        if self.params.zoom == "pulse":
            return self._counts_of_pulse
        return count_by_filter(self.evening.bookings)

    @property
    def _counts_of_pulse(self) -> dict[str, int]:
        tiles, noted = self.evening.tiles, self.evening.noted
        return {
            "late": tiles.late,
            "requests": tiles.requests,
            "allergy": tiles.allergies,
            "noted": noted.stated.total(),
            "maybe": noted.maybe.total(),
            "vip": tiles.vips,
        }

    @property
    def chips(self) -> list[FilterChip]:
        """Those that show a booking, or are on, stand first: a row of a phone ends after three."""
        chips = [
            FilterChip(
                FILTERS[key].label % {"n": number},
                FILTERS[key].icon,
                number,
                is_on=key in self.params.shown,
                is_urgent=bool(number) and key in URGENT,
                url=self.params.filter_url(key),
                shortcut=FILTERS[key].shortcut,
            )
            for key, number in self.filter_counts.items()
        ]
        return sorted(chips, key=lambda chip: not (chip.number or chip.is_on))

    @property
    def headings(self) -> list[Heading]:
        several = (
            [Heading("restaurant", _("Restaurant"), "booking-row__where")] if self.many else []
        )
        return [
            Heading("time", _("Time")),
            Heading("party", _("Party"), "number"),
            Heading("name", _("Guest")),
            Heading("phase", _("Status")),
            Heading("", _("Note"), "only-wide"),
            Heading("channel", _("Channel"), "booking-row__channel"),
            *several,
        ]

    @property
    def is_by_urgency(self) -> bool:
        """Whether the list begins with who is late, which is its order while guests come."""
        return not self.params.sort and self.evening.is_running

    @property
    def order(self) -> str:
        return self.params.sort or ("" if self.is_by_urgency else "time")

    @cached_property
    def by_urgency(self) -> dict[str, list[BoardBooking]]:
        return by_urgency(self.picked, self.evening.local_times)

    @property
    def folded(self) -> int:
        """How many bookings are over, and shown on demand only while others are to come."""
        shows_all = self.params.whole or self.params.is_filtered or not self.is_by_urgency
        over = len(self.by_urgency.get("over", ()))
        return 0 if shows_all or over == len(self.picked) else over

    @cached_property
    def unfolded(self) -> dict[str, list[BoardBooking]]:
        """The sections by urgency that are shown."""
        left_out = "over" if self.folded else ""
        return {key: found for key, found in self.by_urgency.items() if key != left_out}

    @cached_property
    def listed(self) -> list[BoardBooking]:
        """All rows of the list in their order."""
        if not self.is_by_urgency:
            return self.picked
        return list(chain.from_iterable(self.unfolded.values()))

    @cached_property
    def page(self) -> "Page[BoardBooking]":
        """The shown page of the list. An invalid page is the first."""
        return Paginator(self.listed, ROWS).get_page(self.params.page)

    @property
    def sections(self) -> list[ListSection]:
        """The page in sections, or as one without a heading."""
        if self.order == "time":
            return list(self._services())
        if not self.is_by_urgency:
            return [ListSection("", "", 0, self._rows(list(self.page)))]
        shown = self.unfolded
        if self.page.has_other_pages():
            shown = by_urgency(self.page, self.evening.local_times)
        sections = [
            ListSection(key, LABELS[key], len(self.by_urgency[key]), rows)
            for key, bookings in shown.items()
            for lines in [self._lines_among(bookings) if key == "soon" else []]
            for rows in [self._rows(bookings, lines)]
        ]
        if "soon" not in shown and self.page.number == 1:
            lines = self._now_row(now_lines(self.evening))
            sections.insert("late" in shown, ListSection("now", "", 0, lines))
        return sections

    def _services(self) -> Iterator[ListSection]:
        """The page by time, lunch and dinner apart. May run one query."""
        known, page = services_of(self.evening), list(self.page)
        numbers = Counter(service_at(known, booking.minutes) for booking in self.listed)
        lines, begin = self._lines_among(page), 0
        for name, run in groupby(page, key=lambda booking: service_at(known, booking.minutes)):
            bookings = list(run)
            end = begin + len(bookings)
            here = [
                (line, at - begin) for line, at in lines if begin < at <= end or at == begin == 0
            ]
            label = name if len(numbers) > 1 else ""
            yield ListSection("service", label, numbers[name], self._rows(bookings, here))
            begin = end

    def _rows(
        self, bookings: list[BoardBooking], lines: Iterable[tuple[NowLine, int]] = ()
    ) -> SafeString:
        """The rows, and the lines of now before the booking of their number."""
        place = CardContext("list", self.many)
        html, begin = [], 0
        for line, end in lines:
            html += [cards.draw_all(bookings[begin:end], place), self._now_row([line])]
            begin = end
        html.append(cards.draw_all(bookings[begin:], place))
        return SafeString("".join(html))  # of templates, which escape

    def _lines_among(self, bookings: list[BoardBooking]) -> list[tuple[NowLine, int]]:
        """The line of each clock of these restaurants and its place, unless on another page."""
        minutes = [booking.minutes for booking in bookings]
        lines = now_lines(self.evening, {booking.restaurant.pk for booking in bookings})
        placed = [(line, bisect_right(minutes, line.minutes)) for line in lines]
        first, last = int(self.page.has_previous()), len(bookings) - int(self.page.has_next())
        return [(line, place) for line, place in placed if first <= place <= last]

    def _now_row(self, lines: list[NowLine]) -> SafeString:
        return _draw_now_row(tuple(lines), len(self.headings), get_language())

    @cached_property
    def stays(self) -> Stays:
        return Stays(self.evening, self.picked, limits_crowd=not self.params.is_filtered)

    @property
    def hidden(self) -> int:
        return len(self.evening.bookings) - len(self.picked)

    @cached_property
    def nows(self) -> list[int]:
        return [one for one in self.evening.local_times.values() if one is not None]

    @cached_property
    def windows(self) -> dict[int, ArrivalsWindow]:
        """What is around now at each restaurant; empty for the whole service."""
        if not self.nows or self.params.whole or self.params.is_filtered:
            return {}
        restaurants = self.evening.restaurants.items()
        clocks = {pk: self.evening.minutes_now(restaurant) for pk, restaurant in restaurants}
        return windows_around_now(self.picked, clocks)

    @cached_property
    def around_now(self) -> list[BoardBooking]:
        """The bookings that the arrivals show."""
        if not self.windows:
            return self.picked
        slots = {pk: window.slots for pk, window in self.windows.items()}
        return [one for one in self.picked if slot_of(one.minutes) in slots[one.restaurant.pk]]

    @cached_property
    def columns(self) -> list[ArrivalsColumn]:
        """Every slot that has a booking, those of now and, on one clock, those between."""
        standing = {slot_of(booking.minutes) for booking in self.around_now}
        if self.evening.now_minutes is not None:
            standing = standing.union(*(window.slots for window in self.windows.values()))
        lines = now_lines(self.evening)
        standing |= {slot_of(line.minutes) for line in lines}
        columns = {m: ArrivalsColumn(m, many=self.many) for m in sorted(standing)}
        for line in lines:
            columns[slot_of(line.minutes)].now_lines.append(line)
        for booking in self.around_now:
            columns[slot_of(booking.minutes)].bookings.append(booking)
        return list(columns.values())

    @property
    def earlier(self) -> int:
        """How many bookings are before the windows."""
        begins = {pk: window.begin for pk, window in self.windows.items()}
        return sum(one.minutes < begins.get(one.restaurant.pk, 0) for one in self.picked)

    @property
    def later(self) -> int:
        return len(self.picked) - len(self.around_now) - self.earlier


@lru_cache(maxsize=64)
def _draw_now_row(lines: tuple[NowLine, ...], width: int, _language: str | None) -> SafeString:
    return render_to_string("reservations/_now_row.html", {"lines": lines, "width": width})
