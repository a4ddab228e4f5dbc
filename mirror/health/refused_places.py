"""Restaurants of which the service refuses to answer: their boards show what was, and say so.

Where the right to a restaurant is lost, its lists and the reads of its bookings are refused. Its
copy stays as it was, while the events of others show that the account works. One booking may be
refused because it has moved, even where it is the only one; several may not, nor a list. Each
comparison lists the reviews of each restaurant by itself, so it is a list that tells the two apart.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _lazy

from lib.dates import date_format, utc_offset
from lib.processes.short_cache import ShortCache
from mirror import kinds
from mirror.health.first_reading import ONE_DAY, named
from mirror.kinds import EntityLocation
from mirror.models import Job, Mirrored, Slice, SyncRequest
from mirror.queue.handover import NOT_OURS
from mirror.queue.retry_schedule import SCOPE
from partner.auth.capabilities import CapabilityMap
from partner.models import Token
from restaurants.models import Restaurant
from restaurants.shell import Shell

KIND = "reservation"
SEVERAL = 2
AT_ONCE = 100  # restaurants of one query: SQLite joins no more than 500
# The bookings that a board or a plan shows.
AHEAD = timedelta(days=30)
LAST_READ = "restaurant__uuid", "last"
REFUSALS = (NOT_OURS, SCOPE)
OPEN = (SyncRequest.State.PARKED, SyncRequest.State.WAITING, SyncRequest.State.WORKING)

REFUSED_PLACE = _lazy(
    "%(names)s: not read since %(time)s, because the service refuses it. New bookings,"
    " changes and cancellations are missing here: look them up in the service. Whoever set"
    " up Couvert compares the identifier under Setup → Restaurants, or has the service give"
    " the right back. Then it is read again by itself."
)
REFUSED_KEY = _lazy(
    "%(names)s: not read since %(time)s, because the service refuses the key. New bookings,"
    " changes and cancellations are missing here: look them up in the service. Whoever set"
    " up Couvert reads under Setup → Connection what to do. Then it is read again by itself."
)
Refusal = tuple[UUID, datetime, datetime, int]  # a restaurant, since when, the last, how many


def _refused() -> dict[UUID, datetime]:
    """Since when a restaurant is refused. Five queries, and one a hundred that are."""
    places = {one.uuid: one for one in Restaurant.objects.select_related("group")}
    refusals = [*_of_records(), *_of_lists(places.values())]
    read = _last_reads([places[uuid] for uuid, *_facts in refusals])
    found: dict[UUID, datetime] = {}
    for uuid, since, last, count in refusals:
        if count >= SEVERAL and not (uuid in read and read[uuid] > last):
            found[uuid] = min(since, found.get(uuid, since))
    return found


def _last_reads(places: Sequence[Restaurant]) -> dict[UUID, datetime]:
    """When the service last answered with one of the bookings that are still to come."""
    found: dict[UUID, datetime] = {}
    for start in range(0, len(places), AT_ONCE):
        first, *others = map(_last_read, places[start : start + AT_ONCE])
        found |= dict(first.union(*others, all=True))
    return found


def _of_records() -> Collection[Refusal]:
    """Bookings of the copy of which a read is refused for good, and read again once an hour, or
    once the key has the right to read bookings.

    While one of two is being read again the other is parked: they are two all the same.
    """
    found: dict[UUID, Refusal] = {}
    copies: QuerySet[Any] = kinds.get(KIND).model._default_manager.all()
    held = copies.filter(pk=OuterRef("uuid"), presence=Mirrored.Presence.PRESENT)
    place = held.values("restaurant__uuid")
    for state in OPEN:  # by the index of each; with the kind SQLite would read all requests ever
        rows = SyncRequest.objects.filter(state=state, problem__in=REFUSALS, attempts=0)
        at = rows.annotate(place=Subquery(place)).exclude(place=None).order_by().values("place")
        facts = Min("requested_at"), Max("requested_at"), Count("pk")
        columns = "place", *(fact.default_alias for fact in facts)
        for place_uuid, since, last, count in at.annotate(*facts).values_list(*columns):
            _uuid, first, latest, known = found.get(place_uuid, (place_uuid, since, last, 0))
            found[place_uuid] = place_uuid, min(first, since), max(latest, last), known + count
    return found.values()


def _of_lists(places: Collection[Restaurant]) -> Iterator[Refusal]:
    """Restaurants of which the last comparison was refused a list of what changed."""
    ended = Job.objects.filter(purpose=Job.Purpose.SWEEP, state=Job.State.DONE)
    last = ended.order_by().values("connection").annotate(last=Max("pk")).values("last")
    lists = Slice.objects.filter(job__in=last, was_refused=True, state=Slice.State.FAILED)
    lists = lists.filter(Q(kind=KIND, by="updatedDate") | Q(kind="review", by="mealDate"))
    columns = "group_uuid", "restaurant_uuid", "listing_began_at", "done_at"
    for group, restaurant, began, done in lists.values_list(*columns):
        for one in places:
            if one.group.uuid == group and restaurant in (None, one.uuid):
                yield one.uuid, began, done, SEVERAL


def _last_read(place: Restaurant) -> QuerySet[Any]:
    today, held = place.service_day(timezone.now()), kinds.get(KIND).held
    location = EntityLocation(place.group.uuid, place.uuid)
    assert held  # noqa: S101  # of bookings there is one
    rows = held(location, today - ONE_DAY, today + AHEAD, "mealDate").order_by()
    of_place: QuerySet[Any] = rows.values("restaurant__uuid").annotate(last=Max("read_at"))
    return of_place.values_list(*LAST_READ)


REFUSED: ShortCache[dict[UUID, datetime]] = ShortCache(_refused, usual={})


def of_shell(shell: Shell) -> list[str]:
    """What it means for the boards of these restaurants, for everybody who reads them."""
    refused = REFUSED.value()
    # The restaurants of a scope are a query on every open screen: not where nothing is refused.
    places = [one for one in shell.scope_restaurants if one.uuid in refused] if refused else []
    if not places:
        return []
    of_key = _refused_keys({one.group.connection_id for one in places})
    by_reason: dict[bool, list[Restaurant]] = {}
    for one in places:
        by_reason.setdefault(one.group.connection_id in of_key, []).append(one)
    sentences = {True: REFUSED_KEY, False: REFUSED_PLACE}
    return [
        sentences[key] % {"names": named(those), "time": _since(those, refused, shell)}
        for key, those in by_reason.items()
    ]


def _since(places: list[Restaurant], refused: dict[UUID, datetime], shell: Shell) -> str:
    first = min(places, key=lambda one: refused[one.uuid])
    return in_zone(clock(first, refused[first.uuid]), first, refused[first.uuid], shell)


def in_zone(words: str, place: Restaurant, at: datetime, shell: Shell) -> str:
    """With the zone beside it where the restaurants of a screen have several."""
    return words if shell.timezone else f"{words} {utc_offset(place.local(at))}"


def _refused_keys(accounts: Collection[int | None]) -> set[int]:
    """The accounts with whose key nothing is answered, or no booking: no single restaurant is the
    reason."""
    now = timezone.now()
    tokens = Token.objects.filter(connection__in=accounts).select_related("connection")
    return {
        token.connection_id
        for token in tokens
        if token.identity == token.connection.identity
        and (
            token.is_refused
            or token.is_under_suspicion(now=now)
            or token.was_never_accepted
            or not CapabilityMap(token.connection).can("reservations")
        )
    }


def clock(place: Restaurant, at: datetime) -> str:
    """A time of today, else with its day."""
    day, time = place.local(at).date(), place.local(at).strftime("%H:%M")
    is_today = day == place.local(timezone.now()).date()
    return time if is_today else f"{date_format(day, 'SHORT_DATE_FORMAT')} {time}"
