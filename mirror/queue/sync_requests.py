"""The queue of sync requests: request, claim, settle. Every step is one short transaction.

Requests are coalesced: `request_count` counts those for an entity, and a settled read closes the
row only if none arrived since it was claimed.

Every transaction takes its locks in one order, so that no two can wait for each other: first the
rows that are there, by key; then the new ones, by kind and uuid. An INSERT waits for a transaction
that has inserted the same entity, and a batch of finished reads inserts while it holds the rows of
those reads. So whoever has inserted locks no row that was there before.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby, islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import F, Q, QuerySet

from lib.database import bulk
from lib.database.inline_params import inline
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Heartbeat, Priority, Slice, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import handover
from restaurants.directory import find_connection

# A killed worker's rows come back after it. A read may take longer, or wait for a thread: its
# worker renews the lease, so that a slow answer is not fetched twice.
LEASE = timedelta(seconds=25)
# A read that was claimed this often without ever settling kills its workers.
MOST_CRASHES = 5
PARKED_AGAIN = timedelta(hours=1)
# Two reads of one entity are at least this far apart unless a person asks, so that a stream of
# events for it costs at most a hundred GETs a minute. The first event never waits.
SPACING = timedelta(seconds=0.6)
CHUNK = 500
# What a request changes of a row that is there.
COUNTED = (
    *("state", "request_count", "requested_at", "requested_again_at", "not_before", "priority"),
    *("attempts", "confirms", "group_uuid", "restaurant_uuid", "connection", "actor", "slice"),
)
TRIES = 10  # each time that one is not enough, another writer got on
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
    problem: str = ""  # that the read before had, with its evidence
    evidence: str = ""
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


class RowOrigin(NamedTuple):
    """Where an entity is, as far as a request knows, and who requests it."""

    location: EntityLocation
    origin: RequestOrigin

    @property
    def connection(self) -> int | None:
        """The account that the request names, else the one of the place."""
        return self.origin.connection or find_connection(*self.location)


EntityKey = tuple[str, UUID]
Wanted = dict[EntityKey, RowOrigin]


class MadeMeanwhile(OperationalError):
    """Another transaction made a row that was missing when the rows were locked."""


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
    *("problem", "evidence"),
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
    A read that was refused, not found or incomplete waits for a second look.
    """
    origin = RequestOrigin(priority, now, requested_at or now, actor, slice_id, connection)
    if priority == Priority.EVENT:
        _note_events([connection], now=now)
    found = _wanted(refs, origin)
    _store(found)
    return len(found)


def request_events(
    announced: Mapping[int | None, tuple[Iterable[EntityRef], datetime]], *, now: datetime
) -> None:
    """Request what events announced to each account, the oldest of which came at that time.

    In one go, because the caller's transaction holds the locks of all of them.
    """
    _note_events(announced, now=now)
    together: Wanted = {}
    for connection, (refs, requested_at) in announced.items():
        origin = RequestOrigin(Priority.EVENT, now, requested_at, connection=connection)
        together = _wanted(refs, origin) | together
    _store(together)


def _note_events(accounts: Iterable[int | None], *, now: datetime) -> None:
    heartbeat.beat(heartbeat.of_events(None), now=now)
    for account in accounts:
        heartbeat.beat(heartbeat.of_events(account), now=now)
    Heartbeat.objects.note_clock(now=now)


def request_unseen(refs: Mapping[Priority, Iterable[EntityRef]], *, now: datetime) -> None:
    """Request only entities that were never requested. A row, once made, stays for ever."""
    together: Wanted = {}
    for priority in sorted(refs):
        origin = RequestOrigin(priority, now, now)
        together = _wanted(refs[priority], origin) | together
    _insert(together)


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


def release(claims: Iterable[Claim]) -> None:
    """Give back what was claimed and not begun: no worker died of it, and it is due as before."""
    _update_held(claims, state=WAITING, lease_until=None, crashes=F("crashes") - 1)


