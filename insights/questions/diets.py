"""What do our guests not eat? Allergens, intolerances and diets, by certainty."""

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from customers.allergies.labels import name_of
from customers.allergies.needs import CERTAINTIES, OTHER
from insights.answers import Column, Delta, InsightAnswer, Table, grown, spell
from insights.forms import InsightParams
from insights.models import CountRow, DietaryCount, first_of_month
from insights.pictures import Bars, Point
from insights.questions.drawing import point
from insights.sums.known import known_days, like_for_like
from insights.sums.reading import Sums, summed_by
from insights.sums.rereading import month_waiting
from lib.dates import date_format

NAMES = ("parties", "people")
MOST_BARS = 12
DAYS = range(7)
CERTAINTY_NAMES = {
    "tagged": gettext_lazy("tagged"),
    "stated": gettext_lazy("in a note"),
    "maybe": gettext_lazy("perhaps"),
}
COUNTED = (
    gettext_lazy("Confirmed bookings, with the tags of their guests and what notes, favourites "
                 "and own fields say in seven languages. Cancelled bookings and no-shows are "
                 "left out."),
    gettext_lazy("Each party counts once for each thing that it does not eat, under its surest "
                 "certainty: tagged by the service, said in a note, or perhaps, which is a weak "
                 "hint. The three are never added up."),
    gettext_lazy("People are as many as the note names, else one for each party: at least so "
                 "many."),
    gettext_lazy("Who said nothing is not counted as somebody who eats everything. This plans "
                 "purchases; it protects nobody: ask the guest."),
    gettext_lazy("A booking has a channel, these counts have none: the channel changes nothing "
                 "here."),
)  # fmt: skip

Found = dict[tuple[Any, ...], Sums]


def answer(params: InsightParams) -> InsightAnswer:
    now, before = (_by_certainty(one) for one in (params, params.before))
    tagged, stated, maybe = (_parties(now, "", one) for one in CERTAINTIES)
    words = _("Parties by what they do not eat; %(tagged)s tagged, %(stated)s in a note.") % {
        "tagged": spell(tagged, "number"),
        "stated": spell(stated, "number"),
    }
    return InsightAnswer(
        number=spell(tagged, "number"),
        caption=_("parties tagged; of the others %(stated)s said it in a note, %(maybe)s perhaps")
        % {"stated": spell(stated, "number"), "maybe": spell(maybe, "number")},
        delta=_change(params),
        picture=Bars(_bars(now, before if _is_comparable(params) else {}), words=words),
        write_table=lambda: _table(params),
        counted=COUNTED,
        coverage=_coverage(params),
        is_known=bool(now),
    )


def _is_comparable(params: InsightParams) -> bool:
    """What is booked so far says nothing beside weeks that are over."""
    return not params.is_ahead and known_days(params).is_whole


def _coverage(params: InsightParams) -> list[str]:
    """Whether notes of these days wait to be read with other word lists. One query."""
    month = month_waiting(params.ids)
    if month is None or month < first_of_month(params.first):
        return []
    words = _("Notes up to %(month)s are being read again with other word lists.")
    return [words % {"month": date_format(month, "F Y")}]


def _change(params: InsightParams) -> Delta | None:
    if params.is_ahead:
        return None
    both = like_for_like(params, _tagged_rows, ("parties",))
    return grown(both[0]["parties"], both[1]["parties"], good="") if both else None


def _tagged_rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return _rows(params, daily=daily).filter(code="", certainty="tagged")


def _rows(params: InsightParams, *, daily: bool = False) -> QuerySet[Any]:
    held = DietaryCount.objects
    reach = (params.ids, params.first, params.last)
    found = held.daily(*reach) if daily else held.of(*reach)
    found = found.filter(cut=CountRow.BY_SERVICE)
    return found.filter(service=params.service) if params.service else found


def _by_certainty(params: InsightParams) -> Found:
    return summed_by(_rows(params), ("code", "certainty"), NAMES)


def _parties(found: Found, code: str, certainty: str) -> int:
    sums = found.get((code, certainty))
    return sums["parties"] if sums else 0


def _bars(now: Found, before: Found) -> list[Point]:
    """What most parties do not eat, each certainty in a bar of its own."""
    ranked = sorted(((*key, sums["parties"]) for key, sums in now.items() if key[0]), key=_rank)
    return [
        point(
            _("%(name)s, %(certainty)s")
            % {"name": _name(code), "certainty": CERTAINTY_NAMES[certainty]},
            parties,
            _parties(before, code, certainty) if before else None,
            kind="number",
        )
        for code, certainty, parties in ranked[:MOST_BARS]
    ]


def _rank(bar: tuple[str, str, int]) -> tuple[int, int, str]:
    code, certainty, parties = bar
    return -parties, CERTAINTIES.index(certainty), code


def _name(code: str) -> str:
    return _("Another tag") if code == OTHER else name_of(code)


def _table(params: InsightParams) -> Table:
    """By restaurant, then what most parties do not eat; a column for each weekday."""
    labels = (
        Column(_("Restaurant")),
        Column(_("Does not eat")),
        Column(_("Certainty")),
        Column(_("Parties"), "number"),
        Column(_("People, at least"), "number"),
        *(Column(WEEKDAYS_ABBR[day], "number") for day in DAYS),
    )
    places = [one.pk for one in params.restaurants]
    names = {one.pk: one.name for one in params.restaurants}
    lines = _lines(params)
    order = sorted(
        lines, key=lambda key: (places.index(key[0]), _rank((*key[1:], _sum(lines[key]))))
    )
    return Table(labels, [[names[key[0]], *_line(key, lines[key])] for key in order])


def _lines(params: InsightParams) -> dict[tuple[int, str, str], dict[int, Sums]]:
    """The sums of each restaurant, code and certainty by weekday. One query."""
    by = ("restaurant", "code", "certainty", "weekday")
    lines: dict[tuple[int, str, str], dict[int, Sums]] = defaultdict(dict)
    for (place, code, certainty, weekday), sums in summed_by(
        _rows(params).exclude(code=""), by, NAMES
    ).items():
        lines[place, code, certainty][weekday] = sums
    return lines


def _sum(days: dict[int, Sums], name: str = "parties") -> int:
    return sum(sums[name] for sums in days.values())


def _line(key: tuple[int, str, str], days: dict[int, Sums]) -> list[Any]:
    _place, code, certainty = key
    parties = [days[day]["parties"] if day in days else 0 for day in DAYS]
    return [
        _name(code),
        str(CERTAINTY_NAMES[certainty]),
        _sum(days),
        _sum(days, "people"),
        *parties,
    ]
