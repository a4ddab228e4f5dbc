"""How full were we? Covers, because the service states no capacity."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from insights.answers import Column, Delta, InsightAnswer, Table, grown, share, spell
from insights.forms import InsightParams
from insights.models import BookingCount, CountRow
from insights.pictures import Heat
from insights.questions.drawing import columns
from insights.sums.known import (
    KnownDays,
    known_days,
    like_for_like,
    like_for_like_by_restaurant,
)
from insights.sums.reading import Sums, rows, series, summed, total
from lib.templatetags.ui import at_least
from reservations.service_day.services import service_of

NAMES = ("covers", "bookings", "walk_ins")
HEAT_WEEKS = 4
STEPS = 7
COUNTED = (
    gettext_lazy("Covers are the people of confirmed bookings and walk-ins."),
    gettext_lazy("Cancelled bookings, no-shows and unanswered requests are left out."),
    gettext_lazy("The service states no capacity, so fullness is not a percentage."),
)


def answer(params: InsightParams) -> InsightAnswer:
    now, before = series(BookingCount, params, NAMES), series(BookingCount, params.before, NAMES)
    covers, known = total(now)["covers"], known_days(params)
    number = at_least(covers, known.unread)
    words = _("Covers over time: %(covers)s in all.") % {"covers": number}
    return InsightAnswer(
        number=number,
        caption=_("covers, %(mean)s per open day")
        % {"mean": spell(_mean(params, covers, known), "number")},
        delta=_change(params),
        picture=columns(now, before, lambda sums: sums["covers"], kind="number", words=words),
        write_table=lambda: _table(params),
        write_heat=lambda: None if params.channel else heat(params),
        counted=COUNTED,
        is_known=covers > 0,
    )


def _mean(params: InsightParams, covers: int, known: KnownDays) -> Decimal | None:
    """Covers of a day. A query while days of the range are being read: it is of the others."""
    if known.unread:
        of_days = rows(BookingCount, params, daily=True).filter(start__in=known.whole)
        covers = of_days.aggregate(covers=Sum("covers", default=0))["covers"]
    return share(covers, len(known.whole))


def _change(params: InsightParams) -> Delta | None:
    return _grown(like_for_like(params, _rows, ("covers",)))


def _grown(both: tuple[Sums, Sums] | None) -> Delta | None:
    return grown(both[0]["covers"], both[1]["covers"]) if both else None


def _rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return rows(BookingCount, params, daily=daily)


def _table(params: InsightParams) -> Table:
    now = summed(rows(BookingCount, params), "restaurant", NAMES)
    both = like_for_like_by_restaurant(params, _rows, ("covers",))
    none = dict.fromkeys(NAMES, 0)
    found: list[list[Any]] = []
    for restaurant in params.restaurants:
        sums = now.get(restaurant.pk, none)
        change = _grown(both.get(restaurant.pk))
        found.append(
            [restaurant.name, sums["covers"], change and change.words]
            + [sums["bookings"], sums["walk_ins"]]
        )
    found.sort(key=lambda row: -row[1])
    labels = (
        Column(_("Restaurant")),
        Column(_("Covers"), "number"),
        Column(_("Change"), "change"),
        Column(_("Bookings"), "number"),
        Column(_("of these, walk-ins"), "number"),
    )
    return Table(labels, found)


def heat(params: InsightParams) -> Heat | None:
    """Covers by weekday and hour of the last four weeks of the range. One query.

    Of a range that is no whole week some weekdays would count more often than others.
    """
    weeks = min(params.days // 7, HEAT_WEEKS)
    first = params.last - timedelta(days=7 * weeks - 1) if weeks else params.first
    found = BookingCount.objects.daily(params.ids, first, params.last).filter(cut=CountRow.BY_HOUR)
    cells: dict[tuple[int, int], int] = {}
    groups = found.order_by().values_list("start", "hour").annotate(Sum("covers"))
    for day, hour, covers in groups:
        if not params.service or service_of(hour) == params.service:
            cells[day.weekday(), hour] = cells.get((day.weekday(), hour), 0) + covers
    cells = {place: covers for place, covers in cells.items() if covers}
    if not cells:
        return None
    hours = range(min(h for _d, h in cells), max(h for _d, h in cells) + 1)
    most = max(cells.values())
    grid = [
        (str(WEEKDAYS_ABBR[day]), [_cell(cells.get((day, hour), 0), most) for hour in hours])
        for day in range(7)
    ]
    return Heat([hour % 24 for hour in hours], grid, first, params.last)


def _cell(covers: int, most: int) -> tuple[int, int]:
    return covers, -(-covers * STEPS // most)
