"""One line of what is booked and expected: a service of a day, of one restaurant or of several."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple, TypeVar

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from insights.answers import spell
from insights.forecast import Rule
from lib.dates import date_format
from lib.labels import labelled

Number = TypeVar("Number", int, float)

RULES: dict[int, Promise] = {
    Rule.FORECAST: gettext_lazy("Forecast"),
    Rule.LAST_FOUR: gettext_lazy("Average of the last four"),
    Rule.RATIO: gettext_lazy("Booked × usual ratio"),
}


class Expectation(NamedTuple):
    """The columns of a stored forecast, in the order in which they are read."""

    restaurant: int
    day: date
    service: str
    covers: int
    lower: int
    upper: int
    rule: int
    usually_booked: float
    usually_next: float
    no_shows: float | None
    missed_before: int | None
    came_before: int | None


class ExpectedDay(NamedTuple):
    """A service of a day. What is unknown is None and shown as a dash."""

    day: date
    booked: int
    covers: int | None = None
    lower: int | None = None  # of one restaurant only: ranges cannot be added up
    upper: int | None = None
    usual: int | None = None  # covers usually booked by now
    rule: int | None = None
    no_shows: float | None = None  # covers that are expected not to come
    missed_before: int | None = None  # covers of no-shows at like services, of one restaurant
    came_before: int | None = None

    @property
    def label(self) -> str:
        return f"{WEEKDAYS_ABBR[self.day.weekday()]} {self.day.day}"

    @property
    def spelt(self) -> str:
        return spell(self.covers, "number")

    @property
    def range(self) -> str:
        """“92–118”."""
        if self.lower is None or self.upper is None:
            return ""
        return f"{spell(self.lower, 'number')}–{spell(self.upper, 'number')}"

    @property
    def is_simple(self) -> bool:
        """Whether a simple rule was less wrong lately, and this is its number."""
        return bool(self.rule)

    @property
    def is_closed(self) -> bool:
        """Whether nobody is booked or expected: most likely the service is not held."""
        return self.covers == self.upper == self.booked == 0

    @property
    def missing(self) -> int | None:
        """Expected no-shows in whole covers."""
        return None if self.no_shows is None else round(self.no_shows)

    @property
    def missing_words(self) -> str:
        return no_show_words(self.missing) if self.missing else ""

    @property
    def words(self) -> str:
        """The day in a sentence, for who hovers or listens."""
        parts = [_("%(covers)s booked") % {"covers": spell(self.booked, "number")}]
        if self.covers is not None:
            parts.append(_("%(covers)s expected") % {"covers": self.spelt})
        if shown := self.range:
            parts.append(_("range %(range)s") % {"range": shown})
        if missing := self.missing_words:
            parts.append(missing)
        return labelled(day_words(self.day), ", ".join(parts))


def of_one(day: date, booked: int, found: Expectation | None, *, passed: float) -> ExpectedDay:
    """`passed`: the share of today that is over, because bookings come in all day."""
    if found is None:
        return ExpectedDay(day, booked)
    usual = found.usually_booked + passed * (found.usually_next - found.usually_booked)
    return ExpectedDay(
        *(day, booked, found.covers, found.lower, found.upper, round(usual), found.rule),
        *(found.no_shows, found.missed_before, found.came_before),
    )


def together(days: Sequence[ExpectedDay]) -> ExpectedDay:
    """Several restaurants' services of one day. Without a forecast of each there is no sum."""
    if len(days) == 1:
        return days[0]
    return ExpectedDay(
        days[0].day,
        sum(one.booked for one in days),
        _sum(one.covers for one in days),
        usual=_sum(one.usual for one in days),
        no_shows=_sum(one.no_shows for one in days),
    )


def day_words(day: date) -> str:
    """“Saturday 28 November”."""
    return _day_words(day, get_language())


@lru_cache(maxsize=512)
def _day_words(day: date, _language: str | None) -> str:
    """Every restaurant has the same days."""
    return date_format(day, "l j F")


def no_show_words(covers: int) -> str:
    """“about 3 no-shows”."""
    words = ngettext("about %(n)s no-show", "about %(n)s no-shows", covers)
    return words % {"n": spell(covers, "number")}


def _sum(numbers: Iterable[Number | None]) -> Number | None:
    known = list(numbers)
    return None if None in known else sum(number for number in known if number)
