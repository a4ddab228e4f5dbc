"""The calendar: covers of each day of a month or of a week, as number and as tint.

It reads the sums of days, so a month of twenty restaurants costs what one evening does.
"""

import calendar
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from django.db.models import Sum
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from insights.answers import Column, Table
from insights.day_notes.models import notes_by_day
from insights.expected.pace import usual_by_day
from insights.models import BookingCount, CountRow
from insights.month_calendar.cells import Cell, MonthSums, added, draw_month
from lib.templatetags.ui import at_least
from lib.web.addresses import opening
from mirror.health.first_reading import Missing, missing_between, words_of
from restaurants.models import Restaurant

STEPS = 7  # tints of a day
ZOOMS = {"month": _("Month"), "week": _("Week")}


class MonthRow(NamedTuple):
    restaurant: Restaurant
    covers: str  # where days were not read at least that
    cells: SafeString  # as HTML: a template takes longer for them than for all the rest


class Choice(NamedTuple):
    label: str | Promise
    is_on: bool
    url: str


class Calendar:
    """Few queries whatever the size: the days, the hours of a week, notes, what is usual."""

    def __init__(
        self,
        restaurants: list[Restaurant],
        day: date,
        *,
        today: date,
        scope: str,
        address: QueryDict,
        may_see_usual: bool = False,
    ) -> None:
        zoom = address.get("zoom", "")
        self.restaurants = restaurants
        self.ids = [one.pk for one in restaurants]
        self.day = day
        self.today = today
        self.scope = scope
        self.address = address
        self.may_see_usual = may_see_usual
        self.zoom = zoom if zoom in ZOOMS else "month"

    @property
    def is_month(self) -> bool:
        return self.zoom == "month"

    @property
    def zooms(self) -> list[Choice]:
        begin = opening(self.address, "zoom")
        return [Choice(label, key == self.zoom, begin + key) for key, label in ZOOMS.items()]

    @cached_property
    def weeks(self) -> list[list[date]]:
        """Whole weeks from Monday: those that touch the month, or the one of the day."""
        if self.is_month:
            return calendar.Calendar().monthdatescalendar(self.day.year, self.day.month)
        monday = self.day - timedelta(days=self.day.weekday())
        return [[monday + timedelta(days=n) for n in range(7)]]

    @cached_property
    def days(self) -> list[date]:
        """The days that the picture is about, without its edges."""
        return [day for week in self.weeks for day in week if not self._is_outside(day)]

    def _is_outside(self, day: date) -> bool:
        return self.is_month and day.month != self.day.month

    @property
    def before(self) -> str:
        """The same picture one month or week earlier."""
        return opening(self.address, "day") + str(self.days[0] - timedelta(days=1))

    @property
    def after(self) -> str:
        return opening(self.address, "day") + str(self.days[-1] + timedelta(days=1))

    @cached_property
    def sums(self) -> dict[tuple[int, date], MonthSums]:
        """By restaurant and day. One query of the sums that are kept of days."""
        held = BookingCount.objects.daily(self.ids, self.weeks[0][0], self.weeks[-1][-1])
        rows = held.filter(cut=CountRow.WHOLE).values_list(
            "restaurant_id", "start", "covers", "bookings", "requested"
        )
        return {(pk, day): MonthSums(*sums) for pk, day, *sums in rows}

    @cached_property
    def totals(self) -> dict[date, MonthSums]:
        found: dict[date, list[MonthSums]] = defaultdict(list)
        for (_pk, day), sums in self.sums.items():
            found[day].append(sums)
        totals = {day: added(every) for day, every in found.items()}
        return defaultdict(MonthSums, totals)

    @cached_property
    def usual(self) -> dict[date, int]:
        """Covers usually booked by now. Four queries, where there are days to come."""
        first, last = max(self.weeks[0][0], self.today), self.weeks[-1][-1]
        if not self.may_see_usual or last <= self.today:
            return {}
        return usual_by_day(self.restaurants, first, last, now=timezone.now())

    @cached_property
    def notes(self) -> dict[date, list[str]]:
        return notes_by_day(self.restaurants, self.weeks[0][0], self.weeks[-1][-1])

    @cached_property
    def missing(self) -> dict[date, Missing]:
        """What was not read of each day. A query while a place was never read whole."""
        return missing_between(self.weeks[0][0], self.weeks[-1][-1], self.restaurants)

    @cached_property
    def missing_words(self) -> list[str]:
        """Why numbers are missing."""
        return words_of(self.missing[day] for day in self.days)

    @property
    def total(self) -> MonthSums:
        return added(self.totals[day] for day in self.days)

    @property
    def total_words(self) -> str:
        words = self.total.words
        return gettext("At least %(words)s") % {"words": words} if self.missing_words else words

    @property
    def month(self) -> list[SafeString]:
        """The weeks of the month as lines of a table."""
        return draw_month(self.grid, chosen=self.day)

    @property
    def grid(self) -> list[list[Cell]]:
        top = top_of(self.totals[day].covers for day in self.days)
        begin = self._board(self.scope)
        return [[self._day(day, top=top, begin=begin) for day in week] for week in self.weeks]

    def _day(self, day: date, *, top: int, begin: str) -> Cell:
        """A cell of all restaurants, with what is usual and what is noted."""
        cell = self._cell(day, self.totals[day], top=top, begin=begin)
        note = ", ".join(self.notes.get(day, ()))
        is_unread = bool(self.missing[day].places)
        return replace(cell, usual=self.usual.get(day), note=note, is_unread=is_unread)

    @property
    def rows(self) -> Iterator[MonthRow]:
        """A line for each restaurant, where there are several; tints are of all lines together."""
        if len(self.restaurants) < 2:
            return
        inside = set(self.days)
        top = top_of(sums.covers for (_pk, day), sums in self.sums.items() if day in inside)
        for one in self.restaurants:
            yield self._row(one, top=top)

    def _row(self, restaurant: Restaurant, *, top: int) -> MonthRow:
        sums = [self.sums.get((restaurant.pk, day), MonthSums()) for day in self.days]
        begin = escape(self._board(str(restaurant.uuid)))
        unread = [restaurant.pk in self.missing[day].keys for day in self.days]
        cells = [
            _linked(of_day, step=step_of(of_day.covers, top), url=f"{begin}{day}", is_unread=doubt)
            for day, of_day, doubt in zip(self.days, sums, unread, strict=True)
        ]
        covers = at_least(sum(of_day.covers for of_day in sums), any(unread))
        return MonthRow(restaurant, covers, SafeString("".join(cells)))

    def _cell(self, day: date, sums: MonthSums, *, top: int, begin: str) -> Cell:
        step = step_of(sums.covers, top)
        return Cell(day, sums, step, f"{begin}{day}", day == self.today, self._is_outside(day))

    @property
    def table(self) -> Table:
        """Each day of each restaurant, for a file."""
        columns = (
            Column(gettext("Restaurant")),
            Column(gettext("Day")),
            Column(gettext("Covers"), "number"),
            Column(gettext("Bookings"), "number"),
            Column(gettext("Requests"), "number"),
        )
        return Table(
            columns,
            [
                [one.name, day, *self._known(one, day)]
                for one in self.restaurants
                for day in self.days
            ],
        )

    def _known(self, restaurant: Restaurant, day: date) -> tuple[int | None, ...]:
        """The sums of a day; none where they are not known to be whole."""
        if restaurant.pk in self.missing[day].keys:
            return (None,) * len(MonthSums._fields)
        return self.sums.get((restaurant.pk, day), MonthSums())

    @property
    def hours_table(self) -> Table:
        """The hours of arrival, for a file: a line for each hour."""
        days = [Column(str(day), "number") for day in self.days]
        rows = [[f"{one.hour}:00", *self._known_covers(one)] for one in self.hours]
        return Table([Column(gettext("Hour")), *days], rows)

    def _known_covers(self, hour: "Hour") -> Iterator[int | None]:
        """None on days of which bookings may be missing."""
        for day, (covers, _step) in zip(self.days, hour.cells, strict=True):
            yield None if self.missing[day].places else covers

    @staticmethod
    def _board(scope: str) -> str:
        """The board of a place; the day goes at the end."""
        return f"/?scope={scope}&day=" if scope else "/?day="

    @cached_property
    def hours(self) -> list["Hour"]:
        """Covers of a week by the local hour at which they come. One query."""
        first, last = self.days[0], self.days[-1]
        held = BookingCount.objects.daily(self.ids, first, last).filter(cut=CountRow.BY_HOUR)
        groups = held.order_by().values_list("start", "hour").annotate(Sum("covers"))
        covers = {(day, hour): number for day, hour, number in groups if number}
        top = top_of(covers.values())
        return [
            Hour(hour % 24, [_tinted(covers.get((day, hour), 0), top) for day in self.days])
            for hour in _without_gaps(sorted({hour for _day, hour in covers}))
        ]


