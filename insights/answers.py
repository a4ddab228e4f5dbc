"""The parts of an answer: a number, its change, a picture, a table, and how it is counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property, lru_cache
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from insights.pictures import Bars, Columns
from lib import money
from lib.money import exact

Words = str | Promise
NAMED = 3  # restaurants in a line of what is left out
DIGITS = {"number": 0, "points": 1}  # after the point


@dataclass(frozen=True)
class Column:
    """A column of a table. Its kind says how the page formats a value; a file gets it unformatted.

    `currency` is the place of the column that names the currency of its amounts.
    """

    label: Words
    kind: str = "text"
    currency: int = 0

    def bare(self, value: Any, *, currency: str) -> Any:
        """Return the value for a file: an amount with the decimals of its currency, or more."""
        is_money = self.kind in ("money", "mean money") and value is not None
        return exact(value, currency) if is_money else value

    @property
    def is_number(self) -> bool:
        return self.kind != "text"


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]

    @property
    def spelt(self) -> list[list[tuple[Column, str]]]:
        return [
            [
                (column, spell(value, column.kind, currency=str(row[column.currency])))
                for column, value in zip(self.columns, row, strict=True)
            ]
            for row in self.rows
        ]

    @property
    def body(self) -> SafeString:
        """The rows as HTML. A template takes longer for them than the database for the numbers."""
        return SafeString("".join(f"<tr>{_cells(row)}</tr>" for row in self.spelt))

    @property
    def lines(self) -> list[list[Any]]:
        """The lines of a file, the heading first."""
        return [[str(column.label) for column in self.columns], *self.bare]

    @property
    def bare(self) -> list[list[Any]]:
        """The rows for a file."""
        return [
            [
                column.bare(value, currency=str(row[column.currency]))
                for column, value in zip(self.columns, row, strict=True)
            ]
            for row in self.rows
        ]


def _cells(row: Sequence[tuple[Column, str]]) -> str:
    """The first cell names the row."""
    (_first, name), *others = row
    opening = {True: '<td class="number">', False: "<td>"}
    cells = [f"{opening[column.is_number]}{escape(words)}</td>" for column, words in others]
    return f'<th scope="row">{escape(name)}</th>{"".join(cells)}'


@dataclass(frozen=True)
class Delta:
    words: str
    tone: str = ""


@dataclass(frozen=True, kw_only=True)
class InsightAnswer:
    """One answered question.

    Its table and heat map are queried when a page shows them, so not on the overview.
    """

    number: str
    caption: str
    write_table: Callable[[], Table]
    picture: Columns | Bars | None = None
    delta: Delta | None = None
    write_heat: Callable[[], Any] = lambda: None
    counted: Sequence[Words] = field(default_factory=list)
    coverage: Sequence[Words] = field(default_factory=list)
    left_out: Sequence[Words] = field(default_factory=list)  # of the number, on a line of its own
    is_known: bool = True

    @cached_property
    def table(self) -> Table:
        """The numbers behind the picture. Runs the queries of the question."""
        return self.write_table()

    @cached_property
    def heat(self) -> Any:
        """The heat map, if the question has one. Runs the queries of the question."""
        return self.write_heat()


def spell(value: Any, kind: str, *, currency: str = "") -> str:
    """Format a value for the page; an unknown one is a dash, never 0."""
    if value is None:
        return "–"
    match kind:
        case "number" | "points":
            return _rounded(value, DIGITS[kind])
        case "share":
            return _("%(number)s %%") % {"number": _rounded(value * 100, 1)}
        case "money":
            return money.spelt(exact(value, currency), grouped=True)
        case "mean money":
            return money.spelt(money.rounded(value, currency), grouped=True)
        case _:
            return str(value)


@lru_cache(maxsize=4096)
def _grouped(value: int, _language: str | None) -> str:
    """A whole number as the language groups its thousands: pages have hundreds of them."""
    return number_format(value, force_grouping=True)


def _rounded(value: int | Decimal, digits: int) -> str:
    """`number_format` alone cuts digits off instead of rounding."""
    if not digits and isinstance(value, int):
        return _grouped(value, get_language())
    return number_format(_half_up(value, digits), digits, force_grouping=True)


def _half_up(value: int | Decimal, digits: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def left_out(words: str, names: Sequence[str]) -> list[Words]:
    """The line of what a number leaves out: none where that is nothing, at most three names."""
    if not names:
        return []
    shown = ", ".join(names[:NAMED])
    if len(names) > NAMED:
        shown = _("%(names)s and %(number)s more") % {
            "names": shown,
            "number": len(names) - NAMED,
        }
    return [words % {"names": shown}]


def share(part: int, whole: int) -> Decimal | None:
    return Decimal(part) / whole if whole else None


def amount(thousandths: int) -> Decimal:
    return Decimal(thousandths).scaleb(-3)


def grown(
    now: int | Decimal | None, before: int | Decimal | None, *, good: str = "up"
) -> Delta | None:
    """Return the change in per cent; None where there is nothing to compare with."""
    if now is None or not before:
        return None
    change = (Decimal(now) / Decimal(before) - 1) * 100
    words = _("%(change)s %%") % {"change": _signed(change, 0)}
    return Delta(words, _tone(change, good=good, digits=0))


def moved(
    now: Decimal | None, before: Decimal | None, *, good: str = "up", words: str = "%s"
) -> Delta | None:
    """Return the change of a rating or a delay, in its own unit."""
    if now is None or before is None:
        return None
    change = now - before
    return Delta(words % _signed(change, 1), _tone(change, good=good, digits=1))


def shifted(now: Decimal | None, before: Decimal | None, *, good: str = "up") -> Delta | None:
    """Return the change of a share, in percentage points."""
    if now is None or before is None:
        return None
    words = _("%s points")
    return moved(now * 100, before * 100, good=good, words=words)


def _signed(change: Decimal, digits: int) -> str:
    rounded = _half_up(change, digits)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else "±"
    return sign + _rounded(abs(change), digits)


def _tone(change: Decimal, *, good: str, digits: int) -> str:
    if not _half_up(change, digits) or not good:
        return ""
    return "good" if (change > 0) == (good == "up") else "bad"
