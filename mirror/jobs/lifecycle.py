"""Backfills and sweeps: listings cut into slices, each listed once and then read by the queue.

A slice is the unit that survives a restart: its listing is a lease like any other, and what it
found are ordinary requests. Only a few thousand requests wait at a time, so that memory stays
flat and an event is never behind three hundred thousand rows.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from lib.database import lost_connections
from mirror import kinds
from mirror.jobs import (
    already_read,
    completeness,
    listing_faults,
    short_lists,
    slice_leases,
    windows,
)
from mirror.jobs.slice_leases import RunClock
from mirror.jobs.windows import Window
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, Slice, SyncRequest
from mirror.queue import due_accounts, retry_schedule, sync_requests
from mirror.queue.sync_requests import UNREAD
from partner import errors, factory
from partner.models import Connection
from restaurants.directory import find_connection
from restaurants.models import Restaurant

logger = logging.getLogger(__name__)

# The accounts that a thread of this process lists.
_listing = set[int | None]()
_turns = threading.Lock()

# Below this many unread rows the next slice is listed.
LOW_WATER = 4000
SWEEP_EVERY = timedelta(minutes=50)
MOST_LISTING = 4  # threads of a process that list: the others route events and read
# Between two chunks of a listing, others write: as long as the last one took, but no longer.
LONGEST_REST = 0.1
# A paused job's rows wait until here; an event for one of them is served all the same.
HELD_UNTIL = datetime(2200, 1, 1, tzinfo=timezone.get_fixed_timezone(0))

# No connection, a paused one and refused credentials are no answer: a list waits until then.
NO_ANSWER = (errors.Retryable, errors.NotConfigured, errors.CredentialsRefused)


def backfill(
    *,
    since: date,
    until: date,
    now: datetime,
    kind_names: Iterable[str] = (),
    restaurants: Iterable[Restaurant] | None = None,
    started_by: Any = None,
) -> Job:
    """Plan the reading of a range at restaurants of one account: today first, then outward."""
    chosen = list(windows.everywhere() if restaurants is None else restaurants)
    planned = windows.of_backfill(
        list(kind_names) or kinds.names(), chosen, since, until, today=now.date()
    )
    job = Job(purpose=Job.Purpose.BACKFILL, since=since, until=until, started_by=started_by)
    return _plan(job, chosen, planned, now=now)


def sweep(
    *,
    now: datetime,
    days: int | None = None,
    restaurants: Iterable[Restaurant] | None = None,
    started_by: Any = None,
) -> Job:
    """Plan the comparison of the recent past of one account, wide enough to leave no gap."""
    today = now.date()
    until = today + timedelta(days=1)
    chosen = list(windows.everywhere() if restaurants is None else restaurants)
    planned = windows.of_sweep(chosen, today, until, days=days)
    since = windows.changed_since(planned, today)
    job = Job(purpose=Job.Purpose.SWEEP, since=since, until=until, started_by=started_by)
    return _plan(job, chosen, planned, now=now)


def by_account(restaurants: Iterable[Restaurant]) -> list[list[Restaurant]]:
    """The restaurants of each account: a job for each, so that none waits for another's."""
    accounts: dict[int | None, list[Restaurant]] = {}
    for restaurant in restaurants:
        accounts.setdefault(restaurant.group.connection_id, []).append(restaurant)
    return list(accounts.values())


def advance(*, now: datetime) -> None:
    """Advance every open job: list the next slices, close those that are read.

    No list of an account is requested that cannot be called now; after one that failed the next
    job has its turn.
    """
    clock, usable = RunClock(now), {None} | due_accounts.usable_connections()
    for job in Job.objects.filter(state=Job.State.RUNNING).order_by("started_at"):
        _close_read_slices(job, now=now)
        with _listing_turn(job.connection_id) as is_mine:
            while is_mine and job.connection_id in usable and _list_next(job, clock=clock):
                pass
        _close_read_slices(job, now=now)
        _close_job(job, now=now)


@contextmanager
def _listing_turn(connection: int | None) -> Iterator[bool]:
    """Whether this thread may list what an account has: one at a time may.

    A listing of one that hangs takes up to 25 s, and every 5 s a thread comes for the next.
    """
    with _turns:
        is_mine = connection not in _listing and len(_listing) < MOST_LISTING
        if is_mine:
            _listing.add(connection)
    try:
        yield is_mine
    finally:
        if is_mine:
            _listing.discard(connection)


def _list_next(job: Job, *, clock: RunClock) -> bool:
    """List the next slice if few of the last ones are unread. False when there is no more now."""
    piece = slice_leases.claim(job, clock=clock) if _unread(job) < LOW_WATER else None
    return piece is not None and list_slice(piece, clock=clock)


