"""How wrong the forecasts were: yesterday, and in the last four weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from insights.answers import Column, Table, spell
from insights.expected.errors import ForecastErrors, errors_of, together
from insights.forecast import HORIZONS
from insights.pictures import Bars, Point
from restaurants.models import Restaurant

PERIODS = {"month": gettext_lazy("Last 4 weeks"), "day": gettext_lazy("Yesterday")}
DAYS = {"month": 28, "day": 1}
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Period:
    key: str
    is_on: bool

    @property
    def label(self) -> Promise:
        return PERIODS[self.key]


class ErrorsPage:
    """One query of stored rows, whatever the number of restaurants."""

    def __init__(self, restaurants: Sequence[Restaurant], *, now: datetime, period: str) -> None:
        self.restaurants = restaurants
        self.period = period if period in PERIODS else "month"
        first = min((one.service_day(now) for one in restaurants), default=now.date())
        self.last = first - DAY
        self.first = first - DAYS[self.period] * DAY

    @property
    def periods(self) -> list[Period]:
        return [Period(key, key == self.period) for key in PERIODS]

    @cached_property
    def found(self) -> dict[tuple[int, int], ForecastErrors]:
        """By restaurant and days before. One query."""
        return errors_of([one.pk for one in self.restaurants], self.first, self.last)

    @cached_property
    def totals(self) -> dict[int, ForecastErrors]:
        """Of all restaurants together, by days before."""
        return {
            horizon: together(one for (_pk, days), one in self.found.items() if days == horizon)
            for horizon in HORIZONS
        }

    @property
    def is_known(self) -> bool:
        return bool(self.found)

    @property
    def has_walked(self) -> bool:
        return any(one.walked for one in self.totals.values())

    @property
    def picture(self) -> Bars:
        known = [(days, one) for days, one in self.totals.items() if one.wape is not None]
        points = [_point(days, one) for days, one in known]
        return Bars(points, words=_("How far off the forecasts were, by days before."))

    @property
    def table(self) -> Table:
        rows = []
        if len(self.restaurants) > 1:
            rows += [_row(_("All together"), days, one) for days, one in self.totals.items()]
        for place in self.restaurants:
            rows += [
                _row(place.name, days, self.found[place.pk, days])
                for days in HORIZONS
                if (place.pk, days) in self.found
            ]
        return Table(_columns(), [row for row in rows if row[2]])

    @property
    def file(self) -> Table:
        """Without the sums: a file is added up elsewhere."""
        names = {one.name for one in self.restaurants}
        table = self.table
        return Table(table.columns, [row for row in table.rows if row[0] in names])


def _columns() -> list[Column]:
    return [
        Column(_("Restaurant")),
        Column(_("Days before"), "number"),
        Column(_("Services"), "number"),
        Column(_("Off by"), "share"),
        Column(_("Bias"), "share"),
        Column(_("Inside the range"), "share"),
        Column(_("Average of the last four"), "share"),
        Column(_("Booked × usual ratio"), "share"),
        Column(_("By a simple rule"), "number"),
        Column(_("Worked out afterwards"), "number"),
    ]


def _row(name: str, days: int, one: ForecastErrors) -> list[object]:
    shares = (one.wape, one.bias, one.inside_share, one.last_four, one.ratio)
    return [name, days, one.services, *map(_decimal, shares), one.by_rule, one.walked]


def _decimal(share: float | None) -> Decimal | None:
    return None if share is None else Decimal(str(round(share, 4)))


def _point(days: int, one: ForecastErrors) -> Point:
    label = ngettext("%(n)s day before", "%(n)s days before", days) % {"n": days}
    better = one.better_rule
    words = _("%(label)s: off by %(wape)s; the better simple rule %(rule)s") % {
        "label": label,
        "wape": spell(_decimal(one.wape), "share"),
        "rule": spell(_decimal(better), "share"),
    }
    return Point(label, one.wape or 0.0, better, words)
