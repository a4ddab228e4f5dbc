"""Callers who ring again on one service day, although nobody has spoken to them before."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from phone.models import Call

TEENS = (11, 12, 13)
# the last digit → on its own service day, and on one that is over
ENDINGS: dict[int, tuple[Promise, Promise]] = {
    1: (_("%(n)sst call today"), _("%(n)sst call that day")),
    2: (_("%(n)snd call today"), _("%(n)snd call that day")),
    3: (_("%(n)srd call today"), _("%(n)srd call that day")),
}
OTHERS = (_("%(n)sth call today"), _("%(n)sth call that day"))


def repeats_of(calls: Iterable[Call]) -> dict[UUID, int]:
    """The place among its number's calls of that service day at the restaurant, of each call before
    which the same number rang in vain. One query for all.
    """
    shown = {call.uuid: call for call in calls if call.number}
    if not shown:
        return {}
    places = {call.restaurant_id: call.restaurant for call in shown.values()}
    begins = [_day_begins(call) for call in shown.values()]
    ends = [call.began_at for call in shown.values()]
    rows = Call.objects.filter(restaurant__in=places, began_at__range=(min(begins), max(ends)))
    rows = rows.from_numbers({call.number for call in shown.values()}).order_by("began_at", "pk")
    rung: Counter[tuple[object, ...]] = Counter()
    in_vain: dict[tuple[object, ...], bool] = {}
    found: dict[UUID, int] = {}
    for uuid, place, number, began_at, answered_at in rows.values_list(
        "uuid", "restaurant", "number", "began_at", "answered_at"
    ):
        key = (place, number, places[place].service_day(began_at))
        rung[key] += 1
        if uuid in shown and in_vain.get(key):
            found[uuid] = rung[key]
        in_vain[key] = answered_at is None
    return found


def _day_begins(call: Call) -> datetime:
    place = call.restaurant
    return place.day_bounds(place.service_day(call.began_at))[0]


def in_words(n: int, *, is_today: bool) -> str:
    """2nd call today; no other language of ours has an ending for each digit."""
    today, that_day = OTHERS if n % 100 in TEENS else ENDINGS.get(n % 10, OTHERS)
    return str(today if is_today else that_day) % {"n": n}