def list_slice(piece: Slice, *, clock: RunClock) -> bool:
    """Walk one listing and request a read of everything it names. False if it has to wait."""
    now = clock.began_at
    try:
        piece.found = _request_named(piece, clock=clock)
        if held := short_lists.count_held(piece, found=piece.found):
            slice_leases.confirm(piece, clock=clock)
            short_lists.note(piece, held=held, now=now)
        else:
            slice_leases.settle(piece, Slice.State.READING, sentence="", now=now)
    except slice_leases.SliceLost:
        logger.warning("mirror.slice_lost", extra={"slice": piece.pk})
    except errors.EndpointHeld as error:  # as if it had answered so once more
        _note_fault(piece, error, clock=clock)
    except NO_ANSWER as error:
        retry_after = float(getattr(error, "retry_after", None) or 0)
        sentence = retry_schedule.sentence_of(error)
        slice_leases.list_later(piece, sentence, pause=retry_after, clock=clock)
        return False
    except (OperationalError, InterfaceError) as error:  # a deadlock, a lock, a lost connection
        logger.error("mirror.unlisted", exc_info=error, extra={"slice": piece.pk})
        lost_connections.replace_if_lost()
        slice_leases.list_later(piece, retry_schedule.busy_listing(), clock=clock)
    except errors.PartnerError as error:
        _note_fault(piece, error, clock=clock)
    return True


def _request_named(piece: Slice, *, clock: RunClock) -> int:
    """Request a read of what the listing names. Returns how many that are."""
    found, since = 0, already_read.begin_of(piece)
    for chunk in listing_faults.chunks(_uuids(piece, clock=clock), sync_requests.CHUNK):
        began = time.monotonic()
        found += len(set(chunk))
        left = already_read.left_over(piece, chunk, since=since)
        sync_requests.request(
            [EntityRef(piece.kind, uuid, _location(piece)) for uuid in left],
            priority=piece.priority,
            now=clock.began_at,
            slice_id=piece.pk,
        )
        slice_leases.renew(piece, clock=clock)
        # SQLite grants its lock to who tries at the right moment, not to who waited longest.
        time.sleep(min(time.monotonic() - began, LONGEST_REST))
    return found


def _note_fault(piece: Slice, error: errors.PartnerError, *, clock: RunClock) -> None:
    if listing_faults.halve(error, piece, now=clock.began_at):
        return
    sentence = retry_schedule.sentence_of(error)
    pause = listing_faults.pause_after(error, piece)
    if pause is None:
        state = listing_faults.state_after(error, piece)
        slice_leases.settle(piece, state, sentence=sentence, now=clock.began_at)
    else:
        slice_leases.list_later(piece, sentence, pause=pause, clock=clock)


def pause(job: Job, *, now: datetime) -> None:
    """Pause the job's waiting requests. Requests of events and people are still read."""
    with transaction.atomic():
        if Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(state=Job.State.PAUSED):
            # Without its attempts, so that an event lifts a row out of the hold; and without their
            # reason, or the next refusal would be taken for one after the last.
            _waiting(job).update(not_before=HELD_UNTIL, attempts=0, problem="", sentence="")


def resume(job: Job, *, now: datetime) -> None:
    with transaction.atomic():
        if Job.objects.filter(pk=job.pk, state=Job.State.PAUSED).update(state=Job.State.RUNNING):
            _waiting(job).filter(not_before=HELD_UNTIL).update(not_before=now)


def cancel(job: Job, *, now: datetime) -> None:
    """Stop a job. Its unread requests are deleted, so that other jobs can request them again.

    What an event, a person or another job has requested as well stays requested.
    """
    with transaction.atomic():
        open_job = Job.objects.filter(pk=job.pk, state__in=[Job.State.RUNNING, Job.State.PAUSED])
        if not open_job.update(state=Job.State.CANCELLED, ended_at=now):
            return
        _hand_back(job, now=now)
        _waiting(job).filter(served=0).delete()
        # Rows that were on a schedule of second looks are read once more, and so stay on it.
        known = _waiting(job).exclude(kind__in=kinds.with_second_looks())
        known.update(state=SyncRequest.State.SETTLED)


def _hand_back(job: Job, *, now: datetime) -> None:
    """Give what this job took over from listings of other jobs back to one that is still open."""
    for piece in job.slices.filter(waited_for_by__isnull=False).distinct():
        waiting = Slice.objects.filter(pk__in=_linked(piece, "waits_for"))
        if heir := waiting.filter(job__state=Job.State.RUNNING).first():
            _waiting(job).filter(slice=piece).update(slice=heir, not_before=now)


def sweep_if_due(*, now: datetime) -> list[Job]:
    """Start the sweeps of the schedule: two beats, or a slow sweep, do not start a second one.

    Each account has its own; none is started for one that is not in use.
    Of two calls at once the second waits for the row lock of a restaurant, and then finds the
    sweep of the first. SQLite lets only one of them begin.
    """
    with transaction.atomic():
        first = Restaurant.objects.order_by("pk").select_for_update(no_key=True).first()
        if first is None:
            return []
        swept = _swept(now=now)
        idle = Connection.objects.exclude(state=Connection.State.ACTIVE)
        due = windows.everywhere().exclude(group__connection__in=idle)
        return [
            sweep(now=now, restaurants=own)
            for own in by_account(due)
            if own[0].group.connection_id not in swept
        ]


