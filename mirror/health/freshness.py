"""Freshness: how old the data of a screen may be, per restaurant, in four states and in words."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, DateTimeField, F, FloatField, Min, UUIDField, Value
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lib.database.compiled_queries import prepared
from mirror.health import refused_places
from mirror.health.first_reading import unread_on
from mirror.models import Completeness, Heartbeat, Priority, SyncRequest
from mirror.processes import heartbeat
from mirror.queue.handover import NOT_OURS
from partner.models import Connection
from restaurants import shell as shell_words
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import Shell

LIVE, POLLING, STALE, OFFLINE = "live", "polling", "stale", "offline"

# An event that has not been read for this long makes the screen old.
BEHIND = timedelta(seconds=60)
# Without any event for this long we rely on the sweep, and say so.
SILENT = timedelta(minutes=45)
# Without a finished sweep for this long, silence proves nothing.
UNPROVEN = timedelta(hours=3)


@dataclass(frozen=True)
class Freshness:
    place: Restaurant
    state: str
    complete_at: datetime | None
    heard_at: datetime | None
    behind: timedelta
    is_first: bool  # today has never been read whole
    refused_since: datetime | None = None  # the service answers nothing of it

    @property
    def uuid(self) -> UUID:
        return self.place.uuid

    @property
    def name(self) -> str:
        return self.place.label

    @property
    def connection(self) -> int | None:
        return self.place.group.connection_id

    @property
    def words(self) -> str:
        """Worked out when they are shown: a screen shows those of one restaurant of many."""
        if self.is_first and self.state in (LIVE, POLLING):
            return _("First reading")
        if self.refused_since and self.state == STALE:
            clock = refused_places.clock(self.place, self.refused_since)
            return _("Not read since %(time)s") % {"time": clock}
        return _words(self.state, self.complete_at, self.heard_at, self.behind, self.place)

    def as_json(self) -> dict[str, Any]:
        return {
            "restaurant_uuid": str(self.uuid),
            "state": self.state,
            "complete_at": self.complete_at.isoformat() if self.complete_at else None,
            "behind_seconds": round(self.behind.total_seconds(), 1),
        }


@dataclass
class Facts:
    """The known age of the copy, by uuid of a restaurant or group; None is unknown."""

    complete: dict[UUID, datetime] = field(default_factory=dict)
    # The oldest unread event of a restaurant; of an account, where it names no restaurant.
    behind: dict[UUID | int | None, datetime] = field(default_factory=dict)
    heard: dict[str, datetime] = field(default_factory=dict)  # an account's last event
    # The accounts that answer; one of which nothing is known does not.
    answering: set[int] = field(default_factory=set)

    def is_away(self, connection: int | None) -> bool:
        """Whether an account does not answer: none at all, where no account is named."""
        return connection not in self.answering if connection else not self.answering


def of_accounts(accounts: Iterable[Connection], *, now: datetime) -> list[Freshness]:
    """Of their restaurants and no others; before there is an account, of all."""
    keys = [account.pk for account in accounts if account.pk]
    places = Restaurant.objects.select_related("group")
    return of(places.filter(group__connection__in=keys) if keys else places, now=now)


def of(restaurants: Any, *, now: datetime) -> list[Freshness]:
    """Two queries, whatever their number."""
    places = list(restaurants)
    facts = _facts(places)
    first = {place.uuid for place in unread_on(now.date(), places)}
    return [_freshness(place, facts, now=now, is_first=place.uuid in first) for place in places]


def _freshness(place: Restaurant, facts: Facts, *, now: datetime, is_first: bool) -> Freshness:
    proven = (facts.complete.get(key) for key in (place.uuid, place.group.uuid))
    complete = max(filter(None, proven), default=None)
    account = place.group.connection_id
    unread = (facts.behind.get(key) for key in (place.uuid, account, None))
    lag = max(now - min(filter(None, unread), default=now), timedelta())
    away = facts.is_away(account)
    heard = facts.heard.get(heartbeat.of_events(account))
    refused_since = refused_places.REFUSED.value().get(place.uuid)
    state = _state(complete, heard, lag, away=away, now=now)
    if refused_since and state != OFFLINE:
        state = STALE
    return Freshness(place, state, complete, heard, lag, is_first, refused_since)


def _state(
    complete: datetime | None, heard: datetime | None, lag: timedelta, *, away: bool, now: datetime
) -> str:
    if away:
        return OFFLINE
    recent = [at for at in (complete, heard) if at is not None]
    if lag > BEHIND or not recent or now - max(recent) > UNPROVEN:
        return STALE
    return LIVE if heard is not None and now - heard < SILENT else POLLING


def _words(
    state: str,
    complete: datetime | None,
    heard: datetime | None,
    lag: timedelta,
    place: Restaurant,
) -> str:
    known = max((at for at in (complete, heard) if at is not None), default=None)
    clock = place.local(known).strftime("%H:%M") if known else ""
    match state:
        case "live":
            return _("Live")
        case "polling":
            return _("Polling · complete to %(time)s") % {"time": clock}
        case "offline":
            return _("Offline copy %(time)s") % {"time": clock} if clock else _("Offline")
        case _ if known is None:
            return _("Not synced yet")
        case _ if lag > BEHIND:
            minutes = int(lag.total_seconds() // 60)
            return ngettext("Stale · %(n)d min behind", "Stale · %(n)d min behind", minutes) % {
                "n": minutes
            }
        case _:
            return _("Stale · complete to %(time)s") % {"time": clock}


def is_away() -> bool:
    """Whether no account answers. One query."""
    open_until = Connection.objects.active().order_by().values_list("budget__open_until", flat=True)
    return all(open_until)


def _facts(places: list[Restaurant]) -> Facts:
    """What is known of these restaurants and their accounts, however many others there are.

    One query.
    """
    facts = Facts()
    groups = sorted({place.group.uuid for place in places})
    accounts = sorted({pk for place in places if (pk := place.group.connection_id)})
    heard = [*map(heartbeat.of_events, accounts)] or [heartbeat.of_events(None)]
    for word, group, restaurant, at, number, account in _written_down(groups, heard, accounts):
        match word:
            case "complete":
                key = group if restaurant == Completeness.WHOLE_GROUP else restaurant
                facts.complete[key] = max(facts.complete.get(key, at), at)
            case "behind":
                key = restaurant or account
                facts.behind[key] = min(facts.behind.get(key, at), at)
            case "circuit":
                if not number:
                    facts.answering.add(account)
            case _:
                facts.heard[word] = at
    return facts


@prepared
def _written_down(groups: list[UUID], heard_as: list[str], accounts: list[int]) -> Any:
    """The freshness of a screen is that of the reservations."""
    complete = Completeness.objects.filter(kind="reservation", group_uuid__in=groups)
    behind = SyncRequest.objects.filter(served__lt=F("request_count"), priority__lte=Priority.EVENT)
    # Of what was refused nothing is expected: most of it is another client's.
    behind = behind.exclude(problem=NOT_OURS)
    waits = behind.filter(state=SyncRequest.State.WAITING)
    # Each by an index, so that a hundred thousand reads of another account are not looked at.
    unread = (
        waits.filter(connection__in=accounts),
        waits.filter(connection=None),
        behind.filter(state=SyncRequest.State.WORKING),
    )
    heard = Heartbeat.objects.filter(name__in=heard_as)
    circuits = Connection.objects.active().filter(pk__in=accounts).order_by()
    kinds = (UUIDField(), DateTimeField(), FloatField(), BigIntegerField())
    no_place, no_time, no_number, no_account = (Cast(Value(None), kind) for kind in kinds)
    return complete.values_list(
        *(Value("complete"), "group_uuid", "restaurant_uuid", "complete_at", no_number, no_account)
    ).union(
        *(
            rows.values_list(
                *(Value("behind"), no_place, "restaurant_uuid", Min("requested_at")),
                *(no_number, "connection"),
            )
            for rows in unread
        ),
        heard.values_list("name", no_place, no_place, "at", no_number, no_account),
        circuits.values_list(
            *(Value("circuit"), no_place, no_place, no_time, "budget__open_until", "pk")
        ),
        all=True,
    )


WORST_FIRST = (OFFLINE, STALE, POLLING, LIVE)


def of_shell(shell: Shell) -> shell_words.FreshnessLabel:
    """Return the freshness of a screen: that of its oldest restaurant."""
    places = of(shell.scope_restaurants, now=timezone.now())
    if not places:
        return shell_words.FreshnessLabel(state="none", words=_("Nothing read yet"))
    worst = min(places, key=lambda place: WORST_FIRST.index(place.state))
    words = worst.words
    if worst.refused_since and worst.state == STALE:
        words = refused_places.in_zone(words, worst.place, worst.refused_since, shell)
    url_name = "mirror:index" if can(shell.user, "mirror.view_health") else ""
    return shell_words.FreshnessLabel(state=worst.state, words=words, url_name=url_name)
