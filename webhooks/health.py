"""State of the receiver: a section of the health page, of `mirror_status` and of the alerts.

Silence is an alarm, because nothing else tells when the service sends to a wrong address: for
every restaurant, how many events usually came in the hours since its last one.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Min, QuerySet, Sum
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror.health.sections import GOOD, LATE, NEW, Section, age_in_words
from mirror.models import Heartbeat
from mirror.processes import heartbeat
from partner.models import Connection
from restaurants.models import Restaurant
from webhooks.models import Delivery, HourlyCount, hour_of
from webhooks.spool import seconds_in_files, unreadable_files

A_DAY, A_WEEK, AN_HOUR = timedelta(days=1), timedelta(weeks=1), timedelta(hours=1)
A_MINUTE = timedelta(minutes=1)
RATE_OVER = timedelta(minutes=5)
USUAL_WEEKS = 4
# So many missing events cannot be chance: if 12 are usual, none at all happens once in 160,000
# times. Events come in bunches of three or so, which makes that once in 50.
QUIET = 12.0
LAGS = 200
SHOWN = 5  # files
WAY = ("received_at", "routed_at")

Hours = dict[str, dict[datetime, float]]


@dataclass(frozen=True, kw_only=True)
class Silence:
    """A restaurant without events although `expected` events usually come in that time."""

    restaurant: str
    since: datetime
    expected: float


def sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    """The events of each account. Seven small queries, each on an index."""
    found = figures(now, accounts=accounts)
    silent = _silent_places(now)
    return [_section(found[account.pk], silent[account.pk], now) for account in accounts]


def _section(facts: dict[str, Any], silent: list[str], now: datetime) -> Section:
    state, sentence = _state_of_events(facts, silent, now)
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
        ],
        url=reverse("webhooks:index"),
    )


def _state_of_events(facts: dict[str, Any], silent: list[str], now: datetime) -> tuple[str, str]:
    if facts["last_event_at"] is None:
        return NEW, _("No event has arrived yet.")
    if facts["oldest_waiting_seconds"] > 60:
        return LATE, _("Events arrive, but no worker takes them up. Start the worker.")
    if silent:
        return LATE, _(
            "No event for hours in which many are usual: %(names)s. "
            "Check which address the service sends to."
        ) % {"names": ", ".join(silent)}
    if facts["odd"]:
        says = ngettext(
            "Events arrive; %(count)d was not recognised.",
            "Events arrive; %(count)d were not recognised.",
            facts["odd"],
        )
        return GOOD, says % {"count": facts["odd"]}
    last = parse_datetime(facts["last_event_at"])
    if last and now - last > AN_HOUR:
        # Usual at night: nothing is wrong, but “Events arrive” is not what is known.
        age = age_in_words(last, now)
        return GOOD, _("The last event came %(age)s ago.") % {"age": age}
    return GOOD, _("Events arrive.")


def _silent_places(now: datetime) -> dict[int | None, list[str]]:
    """The names of silent restaurants, by account. A query if there are any."""
    found = defaultdict(list)
    silent = [each.restaurant for each in silences(now)]
    places = Restaurant.objects.filter(uuid__in=silent).select_related("group").order_by("name")
    for place in places:
        found[place.group.connection_id].append(place.name)
    return found


def receiver_section(now: datetime) -> Section:
    """What the receiver counted, whoever sent it: a wrong token is nobody's."""
    counts, recent = counts_since(now - A_DAY), counts_since(now - AN_HOUR)
    refused = recent.get(HourlyCount.What.UNAVAILABLE, 0)
    in_files, unreadable = seconds_in_files(now), unreadable_files()
    is_locked = bool(in_files) and in_files[0] > A_MINUTE.total_seconds()
    # The service sends the refused again: nothing is lost, but somebody should know.
    if is_locked:
        says = _("Events wait in files: the database has been locked for more than a minute.")
    elif unreadable:
        says = ngettext(
            "%(count)d file of events cannot be read whole: is the disk broken? What could be"
            " read of it was processed. Compare with the service now, then delete the file.",
            "%(count)d files of events cannot be read whole: is the disk broken? What could be"
            " read of them was processed. Compare with the service now, then delete the files.",
            len(unreadable),
        ) % {"count": len(unreadable)}
    elif refused:
        says = _("Events were refused within the last hour: the database did not answer.")
    else:
        says = _("Every event that came with a valid address could be stored.")
    rows: list[tuple[str, Any]] = [
        (str(HourlyCount.What(what).label), count) for what, count in counts.items()
    ]
    if in_files:
        rows.append((_("Files that wait for the database"), len(in_files)))
    rows += [(_("Cannot be read whole"), file.name) for file in unreadable[:SHOWN]]
    return Section(
        name="receiver",
        title=_("Receiver"),
        state=LATE if refused or is_locked or unreadable else GOOD,
        sentence=says,
        facts={
            "unavailable_last_hour": refused,
            "last_day": counts,
            "files_waiting": len(in_files),
            "files_unreadable": len(unreadable),
        },
        rows=rows,
        url=reverse("webhooks:index"),
    )


