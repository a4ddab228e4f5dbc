"""The picture of booked and expected covers: a column a day, its range, and the expectation."""

from collections.abc import Sequence
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from insights.answers import spell
from insights.expected.lines import ExpectedDay
from insights.pictures import HEIGHT, STEP, WIDTH

LABELLED = 7  # days from one label to the next: the same weekday


class ExpectedColumns:
    """Coordinates and SVG, as `insights.pictures` makes them of questions."""

    height = HEIGHT

    def __init__(self, days: Sequence[ExpectedDay], *, words: str) -> None:
        self.days = days
        self.words = words
        tops = [max(one.booked, one.upper or 0, one.covers or 0) for one in days]
        self._most = max(tops, default=0) or 1

    @property
    def width(self) -> int:
        return len(self.days) * STEP

    @property
    def top(self) -> str:
        return spell(self._most, "number")

    @property
    def has_expected(self) -> bool:
        return any(one.covers is not None for one in self.days)

    @property
    def has_range(self) -> bool:
        return any(one.range for one in self.days)

    @property
    def labels(self) -> list[str]:
        return [one.label if n % LABELLED == 0 else "" for n, one in enumerate(self.days)]

    @property
    def drawn(self) -> SafeString:
        language = get_language()
        columns = [_column(n, one, self._most, language) for n, one in enumerate(self.days)]
        return SafeString("".join(columns))


@lru_cache(maxsize=4096)
def _column(number: int, one: ExpectedDay, most: int, _language: str | None) -> SafeString:
    """A page is drawn again with each booking, and most of its columns are as before."""
    x = number * STEP + (STEP - WIDTH) // 2
    parts = [_range(x, one, most), _bar(x, one, most), _line(x, one, most)]
    return format_html("<g><title>{}</title>{}</g>", one.words, SafeString("".join(parts)))


def _range(x: int, one: ExpectedDay, most: int) -> SafeString:
    if one.lower is None or one.upper is None:
        return SafeString("")
    y, end = _y(one.upper, most), _y(one.lower, most)
    return format_html(
        '<rect class="expected__range" x="{}" y="{}" width="{}" height="{}"></rect>',
        *(x - 1, y, WIDTH + 2, round(max(end - y, 1), 1)),
    )


def _bar(x: int, one: ExpectedDay, most: int) -> SafeString:
    y = _y(one.booked, most)
    return format_html(
        '<rect class="chart__bar" x="{}" y="{}" width="{}" height="{}"></rect>',
        *(x + 1, y, WIDTH - 2, round(HEIGHT - y, 1)),
    )


def _line(x: int, one: ExpectedDay, most: int) -> SafeString:
    if one.covers is None:
        return SafeString("")
    y = _y(one.covers, most)
    return format_html(
        '<line class="picture__before" x1="{}" x2="{}" y1="{}" y2="{}"></line>',
        *(x - 1, x + WIDTH + 1, y, y),
    )


def _y(covers: int, most: int) -> float:
    return round(HEIGHT - covers / most * HEIGHT, 1)