def renew(claims: Iterable[Claim], *, now: datetime) -> None:
    """Hold on to reads that take long: their worker is alive."""
    _update_held(claims, lease_until=now + LEASE)


def _update_held(claims: Iterable[Claim], **fields: Any) -> None:
    for fetch_no, held in groupby(sorted(claims, key=_fetch_no), key=_fetch_no):
        pks = [claim.pk for claim in held]
        with transaction.atomic():
            # Whoever claimed it since, after its lease had run out, has another number.
            mine = SyncRequest.objects.filter(pk__in=pks, state=WORKING, fetch_no=fetch_no)
            SyncRequest.objects.filter(pk__in=locked(mine)).update(**fields)


def reclaim(*, now: datetime) -> int:
    """Release the rows of killed workers; park a row that has killed too many of them.

    A machine that is too busy to read within the lease looks the same. So such a row, too, is read
    again once an hour (mirror/queue/parked.py).
    """
    lapsed = SyncRequest.objects.filter(state=WORKING, lease_until__lt=now)
    if not lapsed.exists():  # by its index; in the order of keys SQLite reads every row
        return 0
    with transaction.atomic():
        pks = locked(lapsed, skip=True)
        rows = SyncRequest.objects.filter(pk__in=pks)
        rows.filter(crashes__gte=MOST_CRASHES).update(
            state=SyncRequest.State.PARKED,
            problem="crash",
            not_before=now + PARKED_AGAIN,
            lease_until=None,
        )
        return rows.filter(state=WORKING).update(state=WAITING, not_before=now, lease_until=None)


def _claim(
    group_uuid: UUID | None, restaurant_uuid: UUID | None, served: int, at: datetime, *facts: Any
) -> Claim:
    claim = Claim(EntityLocation(group_uuid, restaurant_uuid), *facts)
    return replace(claim, requested_at=at) if served < claim.request_count else claim


def _wanted(refs: Iterable[EntityRef], origin: RequestOrigin) -> Wanted:
    return {(ref.kind, ref.uuid): RowOrigin(ref.location, origin) for ref in refs}


def _store(requests: Wanted) -> None:
    """Make the rows that are missing and count the request on the others.

    Inside of a transaction, call it once: a second call would lock rows after inserting some.
    """
    keys = iter(sorted(requests))
    while chunk := {key: requests[key] for key in islice(keys, CHUNK)}:
        _store_chunk(chunk, tries=TRIES)


def _insert(requests: Wanted) -> int:
    """Make the rows that are missing. Returns how many. Waits for no row that is there."""
    if not requests:
        return 0
    keys = sorted(requests)
    rows = [requests[key] for key in keys]
    first = rows[0].origin
    row = SyncRequest(not_before=first.now, actor_id=first.actor, slice_id=first.slice_id)
    varying: dict[str, list[Any]] = {
        "kind": [kind for kind, _ in keys],
        "uuid": [uuid for _, uuid in keys],
        "group_uuid": [row.location.group_uuid for row in rows],
        "restaurant_uuid": [row.location.restaurant_uuid for row in rows],
        "requested_at": [row.origin.requested_at for row in rows],
        "priority": [int(row.origin.priority) for row in rows],
        "connection": [row.connection for row in rows],
    }
    return bulk.insert_copies(row, varying)


def locked(rows: QuerySet[SyncRequest], *, skip: bool = False) -> list[int]:
    """Lock in key order, so that two writers of the same rows cannot wait for each other."""
    ordered = rows.order_by("pk").select_for_update(skip_locked=skip)
    return list(ordered.values_list("pk", flat=True))


def _store_chunk(requests: Wanted, *, tries: int) -> None:
    """Begin again, with no lock held, if a row was made meanwhile."""
    try:
        with transaction.atomic():
            known = _lock_known(requests)
            keys = {(row.kind, row.uuid) for row in known}
            missing = {key: row for key, row in requests.items() if key not in keys}
            if _insert(missing) < len(missing):
                raise MadeMeanwhile
            _count_again(requests, known)
    except MadeMeanwhile:
        if not tries:
            raise
        _store_chunk(requests, tries=tries - 1)


