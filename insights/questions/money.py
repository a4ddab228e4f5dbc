"""What did guests spend, and which campaigns pay? Two currencies are never added up."""

from collections import Counter, defaultdict
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from insights.answers import (
    Column,
    Delta,
    InsightAnswer,
    Table,
    Words,
    amount,
    grown,
    left_out,
    share,
    spell,
)
from insights.forms import InsightParams
from insights.models import BookingCount, Campaign, Spend
from insights.pictures import Bars, Point
from insights.questions.drawing import columns, point
from insights.sums.known import known_days, like_for_like
from insights.sums.reading import Sums, finest, rows, series, summed, summed_by, total

NAMES = ("bookings", "covers", "total", "sized_total")
COUNTED = (
    gettext_lazy("Bills of confirmed bookings, from the point-of-sale order linked to each."),
    gettext_lazy("Spend per cover is the sum of the bills divided by their people."),
    gettext_lazy("Each currency is counted by itself; the number is of the one with most bills."),
)
CAMPAIGNS_COUNTED = (
    gettext_lazy("Campaigns are the words in the link by which a guest came (utm source, medium "
                 "and campaign). Only online bookings carry them."),
    gettext_lazy("Lost are the bookings that were cancelled or missed."),
    gettext_lazy("Spend is the sum of the bills that are known, each currency in a row of "
                 "its own."),
)  # fmt: skip


def spend(params: InsightParams) -> InsightAnswer:
    found = _by_place(params)
    currency = _main_currency(found)
    only = {"currency": currency}
    now, before = series(Spend, params, NAMES, **only), series(Spend, params.before, NAMES, **only)
    mean = per_cover(total(now))
    spelled = spell(mean, "mean money", currency=currency)
    bills = spell(amount(total(now)["total"]), "money", currency=currency)
    return InsightAnswer(
        number=f"{spelled} {currency}".rstrip(),
        caption=_caption(bills, currency),
        delta=_spend_change(params, found, currency),
        picture=columns(
            now,
            before,
            per_cover,
            kind="mean money",
            words=_in_words(spelled, currency),
            currency=currency,
        ),
        write_table=lambda: _table(params, found),
        counted=COUNTED,
        coverage=[_coverage(params, sum(sums["bookings"] for sums in found.values()))],
        left_out=_left_out(params, found, currency),
        is_known=mean is not None,
    )


def _caption(bills: str, currency: str) -> str:
    if currency:
        words = _("per cover; %(total)s %(currency)s in all")
        return words % {"total": bills, "currency": currency}
    return _("per cover; %(total)s in all, in a currency that the bills do not name") % {
        "total": bills
    }


def _in_words(mean: str, currency: str) -> str:
    if currency:
        words = _("Spend per cover over time: %(mean)s %(currency)s on the whole.")
        return words % {"mean": mean, "currency": currency}
    return _("Spend per cover over time: %(mean)s on the whole, the currency is unknown.") % {
        "mean": mean
    }


def _spend_change(
    params: InsightParams, found: dict[tuple[Any, ...], Sums], currency: str
) -> Delta | None:
    """The change at the restaurants with bills in this currency on both sides."""
    before = _by_place(params.before)
    billed = [
        one
        for one in params.restaurants
        if (one.pk, currency) in found and (one.pk, currency) in before
    ]

    def find(params: InsightParams, daily: bool) -> QuerySet[Any]:
        return rows(Spend, params, daily=daily).filter(currency=currency)

    both = like_for_like(replace(params, restaurants=billed), find, ("covers", "sized_total"))
    return grown(per_cover(both[0]), per_cover(both[1])) if both else None


def _left_out(
    params: InsightParams, found: dict[tuple[Any, ...], Sums], currency: str
) -> list[Words]:
    billed: dict[int, list[str]] = defaultdict(list)
    for pk, other in sorted(found):
        billed[pk].append(other)
    others = [
        f"{one.name} ({other or _('unknown')})"
        for one in params.restaurants
        for other in billed.get(one.pk, ())
        if other != currency
    ]
    without = [one.name for one in params.restaurants if one.pk not in billed]
    return [
        *left_out(_("Left out, another currency: %(names)s."), others),
        *left_out(_("Left out, no bills: %(names)s."), without),
    ]


def per_cover(sums: Sums) -> Decimal | None:
    return amount(sums["sized_total"]) / sums["covers"] if sums["covers"] else None


def _by_place(params: InsightParams) -> dict[tuple[Any, ...], Sums]:
    """The sums of each restaurant and currency."""
    return summed_by(rows(Spend, params), ("restaurant", "currency"), NAMES)


