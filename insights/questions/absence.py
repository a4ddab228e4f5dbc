"""Who did not come? Says nothing about a restaurant that never marks arrivals."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from insights.answers import Column, Delta, InsightAnswer, Table, left_out, share, shifted, spell
from insights.forms import InsightParams
from insights.models import BookingCount
from insights.questions.drawing import columns
from insights.sums.known import like_for_like
from insights.sums.reading import Sums, rows, series, summed, total
from reservations.service_day.bookings import marks_arrivals

NAMES = ("bookings", "walk_ins", "marked", "no_shows", "no_show_covers", "cancelled")
COUNTED = (
    gettext_lazy("A no-show is a confirmed booking that the restaurant marked so."),
    gettext_lazy("The share is of bookings that were kept or missed: walk-ins, cancelled and "
                 "unanswered ones are left out."),
    gettext_lazy("A restaurant counts only if at least one in five of its bookings carries a "
                 "mark of the arrival: without marks nobody can be known to be missing."),
)  # fmt: skip


def answer(params: InsightParams) -> InsightAnswer:
    sums = summed(rows(BookingCount, params), "restaurant", NAMES)
    marking = [one for one in params.restaurants if marks(sums.get(one.pk, {}))]
    among = replace(params, restaurants=marking)
    silent = [one.name for one in params.restaurants if one not in marking and one.pk in sums]
    now, before = series(BookingCount, among, NAMES), series(BookingCount, among.before, NAMES)
    rate = missed(total(now))
    words = _("Share of bookings missed, over time: %(rate)s in all.") % {
        "rate": spell(rate, "share")
    }
    return InsightAnswer(
        number=spell(rate, "share"),
        caption=_("of bookings were missed: %(people)s people")
        % {"people": spell(total(now)["no_show_covers"], "number")},
        delta=_change(among),
        picture=columns(now, before, missed, kind="share", words=words),
        write_table=lambda: _table(params, sums),
        counted=COUNTED,
        coverage=[_coverage(params, marking=len(marking))],
        left_out=left_out(_("Left out, too few arrivals marked in this time: %(names)s."), silent),
        is_known=rate is not None,
    )


def _change(marking: InsightParams) -> Delta | None:
    """The change at the restaurants that marked arrivals on both sides."""
    before = summed(rows(BookingCount, marking.before), "restaurant", NAMES)
    marked_then = [one for one in marking.restaurants if marks(before.get(one.pk, {}))]
    both = like_for_like(replace(marking, restaurants=marked_then), _rows, NAMES)
    return shifted(missed(both[0]), missed(both[1]), good="down") if both else None


def _rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return rows(BookingCount, params, daily=daily)


def marks(sums: Sums) -> bool:
    """Whether enough of the bookings that were expected carry a mark of the arrival."""
    expected = sums.get("bookings", 0) - sums.get("walk_ins", 0)
    return marks_arrivals(expected, sums.get("marked", 0))


def missed(sums: Sums) -> Decimal | None:
    expected = sums["bookings"] - sums["walk_ins"] + sums["no_shows"]
    return share(sums["no_shows"], expected)


def _coverage(params: InsightParams, *, marking: int) -> str:
    number = len(params.restaurants)
    return ngettext(
        "In this time enough arrivals were marked at %(marking)s of %(number)s restaurant.",
        "In this time enough arrivals were marked at %(marking)s of %(number)s restaurants.",
        number,
    ) % {"marking": marking, "number": number}


def _table(params: InsightParams, found: dict[int, Sums]) -> Table:
    labels = (
        Column(_("Restaurant")),
        Column(_("Missed"), "share"),
        Column(_("No-shows"), "number"),
        Column(_("People missed"), "number"),
        Column(_("Cancelled"), "number"),
        Column(_("Bookings kept"), "number"),
        Column(_("Arrivals")),
    )
    lines = [
        _line(one.name, found.get(one.pk) or dict.fromkeys(NAMES, 0)) for one in params.restaurants
    ]
    return Table(labels, sorted(lines, key=lambda line: -(line[1] or 0)))


def _line(name: str, sums: Sums) -> list[Any]:
    is_marking = marks(sums)
    known = (missed(sums), sums["no_shows"], sums["no_show_covers"]) if is_marking else (None,) * 3
    kept = sums["bookings"] - sums["walk_ins"]
    word = _("marked") if is_marking else _("too few marked")
    return [name, *known, sums["cancelled"], kept, word]