def _lock_known(requests: Wanted) -> list[SyncRequest]:
    """Lock the rows that are there, in key order."""
    kinds, uuids = ({key[at] for key in requests} for at in (0, 1))
    rows = SyncRequest.objects.filter(kind__in=sorted(kinds), uuid__in=sorted(uuids))
    locked_rows = rows.order_by("pk").select_for_update()
    return [row for row in locked_rows if (row.kind, row.uuid) in requests]


def _count_again(requests: Wanted, known: list[SyncRequest]) -> None:
    """Count the request on rows that were there; an account cannot request what is another's.

    In Python, because the rows are locked: as one statement it took SQLite's lock twice as long.
    """
    counted: list[SyncRequest] = []
    of_slice: dict[int, list[int]] = {}
    connection_of = {row.pk: requests[row.kind, row.uuid].connection for row in known}

    def is_own(row: SyncRequest) -> bool:
        return len({row.connection_id, connection_of[row.pk]} - {None}) < 2

    if others := [row for row in known if not is_own(row)]:
        handover.release(others)
    for row in filter(is_own, known):
        _count(row, requests[row.kind, row.uuid], connection_of[row.pk])
        counted.append(row)
        if slice_id := requests[row.kind, row.uuid].origin.slice_id:
            of_slice.setdefault(slice_id, []).append(row.pk)
    for slice_id, pks in of_slice.items():
        _note_takeover(pks, slice_id)
    bulk.update(counted, COUNTED)


def _count(row: SyncRequest, requested: RowOrigin, connection: int | None) -> None:
    location, origin = requested
    is_open = row.state in (WAITING, WORKING)
    is_unread = is_open and row.served < row.request_count
    # The oldest time of the open requests; a sweep's time never counts for an event's.
    is_peer = row.priority <= max(origin.priority, Priority.EVENT)
    at = origin.requested_at
    row.requested_at = min(row.requested_at, at) if is_unread and is_peer else at
    again = row.requested_again_at if is_peer else None
    row.requested_again_at = min(again, at) if again else at
    row.not_before = _due(row, origin)
    row.priority = min(row.priority, int(origin.priority)) if is_open else int(origin.priority)
    row.attempts = row.attempts if row.state == WAITING else 0
    row.request_count += 1
    row.confirms = 0
    row.state = WORKING if row.state == WORKING else WAITING
    row.group_uuid = location.group_uuid or row.group_uuid
    row.restaurant_uuid = location.restaurant_uuid or row.restaurant_uuid
    row.connection_id = connection or row.connection_id
    row.actor_id = origin.actor or row.actor_id
    row.slice_id = origin.slice_id or row.slice_id


def _due(row: SyncRequest, origin: RequestOrigin) -> datetime:
    is_waiting, soon = row.state == WAITING, origin.now
    is_event = origin.priority == Priority.EVENT
    is_doubted = is_waiting and row.problem in handover.DOUBTED
    is_lifted = origin.priority == Priority.PERSON or (is_event and is_doubted)
    if is_waiting and row.attempts and not is_lifted:
        return row.not_before
    was_just_read = row.settled_at and row.settled_at > origin.now - SPACING
    if is_event and (is_doubted or was_just_read):
        soon += SPACING
    return min(row.not_before, soon) if is_waiting else soon


def _note_takeover(rows: list[int], slice_id: int) -> None:
    """Let the listings that still wait for these rows wait for the one that takes them over."""
    theirs = SyncRequest.objects.filter(UNREAD, pk__in=rows, slice__isnull=False)
    before = theirs.exclude(slice=slice_id).order_by().values_list("slice", flat=True).distinct()
    link = Slice.waits_for.through
    link.objects.bulk_create(
        (link(from_slice_id=pk, to_slice_id=slice_id) for pk in before), ignore_conflicts=True
    )


def _fetch_no(claim: Claim) -> int:
    return claim.fetch_no
