"""How old what a screen shows may be, per restaurant, in four states and in words."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lib.prepared import prepared
from mirror import pulse
from mirror.models import Completeness, Priority, Request
from mirror.queue import UNREAD
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
    uuid: UUID
    name: str
    state: str
    complete_at: datetime | None
    behind: timedelta
    words: str

    def as_json(self) -> dict[str, Any]:
        return {
            "restaurant_uuid": str(self.uuid),
            "state": self.state,
            "complete_at": self.complete_at.isoformat() if self.complete_at else None,
            "behind_seconds": round(self.behind.total_seconds(), 1),
        }


def of_all(*, now: datetime) -> list[Freshness]:
    """Judge every restaurant. Four queries, whatever their number."""
    return of(Restaurant.objects.select_related("group"), now=now)


def of(restaurants: Any, *, now: datetime) -> list[Freshness]:
    proven, behind = _proven(), _behind()
    heard, away = pulse.last("event"), _service_is_away()
    return [_judge(place, proven, behind, heard, away=away, now=now) for place in restaurants]


def _judge(
    place: Restaurant,
    proven: dict[UUID, datetime],
    behind: dict[UUID | None, datetime],
    heard: datetime | None,
    *,
    away: bool,
    now: datetime,
) -> Freshness:
    complete = max(
        (proven[key] for key in (place.uuid, place.group.uuid) if key in proven), default=None
    )
    oldest = min((behind[key] for key in (place.uuid, None) if key in behind), default=now)
    lag = max(now - oldest, timedelta())
    state = _state(complete, heard, lag, away=away, now=now)
    return Freshness(
        place.uuid, place.label, state, complete, lag, _words(state, complete, heard, lag, place)
    )


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


def _service_is_away() -> bool:
    found = _open_until()
    return not found or bool(found[0][0])


@prepared
def _open_until() -> Any:
    """Of the connection in use the end of the pause that its circuit has ordered, if any."""
    return (
        Connection.objects.filter(is_active=True).order_by("pk").values_list("budget__open_until")
    )


def _proven() -> dict[UUID, datetime]:
    """Reservations are what an evening is made of: their completeness is the screen's."""
    found: dict[UUID, datetime] = {}
    for group, restaurant, complete_at in _complete():
        key = group if restaurant == Completeness.WHOLE_GROUP else restaurant
        found[key] = max(found.get(key, complete_at), complete_at)
    return found


@prepared
def _complete() -> Any:
    rows = Completeness.objects.filter(kind="reservation")
    return rows.values_list("group_uuid", "restaurant_uuid", "complete_at")


def _behind() -> dict[UUID | None, datetime]:
    return dict(_oldest())


@prepared
def _oldest() -> Any:
    due = Request.objects.filter(UNREAD, priority__lte=Priority.EVENT)
    return due.values_list("restaurant_uuid").annotate(oldest=Min("requested_at"))


WORST_FIRST = (OFFLINE, STALE, POLLING, LIVE)


def of_shell(shell: Shell) -> shell_words.Freshness:
    """Judge what a screen shows by the oldest of its restaurants."""
    places = of(shell.scope_restaurants, now=timezone.now())
    if not places:
        return shell_words.Freshness(state="none", words=_("Nothing read yet"))
    worst = min(places, key=lambda place: WORST_FIRST.index(place.state))
    may_look = can(shell.user, "mirror.view_health")
    return shell_words.Freshness(
        state=worst.state, words=worst.words, url_name="mirror:index" if may_look else ""
    )
