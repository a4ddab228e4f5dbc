"""State of the receiver: a section of the health page, of `mirror_status` and of the alerts.

Silence is an alarm, because nothing else tells when the service sends to a wrong address: for
every restaurant, how many events usually came in the hours since its last one.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.core.cache import cache
from django.db.models import Max, Min, Sum
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror.health.sections import GOOD, LATE, NEW, Section
from restaurants.models import Restaurant
from webhooks.models import Delivery, HourlyCount, hour_of

A_DAY, A_WEEK, AN_HOUR = timedelta(days=1), timedelta(weeks=1), timedelta(hours=1)
RATE_OVER = timedelta(minutes=5)
USUAL_WEEKS = 4
# So many missing events cannot be chance: if 12 are usual, none at all happens once in 160,000
# times. Events come in bunches of three or so, which makes that once in 50.
QUIET = 12.0
LAGS = 50

Hours = dict[str, dict[datetime, float]]


@dataclass(frozen=True, kw_only=True)
class Silence:
    """A restaurant without events although `expected` events usually come in that time."""

    restaurant: str
    since: datetime
    expected: float


def section(now: datetime) -> Section:
    facts = figures(now)
    state, sentence = _judge(facts, silences(now))
    return Section(
        name="webhooks",
        title=_("Events"),
        state=state,
        sentence=sentence,
        facts=facts,
        rows=[
            (_("Last event"), parse_datetime(facts["last_event_at"] or "")),
            (_("Events per minute"), facts["per_minute"]),
            (_("Waiting to be processed"), facts["waiting"]),
            (_("Processed after, in seconds"), facts["lag_seconds"]),
            (_("Unrecognised"), facts["odd"]),
            *(
                (str(HourlyCount.What(what).label), count)
                for what, count in facts["last_day"].items()
            ),
        ],
        url=reverse("webhooks:index"),
    )


def _judge(facts: dict[str, Any], silent: list[Silence]) -> tuple[str, str]:
    if facts["last_event_at"] is None:
        return NEW, _("No event has arrived yet.")
    if facts["oldest_waiting_seconds"] > 60:
        return LATE, _("Events arrive, but no worker takes them up. Start the worker.")
    if silent:
        return LATE, _sentence_of(silent)
    if facts["unavailable_last_hour"]:
        # The service sends these again: nothing is lost, but somebody should know.
        return LATE, _("Events were refused within the last hour: the database did not answer.")
    if facts["odd"]:
        says = ngettext(
            "%(count)d delivery was not recognised.",
            "%(count)d deliveries were not recognised.",
            facts["odd"],
        )
        return GOOD, says % {"count": facts["odd"]}
    return GOOD, _("Events arrive.")


def _sentence_of(silent: list[Silence]) -> str:
    names = dict(Restaurant.objects.values_list("uuid", "name"))
    silent_names = sorted(str(name) for uuid, name in names.items() if str(uuid) in _uuids(silent))
    return _(
        "No event for hours in which many are usual: %(names)s. "
        "Check which address the service sends to."
    ) % {"names": ", ".join(silent_names)}


def _uuids(silent: list[Silence]) -> set[str]:
    return {each.restaurant for each in silent}


def figures(now: datetime) -> dict[str, Any]:
    """The receiver's current figures. Eight small queries, each on an index."""
    counts = counts_since(now - A_DAY)
    waiting = Delivery.objects.filter(state=Delivery.State.NEW)
    oldest = waiting.aggregate(Min("received_at"))["received_at__min"]
    recent = Delivery.objects.filter(received_at__gt=now - RATE_OVER).count()
    return {
        "last_event_at": _isoformat(Delivery.objects.aggregate(Max("received_at"))),
        "per_minute": round(recent / (RATE_OVER / timedelta(minutes=1)), 1),
        "waiting": Delivery.objects.waiting().count(),
        "oldest_waiting_seconds": round((now - oldest).total_seconds(), 1) if oldest else 0.0,
        "lag_seconds": lag(),
        "odd": Delivery.objects.odd().count(),
        "unavailable_last_hour": counts_since(now - AN_HOUR).get(HourlyCount.What.UNAVAILABLE, 0),
        "last_day": counts,
    }


def _isoformat(found: dict[str, datetime | None]) -> str | None:
    at = found["received_at__max"]
    return at.isoformat() if at else None


def counts_since(since: datetime) -> dict[str, int]:
    """Count what happened since the beginning of that hour, by `HourlyCount.What`."""
    rows = HourlyCount.objects.filter(hour__gte=hour_of(since)).values_list("what")
    return dict(rows.annotate(Sum("count")).order_by("what"))


def lag() -> float | None:
    """Half of the newest deliveries were routed sooner than this many seconds after they came."""
    newest = Delivery.objects.filter(state=Delivery.State.ROUTED).order_by("-received_at")
    pairs = newest.values_list("received_at", "routed_at")[:LAGS]
    seconds = [(routed - received).total_seconds() for received, routed in pairs if routed]
    return round(median(seconds), 3) if seconds else None


def silences(now: datetime) -> list[Silence]:
    """The restaurants without events for longer than chance explains. Two queries."""
    heard = dict(
        HourlyCount.objects.filter(what=HourlyCount.What.ROUTED, hour__gt=hour_of(now) - A_WEEK)
        .values_list("restaurant")
        .annotate(Max("hour"))
    )
    found = []
    for restaurant, usual in usual_hours(now).items():
        # Where the last event stands within its hour is not kept: believe it was the very end.
        since = heard.get(restaurant, hour_of(now) - A_WEEK) + AN_HOUR
        expected = sum(_share(hour, now) * usual.get(hour, 0) for hour in _hours(since, until=now))
        if restaurant and expected >= QUIET:
            found.append(Silence(restaurant=restaurant, since=since, expected=round(expected, 1)))
    return found


def usual_hours(now: datetime) -> Hours:
    """How many events each restaurant usually has in each hour of the week that ends now.

    The mean over the weeks before, four at most. Kept for the rest of the hour, because it reads
    some hundred rows per restaurant.
    """
    key = f"webhooks-usual-{hour_of(now):%Y%m%d%H}"
    usual = cache.get_or_set(key, lambda: _usual_hours(now), AN_HOUR.total_seconds())
    return usual or {}


def _usual_hours(now: datetime) -> Hours:
    first = HourlyCount.objects.aggregate(Min("hour"))["hour__min"]
    weeks = min(USUAL_WEEKS, (hour_of(now) - first) // A_WEEK) if first else 0
    usual: Hours = defaultdict(dict)
    before = HourlyCount.objects.filter(
        what=HourlyCount.What.ROUTED, hour__lte=hour_of(now) - A_WEEK
    )
    rows = before.filter(hour__gt=hour_of(now) - (weeks + 1) * A_WEEK)
    for hour, restaurant, count in rows.values_list("hour", "restaurant", "count"):
        same = hour + ((hour_of(now) - hour) // A_WEEK) * A_WEEK
        usual[restaurant][same] = usual[restaurant].get(same, 0) + count / weeks
    return dict(usual)


def _hours(first: datetime, *, until: datetime) -> list[datetime]:
    count = (hour_of(until) - first) // AN_HOUR + 1
    return [first + index * AN_HOUR for index in range(count)]


def _share(hour: datetime, now: datetime) -> float:
    """How much of the hour is over."""
    return min((now - hour) / AN_HOUR, 1.0)
