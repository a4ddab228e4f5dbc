"""Review statistics: ratings over time, and how fast comments were answered.

Two grouped queries and one list of answered comments, whatever the number of restaurants; weeks
are summed up here, because a database groups fastest by stored columns.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Avg, Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from restaurants.models import Restaurant
from reviews.inbox.placement import rules_by_restaurant
from reviews.models import DEFAULT_RULES, NO_ANSWER, PUBLISHED, Review

PERIODS = {30: _lazy("30 days"), 90: _lazy("90 days"), 365: _lazy("A year")}
DIMENSIONS = {
    "global_rating": _lazy("Overall"),
    "food_quality_rating": _lazy("Food"),
    "service_rating": _lazy("Service"),
    "ambience_rating": _lazy("Ambience"),
}
BUCKETS = range(11)
WIDTH, HEIGHT, TOP = 240, 64, 10  # units of a small picture; the browser stretches it
HOUR = 3600


@dataclass(slots=True)
class Sum:
    """A mean that can be added up: the total of the ratings and how many there were."""

    total: float = 0.0
    number: int = 0

    def add(self, mean: Any, number: int) -> None:
        if mean is not None:
            self.total += float(mean) * number
            self.number += number

    @property
    def mean(self) -> float | None:
        return round(self.total / self.number, 2) if self.number else None


@dataclass(slots=True)
class Answers:
    """How the published comments of one restaurant were answered."""

    target: timedelta
    comments: int = 0
    replied: int = 0
    in_time: int = 0
    hours: list[float] = field(default_factory=list)

    def add(self, written: datetime | None, replied: datetime | None, *, is_answered: bool) -> None:
        self.comments += 1
        self.replied += is_answered
        if not is_answered or written is None or replied is None:
            return
        took = max(replied - written, timedelta(0))
        self.hours.append(took.total_seconds() / HOUR)
        self.in_time += took <= self.target

    @property
    def rate(self) -> float | None:
        return 100 * self.replied / self.comments if self.comments else None

    @property
    def hours_to_reply(self) -> float | None:
        return median(self.hours) if self.hours else None

    @property
    def in_time_share(self) -> float | None:
        """Of all comments, so that what was never answered counts against it."""
        return 100 * self.in_time / self.comments if self.comments else None


class WeekPoint(NamedTuple):
    x: float
    y: float
    day: date
    mean: float
    number: int


class Picture(NamedTuple):
    """One small line: a restaurant, its mean over the whole period, and its weeks."""

    restaurant: Restaurant
    mean: float | None
    number: int
    points: list[WeekPoint]

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)


class ScoreBar(NamedTuple):
    label: str
    number: int
    x: int
    y: float
    height: float


class Numbers:
    def __init__(
        self, restaurants: list[Restaurant], *, days: int, dimension: str, today: date
    ) -> None:
        self.restaurants = {one.pk: one for one in restaurants}
        self.days = days
        self.dimension = dimension
        self.start, self.end = today - timedelta(days=days - 1), today
        self.reviews = Review.objects.counted().filter(
            restaurant__in=list(self.restaurants), service_day__range=(self.start, self.end)
        )

    # --- Ratings -----------------------------------------------------------------------------

    @cached_property
    def _days(self) -> list[dict[str, Any]]:
        """Counts and means by restaurant and day. One query."""
        means = {f"mean_{name}": Avg(name) for name in DIMENSIONS}
        numbers = {f"number_{name}": Count(name) for name in DIMENSIONS}
        grouped = self.reviews.order_by().values("restaurant_id", "service_day")
        return [dict(row) for row in grouped.annotate(reviews=Count("pk"), **means, **numbers)]

    @cached_property
    def weeks(self) -> list[date]:
        """The Mondays of the period."""
        first = self.start - timedelta(days=self.start.weekday())
        return [first + timedelta(weeks=n) for n in range((self.end - first).days // 7 + 1)]

    @cached_property
    def by_week(self) -> dict[tuple[int, date], dict[str, Sum]]:
        found: dict[tuple[int, date], dict[str, Sum]] = defaultdict(_sums)
        for row in self._days:
            monday = row["service_day"] - timedelta(days=row["service_day"].weekday())
            _add(found[row["restaurant_id"], monday], row)
        return found

    @cached_property
    def by_restaurant(self) -> dict[int, dict[str, Sum]]:
        found: dict[int, dict[str, Sum]] = defaultdict(_sums)
        for row in self._days:
            _add(found[row["restaurant_id"]], row)
        return found

    @cached_property
    def number(self) -> int:
        return sum(row["reviews"] for row in self._days)

    @cached_property
    def mean(self) -> float | None:
        whole = Sum()
        for sums in self.by_restaurant.values():
            whole.total += sums[self.dimension].total
            whole.number += sums[self.dimension].number
        return whole.mean

    @property
    def pictures(self) -> list[Picture]:
        """A line for each restaurant, the best first; who was not rated comes last."""
        drawn = [self._picture(restaurant) for restaurant in self.restaurants.values()]
        return sorted(drawn, key=lambda one: (one.mean is None, -(one.mean or 0)))

    def _picture(self, restaurant: Restaurant) -> Picture:
        whole = self.by_restaurant[restaurant.pk][self.dimension]
        points = []
        for index, monday in enumerate(self.weeks):
            week = self.by_week[restaurant.pk, monday][self.dimension]
            if week.mean is not None:
                x = round(WIDTH * (index + 0.5) / len(self.weeks), 1)
                y = round(HEIGHT - week.mean * HEIGHT / TOP, 1)
                points.append(WeekPoint(x, y, monday, week.mean, week.number))
        return Picture(restaurant, whole.mean, whole.number, points)

    @cached_property
    def distribution(self) -> list[ScoreBar]:
        """How many reviews each whole score has. One query."""
        rows = self.reviews.exclude(global_rating=None).order_by().values_list("global_rating")
        counts = dict.fromkeys(BUCKETS, 0)
        for rating, number in rows.annotate(n=Count("pk")):
            counts[int(rating)] += number
        most = max(counts.values()) or 1
        return [_bar(score, number, most=most) for score, number in counts.items()]

    # --- Answers -----------------------------------------------------------------------------

    @cached_property
    def answers(self) -> dict[int, Answers]:
        """How fast comments were answered, by restaurant. Up to two queries."""
        rules = rules_by_restaurant(self.restaurants)
        found = {pk: Answers(rules.get(pk, DEFAULT_RULES).target) for pk in self.restaurants}
        columns = ("restaurant_id", "comment_published_ts", "reply_created_ts", "reply_status")
        answerable = self.reviews.filter(comment_status=PUBLISHED).values_list(*columns)
        for pk, written, replied, status in answerable.iterator():
            found[pk].add(written, replied, is_answered=status not in NO_ANSWER)
        return found

    @cached_property
    def all_answers(self) -> Answers:
        whole = Answers(DEFAULT_RULES.target)
        for one in self.answers.values():
            whole.comments += one.comments
            whole.replied += one.replied
            whole.in_time += one.in_time
            whole.hours += one.hours
        return whole

    @property
    def table(self) -> list[dict[str, Any]]:
        """One line per restaurant, as the page and the file show it."""
        return [self._line(picture.restaurant) for picture in self.pictures]

    def _line(self, restaurant: Restaurant) -> dict[str, Any]:
        sums, answers = self.by_restaurant[restaurant.pk], self.answers[restaurant.pk]
        return {
            "restaurant": restaurant,
            "reviews": sums["global_rating"].number,
            "means": [sums[name].mean for name in DIMENSIONS],
            "comments": answers.comments,
            "rate": answers.rate,
            "hours": answers.hours_to_reply,
            "in_time": answers.in_time_share,
        }

    def spreadsheet_rows(self) -> Iterator[list[Any]]:
        """The figures week by week, then each restaurant's answers over the whole period."""
        words = [str(label) for label in DIMENSIONS.values()]
        yield [_("Restaurant"), _("Week from"), _("Ratings"), *words]
        for restaurant in self.restaurants.values():
            for monday in self.weeks:
                sums = self.by_week[restaurant.pk, monday]
                number = sums["global_rating"].number
                yield [restaurant.name, monday, number, *(sums[n].mean for n in DIMENSIONS)]
        yield []
        yield [
            _("Restaurant"),
            _("Comments"),
            _("Answered, per cent"),
            _("Hours to the reply, median"),
            _("Answered within the target, per cent"),
        ]
        for line in self.table:
            shares = [_rounded(line[name]) for name in ("rate", "hours", "in_time")]
            yield [line["restaurant"].name, line["comments"], *shares]


def _sums() -> dict[str, Sum]:
    return {name: Sum() for name in DIMENSIONS}


def _add(sums: dict[str, Sum], row: dict[str, Any]) -> None:
    for name, kept in sums.items():
        kept.add(row[f"mean_{name}"], row[f"number_{name}"])


def _bar(score: int, number: int, *, most: int) -> ScoreBar:
    height = round(number * HEIGHT / most, 1)
    return ScoreBar(str(score), number, score * 20, HEIGHT - height, height)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
