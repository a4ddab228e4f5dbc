"""Where do bookings come from, and how far ahead do they book?"""

from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from insights.answers import Column, Delta, InsightAnswer, Table, moved, share, shifted, spell
from insights.forms import InsightParams
from insights.models import LEADS, BookingCount
from insights.pictures import Bars, Point
from insights.questions.drawing import point
from insights.sums.known import like_for_like
from insights.sums.reading import Sums, by_channel, channel_rows, rows, series, summed, total
from lib.labels import label_of
from reservations.words import CHANNELS

LEAD_NAMES = {
    0: gettext_lazy("the same day"),
    1: gettext_lazy("the day before"),
    2: gettext_lazy("2–3 days"),
    4: gettext_lazy("4–7 days"),
    8: gettext_lazy("8–14 days"),
    15: gettext_lazy("15–30 days"),
    31: gettext_lazy("31 days and more"),
}
BY_STAFF = {"Offline", "Walk-in"}
CHANNELS_COUNTED = (
    gettext_lazy("Confirmed bookings and walk-ins, by the channel that the service names."),
    gettext_lazy("Online is every channel but staff and walk-ins."),
)
LEAD_COUNTED = (
    gettext_lazy("Days between the date of booking and the service day, on the restaurant's "
                 "calendar; confirmed bookings without walk-ins."),
    gettext_lazy("The service does not state the zone of the moment of booking, so a booking "
                 "near midnight may be a day off."),
)  # fmt: skip


def channels(params: InsightParams) -> InsightAnswer:
    now, before = by_channel(params), by_channel(params.before)
    online = _online(now)
    ranked = sorted(now, key=lambda channel: -now[channel]["bookings"])
    shares, were = _shares(now), _shares(before)
    points = [
        point(_word(one), shares[one], were.get(one) if before else None, kind="share")
        for one in ranked
    ]
    words = _("Share of bookings by channel; %(online)s online.") % {
        "online": spell(online, "share")
    }
    return InsightAnswer(
        number=spell(online, "share"),
        caption=_("of bookings are made online"),
        delta=_channels_change(params),
        picture=Bars(points, words=words),
        write_table=lambda: _table(now, ranked, shares),
        counted=CHANNELS_COUNTED,
        is_known=online is not None,
    )


def _channels_change(params: InsightParams) -> Delta | None:
    every = like_for_like(params, _by_all, ("bookings",))
    online = like_for_like(params, _by_online, ("bookings",))
    if every is None or online is None:
        return None
    pairs = zip(online, every, strict=True)
    now, before = (share(part["bookings"], whole["bookings"]) for part, whole in pairs)
    return shifted(now, before, good="")


def _by_all(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return channel_rows(params, daily=daily)


def _by_online(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return channel_rows(params, daily=daily).exclude(channel__in=BY_STAFF)


def _online(found: dict[str, Sums]) -> Decimal | None:
    online = sum(sums["bookings"] for name, sums in found.items() if name not in BY_STAFF)
    return share(online, sum(sums["bookings"] for sums in found.values()))


def _shares(found: dict[str, Sums]) -> dict[str, Decimal | None]:
    bookings = sum(sums["bookings"] for sums in found.values())
    return {name: share(sums["bookings"], bookings) for name, sums in found.items()}


def _word(channel: str) -> str:
    return label_of(channel, CHANNELS) or _("not provided")


def _table(found: dict[str, Sums], ranked: list[str], shares: dict[str, Decimal | None]) -> Table:
    labels = (
        Column(_("Channel")),
        Column(_("Share"), "share"),
        Column(_("Bookings"), "number"),
        Column(_("Covers"), "number"),
        Column(_("Cancelled"), "number"),
    )
    lines = [
        [
            _word(one),
            shares[one],
            *(found[one][name] for name in ("bookings", "covers", "cancelled")),
        ]
        for one in ranked
    ]
    return Table(labels, lines)


NAMES = ("ahead", "ahead_days", "bookings", "walk_ins", *(f"ahead_{first}" for first in LEADS))


def lead(params: InsightParams) -> InsightAnswer:
    now, before = (
        total(series(BookingCount, params, NAMES)),
        total(series(BookingCount, params.before, NAMES)),
    )
    mean = _mean(now)
    points = [_lead_point(first, now, before) for first in LEADS]
    same_day = share(now["ahead_0"], now["ahead"])
    words = _("Bookings by days ahead; %(share)s on the day itself.") % {
        "share": spell(same_day, "share")
    }
    covered = share(now["ahead"], now["bookings"] - now["walk_ins"])
    return InsightAnswer(
        number=spell(mean, "points"),
        caption=_("days ahead on average; %(share)s book on the day itself")
        % {"share": spell(same_day, "share")},
        delta=_lead_change(params),
        picture=Bars(points, words=words),
        write_table=lambda: _lead_table(params),
        counted=LEAD_COUNTED,
        coverage=[
            _("The moment of booking is known for %(share)s of bookings.")
            % {"share": spell(covered, "share")}
        ],
        is_known=mean is not None,
    )


def _lead_change(params: InsightParams) -> Delta | None:
    both = like_for_like(params, _rows, ("ahead", "ahead_days"))
    return moved(_mean(both[0]), _mean(both[1]), good="", words=_("%s days")) if both else None


def _rows(params: InsightParams, daily: bool) -> QuerySet[Any]:
    return rows(BookingCount, params, daily=daily)


def _mean(sums: Sums) -> Decimal | None:
    return Decimal(sums["ahead_days"]) / sums["ahead"] if sums["ahead"] else None


def _lead_point(first: int, now: Sums, before: Sums) -> Point:
    name = f"ahead_{first}"
    then = share(before[name], before["ahead"])
    return point(str(LEAD_NAMES[first]), share(now[name], now["ahead"]), then, kind="share")


def _lead_table(params: InsightParams) -> Table:
    found = summed(rows(BookingCount, params), "restaurant", NAMES)
    labels = (
        Column(_("Restaurant")),
        Column(_("Days ahead"), "points"),
        *(Column(LEAD_NAMES[first], "share") for first in LEADS),
    )
    lines = []
    for one in params.restaurants:
        if sums := found.get(one.pk):
            shares = [share(sums[f"ahead_{first}"], sums["ahead"]) for first in LEADS]
            lines.append([one.name, _mean(sums), *shares])
    return Table(labels, lines)
