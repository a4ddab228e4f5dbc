"""The queue of sync requests: request, claim, settle. Every step is one short transaction.

Requests are coalesced: `request_count` counts those for an entity, and a settled read closes the
row only if none arrived since it was claimed. Accounts are served in turn: one that is paused,
whose circuit is open or which requested a pause has no reads due.
"""

import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, groupby, islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Case,
    F,
    FloatField,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Least

from lib.database import bulk
from lib.database.compiled_queries import prepared
from lib.database.inline_params import inline
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Heartbeat, Priority, Slice, SyncRequest
from mirror.processes import heartbeat
from partner.limits.throttle import PAUSE_CAP
from partner.models import Connection
from restaurants.directory import find_connection

# Longer than the client's whole budget for one read (25 s), so that a slow answer is not
# fetched twice; short enough that a killed worker's rows come back within a minute.
LEASE = timedelta(seconds=45)
# A read that was claimed this often without ever settling kills its workers.
MOST_CRASHES = 5
# Two reads of one entity are at least this far apart unless a person asks, so that a stream of
# events for it costs at most a hundred GETs a minute. The first event never waits.
SPACING = timedelta(seconds=0.6)
CHUNK = 500

_turn = count()
WAITING = SyncRequest.State.WAITING
WORKING = SyncRequest.State.WORKING
# Not read since it was requested; a row that waits for a second read has been read.
UNREAD = Q(state__in=inline(WAITING, WORKING), served__lt=F("request_count"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A row this worker holds until its lease runs out."""

    location: EntityLocation
    pk: int
    kind: str
    uuid: Any
    request_count: int
    fetch_no: int
    priority: int
    attempts: int
    confirms: int
    actor_id: int | None
    slice_id: int | None
    connection_id: int | None = None  # the account that is called
    # When the request was made that this read answers first; None for a look of our own.
    requested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueConnection:
    """An account with due reads. None is that of rows older than every connection."""

    pk: int | None
    urgency: int  # the smallest priority among its due reads
    is_probe: bool = False  # its circuit is open, and one call may look whether it answers


class RequestOrigin(NamedTuple):
    """Priority, time, person, listing and account of a request."""

    priority: Priority
    now: datetime
    requested_at: datetime
    actor: int | None = None
    slice_id: int | None = None
    connection: int | None = None


# What a claim is made of, as `_claim` takes it: plain values, for a model costs four times as much.
CLAIMED = (
    *(
        "group_uuid",
        "restaurant_uuid",
        "served",
        "requested_at",
        "pk",
        "kind",
        "uuid",
        "request_count",
    ),
    F("fetch_no") + 1,
    *("priority", "attempts", "confirms", "actor_id", "slice_id", "connection_id"),
)


def request(
    refs: Iterable[EntityRef],
    *,
    priority: Priority,
    now: datetime,
    requested_at: datetime | None = None,
    actor: int | None = None,
    slice_id: int | None = None,
    connection: int | None = None,
) -> int:
    """Request reads, whether or not the entities are known. Returns how many.

    `requested_at` is when the request was made, if that was earlier: an event's arrival.
    `connection` is the account to ask; by itself it is the one of the entity's group.

    An event lifts a row out of parking and out of a wait for a second look, but not out of a
    back-off: a hundred events must not hammer a service that is failing. A person does lift it.
    """
    if priority == Priority.EVENT:
        heartbeat.beat(heartbeat.of_events(None), now=now)
        heartbeat.beat(heartbeat.of_events(connection), now=now)
        Heartbeat.objects.note_clock(now=now)
    origin = RequestOrigin(priority, now, requested_at or now, actor, slice_id, connection)
    count = 0
    for (kind, location), chunk in _chunks(refs):
        uuids = sorted({ref.uuid for ref in chunk})
        count += len(uuids)
        with transaction.atomic():
            if _insert(kind, location, uuids, origin) < len(uuids):
                _count_again(kind, location, uuids, origin)
    return count


def request_unseen(
    refs: Iterable[EntityRef], *, priority: Priority, now: datetime, slice_id: int | None = None
) -> None:
    """Request only entities that were never requested. A row, once made, stays for ever."""
    for (kind, location), chunk in _chunks(refs):
        uuids = sorted({ref.uuid for ref in chunk})
        _insert(kind, location, uuids, RequestOrigin(priority, now, now, slice_id=slice_id))


def claim(
    *, limit: int, now: datetime, reserved: int = 0, account: DueConnection | None = None
) -> list[Claim]:
    """Take up to `limit` due rows of an account, or of all, the most urgent first, under a lease.

    The last `reserved` of them are for people and events only.
    """
    with transaction.atomic():
        due = SyncRequest.objects.filter(state=WAITING, not_before__lte=now)
        due = due.filter(connection=account.pk) if account else due
        rows = due.order_by("priority", "not_before").select_for_update(skip_locked=True)
        claims = [_claim(*row) for row in rows.values_list(*CLAIMED)[:limit]]
        claims = [
            held
            for place, held in enumerate(claims)
            if place < limit - reserved or held.priority <= Priority.EVENT
        ]
        if claims:
            SyncRequest.objects.filter(pk__in=[held.pk for held in claims]).update(
                state=WORKING,
                requested_again_at=None,
                lease_until=now + LEASE,
                fetch_no=F("fetch_no") + 1,
                crashes=F("crashes") + 1,
            )
    return claims


def due_connections(*, now: datetime) -> list[DueConnection]:
    """Return them in turn, those with reads of people and events first. One query."""
    found = [_judged(*row, epoch=time.time()) for row in _most_urgent(now)]
    due = sorted((one for one in found if one is not None), key=lambda one: one.pk or 0)
    first = next(_turn) % len(due) if len(due) > 1 else 0
    return sorted(due[first:] + due[:first], key=lambda one: one.urgency > Priority.EVENT)


def usable_connections() -> set[int]:
    """The accounts that may be called now. One query."""
    rows = Connection.objects.active().order_by()
    budgets = rows.values_list("pk", "budget__open_until", "budget__paused_until")
    epoch = time.time()
    return {pk for pk, *until in budgets if not any(_is_ahead(one, epoch) for one in until)}


def due_soon(*, now: datetime, accounts: Collection[int | None]) -> datetime | None:
    """Return when the next urgent read of these accounts is due.

    Only one that is kept back to space out reads: others wait for longer.
    """
    theirs = Q(connection__in=[pk for pk in accounts if pk is not None])
    soon = SyncRequest.objects.filter(
        theirs | Q(connection=None) if None in accounts else theirs,
        state=WAITING,
        priority__in=[Priority.PERSON, Priority.EVENT],
        not_before__lte=now + SPACING,
    )
    due: datetime | None = soon.aggregate(Min("not_before"))["not_before__min"]
    return due


def reclaim(*, now: datetime) -> int:
    """Release the rows of killed workers; park a row that has killed too many of them."""
    lapsed = SyncRequest.objects.filter(state=WORKING, lease_until__lt=now)
    if not lapsed.exists():  # by its index; in the order of keys SQLite reads every row
        return 0
    with transaction.atomic():
        pks = _locked(lapsed, skip=True)
        rows = SyncRequest.objects.filter(pk__in=pks)
        rows.filter(crashes__gte=MOST_CRASHES).update(
            state=SyncRequest.State.PARKED, problem="crash", lease_until=None
        )
        return rows.filter(state=WORKING).update(state=WAITING, not_before=now, lease_until=None)


def _judged(
    pk: int | None, urgency: int | None, open_until: float, paused_until: float, *, epoch: float
) -> DueConnection | None:
    if urgency is None or _is_ahead(paused_until, epoch) or _is_ahead(open_until, epoch):
        return None
    return DueConnection(pk, urgency, is_probe=bool(open_until))


def _is_ahead(instant: float | None, epoch: float) -> bool:
    """Whether it lies ahead; one that is too far was written before the clock was set back."""
    return 0 < (instant or 0) - epoch < PAUSE_CAP


@prepared
def _most_urgent(now: datetime) -> Any:
    due = SyncRequest.objects.filter(state=SyncRequest.State.WAITING, not_before__lte=now)
    its_own = due.filter(connection=OuterRef("pk")).order_by("priority", "not_before")
    accounts = (
        Connection.objects.active()
        .order_by()
        .annotate(urgency=Subquery(its_own.values("priority")[:1]))
    )
    nobody, never = Cast(Value(None), IntegerField()), Cast(Value(None), FloatField())
    of_none = due.filter(connection=None).order_by().values("connection")
    return accounts.values_list(
        "pk", "urgency", "budget__open_until", "budget__paused_until"
    ).union(of_none.values_list(nobody, Min("priority"), never, never), all=True)


def _insert(kind: str, location: EntityLocation, uuids: list[UUID], origin: RequestOrigin) -> int:
    """Make the rows that are not there yet. Returns how many."""
    row = SyncRequest(
        kind=kind,
        group_uuid=location.group_uuid,
        restaurant_uuid=location.restaurant_uuid,
        requested_at=origin.requested_at,
        not_before=origin.now,
        priority=origin.priority,
        actor_id=origin.actor,
        slice_id=origin.slice_id,
        connection_id=_connection_of(location, origin),
    )
    return bulk.insert_copies(row, "uuid", uuids)


def _count_again(
    kind: str, location: EntityLocation, uuids: list[Any], origin: RequestOrigin
) -> None:
    """Count the request on every row: those that were there, and those that were just made."""
    connection = _connection_of(location, origin)
    known = SyncRequest.objects.filter(kind=kind, uuid__in=uuids)
    if connection:  # an account cannot request what is another's
        known = known.filter(Q(connection=None) | Q(connection=connection))
    rows = _locked(known)
    if origin.slice_id:
        _note_takeover(rows, origin.slice_id)
    SyncRequest.objects.filter(pk__in=rows).update(
        request_count=F("request_count") + 1,
        requested_at=_oldest("requested_at", UNREAD, origin),
        requested_again_at=_oldest(
            "requested_again_at", Q(requested_again_at__isnull=False), origin
        ),
        not_before=_due(origin.priority, origin.now),
        priority=Case(
            When(state__in=[WAITING, WORKING], then=Least("priority", int(origin.priority))),
            default=int(origin.priority),
        ),
        attempts=Case(When(state=WAITING, then=F("attempts")), default=0),
        confirms=0,
        state=Case(When(state=WORKING, then=Value(WORKING)), default=Value(WAITING)),
        **_known(location),
        **({"connection_id": connection} if connection else {}),
        **({"actor_id": origin.actor} if origin.actor else {}),
        **({"slice_id": origin.slice_id} if origin.slice_id else {}),
    )


def _connection_of(location: EntityLocation, origin: RequestOrigin) -> int | None:
    """The account that a request names, else the one of the place."""
    return origin.connection or find_connection(*location)


def _oldest(column: str, is_open: Q, origin: RequestOrigin) -> Case:
    """Keep the oldest time of the open requests; a sweep's time never counts for an event's."""
    is_peer = Q(priority__lte=max(origin.priority, Priority.EVENT))
    at = Value(origin.requested_at)
    return Case(When(is_open & is_peer, then=Least(column, at)), default=at)


def _note_takeover(rows: list[int], slice_id: int) -> None:
    """Let the listings that still wait for these rows wait for the one that takes them over."""
    theirs = SyncRequest.objects.filter(UNREAD, pk__in=rows, slice__isnull=False)
    before = theirs.exclude(slice=slice_id).order_by().values_list("slice", flat=True).distinct()
    link = Slice.waits_for.through
    link.objects.bulk_create(
        (link(from_slice_id=pk, to_slice_id=slice_id) for pk in before), ignore_conflicts=True
    )


def _due(priority: Priority, now: datetime) -> Case:
    cases = [When(state=WAITING, then=Least("not_before", Value(now)))]
    if priority == Priority.EVENT:
        just_read, soon = Q(settled_at__gt=now - SPACING), Value(now + SPACING)
        cases.insert(0, When(just_read, state=WAITING, then=Least("not_before", soon)))
        cases.insert(1, When(just_read, then=soon))
    if priority != Priority.PERSON:
        cases.insert(0, When(state=WAITING, attempts__gt=0, then=F("not_before")))
    return Case(*cases, default=Value(now))


def _known(location: EntityLocation) -> dict[str, Any]:
    """The known parts of a location; the others keep their stored value."""
    return {name: value for name, value in location._asdict().items() if value}


def _locked(rows: QuerySet[SyncRequest], *, skip: bool = False) -> list[int]:
    """Lock in key order, so that two writers of the same rows cannot wait for each other."""
    ordered = rows.order_by("pk").select_for_update(skip_locked=skip)
    return list(ordered.values_list("pk", flat=True))


def _claim(
    group_uuid: UUID | None, restaurant_uuid: UUID | None, served: int, at: datetime, *facts: Any
) -> Claim:
    claim = Claim(EntityLocation(group_uuid, restaurant_uuid), *facts)
    return replace(claim, requested_at=at) if served < claim.request_count else claim


def _chunks(
    refs: Iterable[EntityRef],
) -> Iterator[tuple[tuple[str, EntityLocation], list[EntityRef]]]:
    """Group by kind and location, in chunks small enough for one statement."""

    def place(ref: EntityRef) -> tuple[str, str, str]:
        return ref.kind, str(ref.location.group_uuid), str(ref.location.restaurant_uuid)

    for _key, group in groupby(sorted(refs, key=place), key=place):
        while chunk := list(islice(group, CHUNK)):
            yield (chunk[0].kind, chunk[0].location), chunk
