"""A day of the calendar: what is booked, its sentence, and its cell of a month as HTML.

A template takes longer for the 42 cells of a month than for all the rest of the page. A page is
drawn again with each booking, and most of its days are as before: those are cached.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from insights.answers import spell
from lib.dates import date_format
from lib.labels import labelled
from lib.templatetags.ui import at_least, icon


class MonthSums(NamedTuple):
    covers: int = 0
    bookings: int = 0
    requests: int = 0

    @property
    def words(self) -> str:
        """“41 covers, 12 bookings, 2 requests”."""
        found = [
            ngettext("%(n)s cover", "%(n)s covers", self.covers) % {"n": _grouped(self.covers)},
            ngettext("%(n)s booking", "%(n)s bookings", self.bookings)
            % {"n": _grouped(self.bookings)},
        ]
        if self.requests:
            waiting = ngettext("%(n)s request", "%(n)s requests", self.requests)
            found.append(waiting % {"n": _grouped(self.requests)})
        return ", ".join(found)


@dataclass(frozen=True)
class Cell:
    """A day of the scope or of one restaurant, and the board that it leads to."""

    day: date
    sums: MonthSums
    step: int
    url: str
    is_today: bool
    is_outside: bool  # of the month before or after
    usual: int | None = None  # covers usually booked by now
    note: str = ""
    is_unread: bool = False  # of one of the restaurants

    @property
    def words(self) -> str:
        words = _words(self.day, self.sums, self.usual, self.note, get_language())
        return f"{words} · {gettext('not all was read')}" if self.is_unread else words

    @property
    def covers(self) -> str:
        """The number; where bookings may be missing at least that, and none is not known."""
        return at_least(self.sums.covers, self.is_unread)


@lru_cache(maxsize=4096)
def _words(day: date, sums: MonthSums, usual: int | None, note: str, _language: str | None) -> str:
    """A page is drawn again with each booking, and most of its days are as before."""
    words = labelled(date_format(day, "l j F"), sums.words)
    if usual is not None:
        words += gettext(", usually %(n)s covers by now") % {"n": _grouped(usual)}
    return f"{words} · {note}" if note else words


def added(sums: Iterable[MonthSums]) -> MonthSums:
    return MonthSums(*map(sum, zip(*sums, strict=True)))


def draw_month(weeks: Iterable[Sequence[Cell]], *, chosen: date) -> list[SafeString]:
    """A line for each week; `chosen` is the day that the address names."""
    language = get_language()
    return [
        format_html_join("", "{}", ((_cell(one, one.day == chosen, language),) for one in week))
        for week in weeks
    ]


@lru_cache(maxsize=4096)
def _cell(cell: Cell, is_chosen: bool, _language: str | None) -> SafeString:
    words = cell.words
    return format_html(
        '<td class="month__day{}{}{}" data-step="{}">'
        '<a href="{}" aria-label="{}" title="{}"{}>'
        '<time class="month__date" datetime="{}">{}</time>{}</a></td>',
        " month__day--outside" if cell.is_outside else "",
        " month__day--today" if cell.is_today else "",
        " month__day--unread" if cell.is_unread else "",
        *(cell.step, cell.url, words, words),
        SafeString(' aria-current="date"' if is_chosen else ""),
        *(cell.day.isoformat(), cell.day.day),
        SafeString("".join(_parts(cell))),
    )


def _parts(cell: Cell) -> Iterator[SafeString]:
    """What stands below the number of the day."""
    _covers, bookings, requests = cell.sums
    if bookings or cell.is_unread:
        yield format_html('<b class="month__covers">{}</b>', cell.covers)
    if bookings:
        words = ngettext("%(n)s booking", "%(n)s bookings", bookings) % {"n": bookings}
        yield format_html('<span class="month__bookings">{}</span>', words)
    if cell.usual is not None:
        words = gettext("usually %(n)s") % {"n": _grouped(cell.usual)}
        yield format_html('<span class="month__usual">{}</span>', words)
    if cell.note:
        yield format_html('<span class="month__note">{}</span>', cell.note)
    if requests:
        symbol = icon("phase-requested", "small")
        yield format_html('<span class="month__requests">{}{}</span>', symbol, requests)


def _grouped(number: int) -> str:
    return spell(number, "number")