def figures(now: datetime, *, accounts: Sequence[Connection]) -> dict[int | None, dict[str, Any]]:
    """The receiver's current figures of each account. Those of no account belong to the first."""
    rows = Delivery.objects.order_by()
    new = rows.filter(state=Delivery.State.NEW)
    first = accounts[0].pk
    waiting = _per_account(rows.waiting(), Count("pk"), first)
    oldest = _per_account(new, Min("received_at"), first)
    recent = _per_account(rows.filter(received_at__gt=now - RATE_OVER), Count("pk"), first)
    odd = _per_account(rows.odd(), Count("pk"), first)
    heard, lags = last_events(accounts), lag_of_accounts(first)
    return {
        account.pk: {
            "last_event_at": at.isoformat() if (at := heard.get(account.pk)) else None,
            "per_minute": round(recent.get(account.pk, 0) / (RATE_OVER / A_MINUTE), 1),
            "waiting": waiting.get(account.pk, 0),
            "oldest_waiting_seconds": _seconds_since(oldest.get(account.pk), now),
            "lag_seconds": lags.get(account.pk),
            "odd": odd.get(account.pk, 0),
        }
        for account in accounts
    }


def _per_account(rows: QuerySet[Delivery], figure: Any, first: int | None) -> dict[int | None, Any]:
    found = dict(rows.values_list("connection").annotate(figure))
    if None in found:  # from before every connection
        found.setdefault(first, found.pop(None))
    return found


def _seconds_since(at: datetime | None, now: datetime) -> float:
    return round((now - at).total_seconds(), 1) if at else 0.0


def last_events(accounts: Sequence[Connection]) -> dict[int | None, datetime | None]:
    """When each account's last event came: of several, when it was processed. One query."""
    if len(accounts) == 1 and not Connection.objects.exclude(pk=accounts[0].pk).exists():
        return {accounts[0].pk: Delivery.objects.aggregate(at=Max("received_at"))["at"]}
    names = {heartbeat.of_events(account.pk): account.pk for account in accounts}
    beats = Heartbeat.objects.filter(name__in=names)
    return {names[name]: at for name, at in beats.values_list("name", "at")}


def counts_since(since: datetime) -> dict[str, int]:
    """Count what happened since the beginning of that hour, by `HourlyCount.What`."""
    rows = HourlyCount.objects.filter(hour__gte=hour_of(since)).values_list("what")
    return dict(rows.annotate(Sum("count")).order_by("what"))


def lag_of_accounts(first: int | None) -> dict[int | None, float]:
    """Half of an account's newest deliveries were routed sooner than this many seconds after they
    came."""
    newest = Delivery.objects.filter(state=Delivery.State.ROUTED).order_by("-received_at")
    took: dict[int | None, list[float]] = defaultdict(list)
    for account, received, routed in newest.values_list("connection", *WAY)[:LAGS]:
        if routed:
            # What came while others were routed bears a later time than that run.
            took[account or first].append(max(0.0, (routed - received).total_seconds()))
    return {account: round(median(seconds), 3) for account, seconds in took.items()}


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
