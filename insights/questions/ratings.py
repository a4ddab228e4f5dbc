"""How did guests rate us, and did we answer?"""

from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from insights.answers import Column, Delta, InsightAnswer, Table, moved, share, spell
from insights.forms import InsightParams
from insights.models import Rating
from insights.questions.drawing import columns
from insights.sums.known import like_for_like_of_reviews
from insights.sums.reading import Sums, rows, series, summed, total

NAMES = (
    "reviews",
    "rated",
    "rating",
    "low",
    "food_rated",
    "food",
    "service_rated",
    "service_points",
    "ambience_rated",
    "ambience",
    "published",
    "answered",
    "timed",
    "delay",
)
COUNTED = (
    gettext_lazy("Ratings from 0 to 10 of visits on these days; reviews that the service "
                 "declared invalid are left out."),
    gettext_lazy("Answered are published comments with a reply; a reply that was refused does "
                 "not count. A rating without a comment cannot be answered."),
    gettext_lazy("Reviews name no channel, so the channel changes nothing here."),
)  # fmt: skip


def answer(params: InsightParams) -> InsightAnswer:
    now, before = series(Rating, params, NAMES), series(Rating, params.before, NAMES)
    sums = total(now)
    words = _("Mean rating over time: %(mean)s of 10.") % {"mean": spell(mean(sums), "points")}
    return InsightAnswer(
        number=spell(mean(sums), "points"),
        caption=_("of 10 in %(reviews)s reviews; %(share)s of comments answered")
        % {
            "reviews": spell(sums["reviews"], "number"),
            "share": spell(share(sums["answered"], sums["published"]), "share"),
        },
        delta=_change(params),
        picture=columns(now, before, mean, kind="points", words=words),
        write_table=lambda: _table(params),
        counted=COUNTED,
        coverage=[_drag(sums)],
        is_known=sums["reviews"] > 0,
    )


def _change(params: InsightParams) -> Delta | None:
    both = like_for_like_of_reviews(params, _rows, ("rating", "rated"))
    return moved(mean(both[0]), mean(both[1]), words=_("%s points")) if both else None


def _rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return rows(Rating, params, daily=daily)


def mean(sums: Sums) -> Decimal | None:
    return Decimal(sums["rating"]) / 1000 / sums["rated"] if sums["rated"] else None


def _part(sums: Sums, points: str, number: str) -> Decimal | None:
    return Decimal(sums[points]) / sums[number] if sums[number] else None


def _parts(sums: Sums) -> list[Decimal | None]:
    names = (("food", "food_rated"), ("service_points", "service_rated"))
    return [_part(sums, *pair) for pair in (*names, ("ambience", "ambience_rated"))]


def _drag(sums: Sums) -> str:
    """Return which of the three partial ratings lowers the overall rating most."""
    named = zip((_("Food"), _("Service"), _("Ambience")), _parts(sums), strict=True)
    known = [(points, name) for name, points in named if points is not None]
    if not known:
        return _("Food, service and ambience are not rated on these days.")
    points, name = min(known)
    return _("What drags the score: %(name)s, %(points)s of 10.") % {
        "name": name,
        "points": spell(points, "points"),
    }


def _table(params: InsightParams) -> Table:
    found = summed(rows(Rating, params), "restaurant", NAMES)
    labels = (
        Column(_("Restaurant")),
        Column(_("Rating"), "points"),
        Column(_("Reviews"), "number"),
        Column(_("6 and below"), "number"),
        Column(_("Food"), "points"),
        Column(_("Service"), "points"),
        Column(_("Ambience"), "points"),
        Column(_("Comments answered"), "share"),
        Column(_("Hours to answer"), "points"),
    )
    lines = [[one.name, *_line(found[one.pk])] for one in params.restaurants if one.pk in found]
    return Table(labels, sorted(lines, key=lambda line: -(line[1] or 0)))


def _line(sums: Sums) -> list[Any]:
    hours = Decimal(sums["delay"]) / 60 / sums["timed"] if sums["timed"] else None
    answered = share(sums["answered"], sums["published"])
    return [mean(sums), sums["reviews"], sums["low"], *_parts(sums), answered, hours]