class Hour(NamedTuple):
    hour: int
    cells: list[tuple[int, int]]  # covers, tint


def _linked(sums: MonthSums, *, step: int, url: str, is_unread: bool) -> str:
    """A cell of a row; `url` is escaped."""
    covers = at_least(sums.covers, is_unread)
    link = f'<a href="{url}">{covers}</a>' if sums.bookings or is_unread else ""
    return f'<td data-step="{step}">{link}</td>'


def top_of(numbers: Iterable[int]) -> int:
    """Return the number that gets the darkest tint: a feast does not pale its month."""
    found = sorted(number for number in numbers if number)
    return found[min(len(found) * 19 // 20, len(found) - 1)] if found else 0


def step_of(covers: int, top: int) -> int:
    """Return the tint of a number: none for 0, the darkest for the most.

    A small number is never without tint.
    """
    return min(-(-covers * STEPS // top), STEPS) if top else 0


def _tinted(covers: int, top: int) -> tuple[int, int]:
    return covers, step_of(covers, top)


def _without_gaps(hours: list[int]) -> Iterator[int]:
    """The hours of the services: an afternoon in which nobody comes any day is left out."""
    for before, hour in zip([None, *hours], hours, strict=False):
        if before is not None and hour - before == 2:
            yield before + 1
        yield hour