def _main_currency(found: dict[tuple[Any, ...], Sums]) -> str:
    bills: Counter[str] = Counter()
    for (_restaurant, currency), sums in found.items():
        bills[currency] += sums["bookings"]
    return min(bills, key=lambda one: (-bills[one], one), default="")


def _coverage(params: InsightParams, bills: int) -> str:
    return _("The bill is known for %(share)s of bookings.") % {
        "share": spell(share(bills, _bookings(params)), "share")
    }


def _bookings(params: InsightParams) -> int:
    found = summed(rows(BookingCount, params), "cut", ["bookings"])
    return sum(sums["bookings"] for sums in found.values())


def _table(params: InsightParams, found: dict[tuple[Any, ...], Sums]) -> Table:
    names = {one.pk: one.name for one in params.restaurants}
    labels = (
        Column(_("Restaurant")),
        Column(_("Currency")),
        Column(_("Per cover"), "mean money", currency=1),
        Column(_("Sum of bills"), "money", currency=1),
        Column(_("Bills"), "number"),
    )
    lines: list[list[Any]] = [
        [
            names[pk],
            currency or _("unknown"),
            per_cover(sums),
            amount(sums["total"]),
            sums["bookings"],
        ]
        for (pk, currency), sums in found.items()
    ]
    return Table(labels, sorted(lines, key=lambda line: (line[1], -line[3])))


CAMPAIGN_NAMES = ("bookings", "covers", "lost", "billed", "total")
MOST = 10  # campaigns in the picture; the table has all


def campaigns(params: InsightParams) -> InsightAnswer:
    rows_now = _by_words_and_currency(params)
    found, before = _by_words(rows_now), _by_words(_by_words_and_currency(params.before))
    beside = before if known_days(params).is_whole else {}
    ranked = sorted(found, key=lambda words: -found[words]["bookings"])
    bookings = _sum(found)
    known = share(bookings, _bookings(params))
    return InsightAnswer(
        number=spell(bookings, "number"),
        caption=_("bookings came by a campaign"),
        delta=_campaigns_change(params),
        picture=Bars(
            [_campaign_point(words, found, beside) for words in ranked[:MOST]],
            words=_("Bookings by campaign."),
        ),
        write_table=lambda: _campaign_table(rows_now),
        counted=CAMPAIGNS_COUNTED,
        coverage=[_("%(share)s of bookings name a campaign.") % {"share": spell(known, "share")}],
        is_known=bool(found),
    )


CampaignWords = tuple[Any, ...]


def _campaigns_change(params: InsightParams) -> Delta | None:
    both = like_for_like(params, _campaign_rows, ("bookings",))
    return grown(both[0]["bookings"], both[1]["bookings"]) if both else None


def _campaign_rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return finest(Campaign, params, daily=daily)


def _by_words_and_currency(params: InsightParams) -> dict[CampaignWords, Sums]:
    by = ("source", "medium", "name", "currency")
    return summed_by(finest(Campaign, params), by, CAMPAIGN_NAMES)


def _by_words(found: dict[CampaignWords, Sums]) -> dict[CampaignWords, Sums]:
    """Bookings and losses whatever the currency: of these there is only one kind."""
    merged: dict[CampaignWords, Sums] = {}
    for (*words, _currency), sums in found.items():
        known = merged.setdefault(tuple(words), {"bookings": 0, "lost": 0})
        for name in known:
            known[name] += sums[name]
    return merged


def _sum(found: dict[CampaignWords, Sums]) -> int:
    return sum(sums["bookings"] for sums in found.values())


def _campaign_point(
    words: CampaignWords, found: dict[CampaignWords, Sums], before: dict[CampaignWords, Sums]
) -> Point:
    then = before.get(words, {}).get("bookings", 0) if before else None
    return point(_name(words), found[words]["bookings"], then, kind="number")


def _name(words: CampaignWords) -> str:
    return " · ".join(word for word in words if word) or _("unnamed")


def _campaign_table(found: dict[CampaignWords, Sums]) -> Table:
    labels = (
        Column(_("Source")),
        Column(_("Medium")),
        Column(_("Campaign")),
        Column(_("Bookings"), "number"),
        Column(_("Covers"), "number"),
        Column(_("Lost"), "number"),
        Column(_("Bills"), "number"),
        Column(_("Sum of bills"), "money", currency=8),
        Column(_("Currency")),
    )
    lines: list[list[Any]] = []
    for (*words, currency), sums in found.items():
        spent = amount(sums["total"]) if sums["billed"] else None
        counts = [sums[name] for name in ("bookings", "covers", "lost", "billed")]
        lines.append([*words, *counts, spent, currency])
    return Table(labels, sorted(lines, key=lambda line: (-line[3], line[0])))