def _swept(*, now: datetime) -> set[int | None]:
    """The accounts whose last sweep still runs, or is recent."""
    # One that began in the future was begun by a clock that has been set back since.
    is_recent = Q(started_at__range=(now - SWEEP_EVERY, now)) | Q(state=Job.State.RUNNING)
    recent = Job.objects.filter(is_recent, purpose=Job.Purpose.SWEEP)
    return set(recent.order_by().values_list("connection", flat=True))


def _plan(job: Job, chosen: list[Restaurant], planned: list[Window], *, now: datetime) -> Job:
    job.started_at = now
    job.connection_id = chosen[0].group.connection_id if chosen else None
    with transaction.atomic():
        job.save()
        Slice.objects.bulk_create(
            Slice(
                job=job,
                position=position,
                kind=window.kind,
                group_uuid=window.location.group_uuid,
                restaurant_uuid=window.location.restaurant_uuid,
                since=window.since,
                until=window.until,
                by=window.by,
                not_before=now,
            )
            for position, window in enumerate(planned)
        )
    return job


def _waiting(job: Job) -> QuerySet[SyncRequest]:
    """The open requests of this job alone: neither an event nor a person has made them since."""
    alone = Q(state=SyncRequest.State.WAITING, priority__gt=Priority.EVENT)
    return SyncRequest.objects.filter(UNREAD, alone, slice__job=job)


def _unread(job: Job) -> int:
    return SyncRequest.objects.filter(UNREAD, slice__job=job).count()


def _uuids(piece: Slice, *, clock: RunClock) -> Iterator[UUID]:
    kind = kinds.get(piece.kind)
    if piece.by == "known":
        return kind.known(_location(piece), piece.since, piece.until) if kind.known else iter(())
    account = piece.job.connection_id or find_connection(*_location(piece))
    client = factory.client(account, priority=piece.priority.of_calls)
    # Before each page: a walk may name nothing new for minutes.
    client.before_page = partial(slice_leases.renew, piece, clock=clock)
    if piece.by == windows.UNDATED:
        listed = kind.list(client, _location(piece), piece.since, piece.until, "updatedDate")
        return _never_requested(piece.kind, listed)
    if piece.by == completeness.UNNAMED:
        listed = kind.list(client, _location(piece), piece.since, piece.until, "mealDate")
        return short_lists.unnamed(piece, listed)
    return kind.list(client, _location(piece), piece.since, piece.until, piece.by)


def _never_requested(kind: str, uuids: Iterator[UUID]) -> Iterator[UUID]:
    """Leave out what was ever requested: it is known, or will be."""
    for chunk in listing_faults.chunks(uuids, sync_requests.CHUNK):
        rows = SyncRequest.objects.filter(kind=kind, uuid__in=chunk)
        known = set(rows.values_list("uuid", flat=True))
        yield from (uuid for uuid in chunk if uuid not in known)


def _location(piece: Slice) -> EntityLocation:
    return EntityLocation(piece.group_uuid, piece.restaurant_uuid)


def _close_read_slices(job: Job, *, now: datetime) -> None:
    reading = job.slices.filter(state=Slice.State.READING).select_related("job")
    for piece in reading.exclude(Exists(SyncRequest.objects.filter(UNREAD, slice=OuterRef("pk")))):
        if not _is_unread(_linked(piece, "waited_for_by")):
            _close_slice(piece, now=now)


def _close_slice(piece: Slice, *, now: datetime) -> None:
    """Close a listing together with what it proves: a worker may be killed in between.

    One at a time: of two that close the last of a place, each would see the other's as open.
    """
    with transaction.atomic():
        Job.objects.select_for_update(no_key=True).get(pk=piece.job_id)
        mine = Slice.objects.filter(pk=piece.pk, state=Slice.State.READING)
        is_mine = mine.update(state=Slice.State.DONE, done_at=now)
        if is_mine and not short_lists.is_still_false(piece):
            completeness.note(piece)


def _is_unread(slices: Iterable[int]) -> bool:
    return SyncRequest.objects.filter(UNREAD, slice__in=slices).exists()


def _linked(piece: Slice, by: str) -> set[int]:
    """Follow the takeovers from a slice to all that it is linked with. They may form a circle."""
    found: set[int] = set()
    fresh = {piece.pk}
    while fresh:
        found |= fresh
        linked = Slice.objects.filter(**{f"{by}__in": fresh}).order_by()
        fresh = set(linked.values_list("pk", flat=True)) - found
    return found - {piece.pk}


def _close_job(job: Job, *, now: datetime) -> None:
    ended = [Slice.State.DONE, Slice.State.FAILED, Slice.State.SHORT]
    if not job.slices.exclude(state__in=ended).exists():
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(
            state=Job.State.DONE, ended_at=now
        )
