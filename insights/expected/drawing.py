"""The picture of booked and expected covers: a column a day, its range, and the expectation."""

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

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
        return SafeString("".join(self._drawn(n, one) for n, one in enumerate(self.days)))

    def _drawn(self, number: int, one: ExpectedDay) -> SafeString:
        x = number * STEP + (STEP - WIDTH) // 2
        parts = [self._range(x, one), self._bar(x, one), self._line(x, one)]
        return format_html("<g><title>{}</title>{}</g>", one.words, SafeString("".join(parts)))

    def _range(self, x: int, one: ExpectedDay) -> SafeString:
        if one.lower is None or one.upper is None:
            return SafeString("")
        y, end = self._y(one.upper), self._y(one.lower)
        return format_html(
            '<rect class="expected__range" x="{}" y="{}" width="{}" height="{}"></rect>',
            *(x - 1, y, WIDTH + 2, round(max(end - y, 1), 1)),
        )

    def _bar(self, x: int, one: ExpectedDay) -> SafeString:
        y = self._y(one.booked)
        return format_html(
            '<rect class="chart__bar" x="{}" y="{}" width="{}" height="{}"></rect>',
            *(x + 1, y, WIDTH - 2, round(HEIGHT - y, 1)),
        )

    def _line(self, x: int, one: ExpectedDay) -> SafeString:
        if one.covers is None:
            return SafeString("")
        y = self._y(one.covers)
        return format_html(
            '<line class="picture__before" x1="{}" x2="{}" y1="{}" y2="{}"></line>',
            *(x - 1, x + WIDTH + 1, y, y),
        )

    def _y(self, covers: int) -> float:
        return round(HEIGHT - covers / self._most * HEIGHT, 1)
