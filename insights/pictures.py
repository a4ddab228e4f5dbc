"""Chart geometry: turns numbers into coordinates. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

HEIGHT = 100
STEP, WIDTH = 10, 8  # units of a column; the browser stretches the picture
MOST_LABELS = 7


@dataclass(frozen=True)
class Point:
    """What one column or row shows: now, and on the days compared with."""

    label: str
    value: float
    before: float | None
    words: str


@dataclass(frozen=True)
class Shape:
    point: Point
    x: int
    y: float
    height: float
    before_y: float | None


class Columns:
    """Columns side by side, each with a line where it stood on the days compared with."""

    is_columns = True
    height = HEIGHT

    def __init__(self, points: Sequence[Point], *, words: str, top: str = "") -> None:
        self.points = points
        self.words = words  # the picture in a sentence
        self.top = top  # what the highest column stands for
        known = [p.value for p in points] + [p.before or 0 for p in points]
        self._most = max(known, default=0) or 1

    @property
    def width(self) -> int:
        return len(self.points) * STEP

    @property
    def shapes(self) -> list[Shape]:
        return [self._shape(index, point) for index, point in enumerate(self.points)]

    def _shape(self, index: int, point: Point) -> Shape:
        height = round(point.value / self._most * HEIGHT, 1)
        before = None if point.before is None else HEIGHT - point.before / self._most * HEIGHT
        x = index * STEP + (STEP - WIDTH) // 2
        return Shape(point, x, HEIGHT - height, height, before and round(before, 1))

    @property
    def drawn(self) -> SafeString:
        """The columns as SVG. A template takes longer for them than the database for the sums."""
        return SafeString("".join(_drawn(shape) for shape in self.shapes))

    @property
    def labels(self) -> list[str]:
        """Only so many that they stand beside each other on a narrow screen."""
        every = -(-len(self.points) // MOST_LABELS)
        return [p.label if n % every == 0 else "" for n, p in enumerate(self.points)]

    @property
    def has_before(self) -> bool:
        return any(point.before is not None for point in self.points)


def _drawn(shape: Shape) -> SafeString:
    bar = format_html(
        '<title>{}</title><rect class="chart__bar" x="{}" y="{}" width="{}" height="{}"></rect>',
        *(shape.point.words, shape.x, shape.y, WIDTH, shape.height),
    )
    if shape.before_y is None:
        return format_html("<g>{}</g>", bar)
    return format_html(
        '<g>{}<line class="picture__before" x1="{}" x2="{}" y1="{}" y2="{}"></line></g>',
        *(bar, shape.x, shape.x + WIDTH, shape.before_y, shape.before_y),
    )


class Bars:
    """One bar under the other, the longest as wide as the picture."""

    is_columns = False

    def __init__(self, points: Sequence[Point], *, words: str) -> None:
        self.points = points
        self.words = words
        known = [p.value for p in points] + [p.before or 0 for p in points]
        self._most = max(known, default=0) or 1

    @property
    def rows(self) -> list[tuple[Point, float, float | None]]:
        return [(p, self._part(p.value), self._part(p.before)) for p in self.points]

    def _part(self, value: float | None) -> float:
        return round((value or 0) / self._most * 100, 1)

    @property
    def has_before(self) -> bool:
        return any(point.before is not None for point in self.points)


@dataclass(frozen=True)
class Heat:
    """A typical week: covers by weekday and hour, in eight steps of colour."""

    hours: Sequence[int]
    rows: Sequence[tuple[str, Sequence[tuple[int, int]]]]  # weekday, (number, step)
    first: date
    last: date

    @property
    def lines(self) -> list[list[object]]:
        """The lines of a file, the hours first."""
        head: list[object] = [gettext("Weekday"), *(f"{hour}:00" for hour in self.hours)]
        return [head, *([day, *(number for number, _step in cells)] for day, cells in self.rows)]
