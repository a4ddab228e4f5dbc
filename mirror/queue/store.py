"""Stores a batch of finished reads in one short transaction: about a dozen statements, whether it
holds one read or fifty. If one cannot be stored, each is stored alone, and retried later or shown.
"""

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from lib.database import bulk, lost_connections
from lib.text import recorded
from live import latency
from live.announcements import announce
from live.models import Announcement, LatencySample
from mirror import drift, kinds
from mirror.kinds import EntityPlace, Kind, Link, Stored, Unplaceable
from mirror.models import Change, Mirrored, Priority, Slice, SyncRequest
from mirror.queue import answer_lag, parked, retry_schedule, sync_requests
from mirror.queue.handover import DOUBTED, NEVER
from mirror.queue.retry_schedule import SERVED, RequestOutcome
from mirror.queue.sync_requests import Claim
from partner.errors import Foreign
from partner.payloads.answers import lost_fields

logger = logging.getLogger(__name__)

PRESENT, GONE, ERASED = Mirrored.Presence.PRESENT, Mirrored.Presence.GONE, Mirrored.Presence.ERASED
LockedRequests = dict[int, list[Any]]  # by key: state, fetch_no and request_count
# A change stored this recently explains why a further event finds nothing new.
NEWS_IS_FRESH = timedelta(seconds=30)
FOREIGN_ANSWER = "an answer about something else"  # so counted on the health page
EVERYTHING = UUID(int=0)  # announced instead of each entity while a backfill runs


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A claimed read with its answer or its error."""

    claim: Claim
    answer: Any = None
    error: Exception | None = None
    fetched_at: datetime | None = None
    seconds: float = 0.0  # that the fetch took


@dataclass(slots=True)
class StoreBatch:
    """What one transaction is about to write."""

    now: datetime
    created: list[Any] = field(default_factory=list)
    changed: list[Any] = field(default_factory=list)
    same: list[Any] = field(default_factory=list)
    stored: dict[str, list[Stored]] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    announcements: dict[tuple[Any, ...], Announcement] = field(default_factory=dict)
    latency_samples: list[LatencySample] = field(default_factory=list)
    outcomes: dict[int, RequestOutcome] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    lag: answer_lag.AnswerLag = field(default_factory=answer_lag.AnswerLag)


def settle(results: list[ReadResult], *, now: datetime) -> Counter[str]:
    """Store what was read; a fault of one holds up no other. Returns how many were created, …"""
    try:
        return _settle_together(results, now=now)
    except Exception as error:  # noqa: BLE001 - logged below, and raised again where it lasts
        lost_connections.replace_if_lost()
        if len(results) == 1:
            return _settle_failed(results[0], error, now=now)
    counts: Counter[str] = Counter()
    for result in results:
        counts += settle([result], now=now)
    return counts


def _settle_together(results: list[ReadResult], *, now: datetime) -> Counter[str]:
    batch = StoreBatch(now=now)
    with transaction.atomic():
        held = _lock_requests(results)
        for kind in sorted({o.claim.kind for o in results}):
            _apply_results(kinds.get(kind), [o for o in results if o.claim.kind == kind], batch)
        _write(results, batch)
        _close([o.claim for o in results], held, batch)
        batch.lag.store(now=now)
    return batch.counts


def _lock_requests(results: Iterable[ReadResult]) -> LockedRequests:
    """Lock the requests: two workers may hold the same entity after a lease ran out."""
    rows = SyncRequest.objects.filter(pk__in=[result.claim.pk for result in results])
    locked = rows.select_for_update().order_by("pk")
    return {
        pk: facts for pk, *facts in locked.values_list("pk", "state", "fetch_no", "request_count")
    }


def _settle_failed(result: ReadResult, error: Exception, *, now: datetime) -> Counter[str]:
    """Retry later after a busy database, else park it. A lasting fault is raised again."""
    if isinstance(error, OperationalError | InterfaceError):
        outcome = retry_schedule.unstored(result.claim, now=now)
    else:
        outcome = retry_schedule.unstorable(getattr(result.answer, "raw", ""), now=now)
        outcome = parked.redacted(outcome, result.claim)
    logger.error("mirror.unstored", exc_info=error, extra={"uuid": str(result.claim.uuid)})
    batch = StoreBatch(now=now, outcomes={result.claim.pk: outcome})
    with transaction.atomic():
        _close([result.claim], _lock_requests([result]), batch)
    return Counter({str(outcome.state): 1})


def _apply_results(kind: Kind, results: list[ReadResult], batch: StoreBatch) -> None:
    held = kind.model._default_manager.select_for_update(no_key=True)  # versions are counted up
    known = held.in_bulk([o.claim.uuid for o in results])
    for result in results:
        existing = known.get(result.claim.uuid)
        batch.outcomes[result.claim.pk] = outcome = _outcome_of(kind, result, existing, batch)
        if outcome.state == SyncRequest.State.PARKED:
            batch.outcomes[result.claim.pk] = parked.redacted(outcome, result.claim)
        if outcome.gone and existing is not None:
            _mark_gone(kind, existing, result, batch)


def _outcome_of(kind: Kind, result: ReadResult, existing: Any, batch: StoreBatch) -> RequestOutcome:
    claim = result.claim
    if existing is not None and existing.presence == ERASED:
        return SERVED
    if result.error is not None:
        outcome = retry_schedule.after_failure(result.error, claim, now=batch.now)
        is_last = outcome.not_before == NEVER
        return parked.believed(outcome, claim, existing, now=batch.now) if is_last else outcome
    if existing is not None and existing.fetch_no > claim.fetch_no:
        batch.counts["stale"] += 1  # a slow old answer never overwrites a newer one
        return SERVED
    if existing is not None and (existing.raw, existing.presence) == (result.answer.raw, PRESENT):
        return _store_same(kind, existing, result, batch)
    return _incomplete(result, existing, batch) or _build(kind, result, existing, batch)


def _build(kind: Kind, result: ReadResult, existing: Any, batch: StoreBatch) -> RequestOutcome:
    """Store what has a place here. A copy of what has moved elsewhere is at its place no longer."""
    try:
        row = kind.build(result.answer, result.claim.location, existing)
    except Unplaceable as error:
        outcome = retry_schedule.parked("unplaced", str(error), evidence=result.answer.raw)
        if error.elsewhere is None:
            return outcome
        outcome = replace(outcome, elsewhere=error.elsewhere)
        return _moved_away(kind, existing, result, outcome, now=batch.now)
    if _is_of_another_account(kind, row, result.claim):
        sentence = _("The answer names a restaurant of another connection. It is not stored.")
        outcome = retry_schedule.parked("unplaced", sentence)
        outcome = replace(outcome, elsewhere=kind.owner(row).restaurant_uuid)
        return _moved_away(kind, existing, result, outcome, now=batch.now)
    return _store_new(kind, row, existing, result, batch)


def _moved_away(
    kind: Kind, existing: Any, result: ReadResult, outcome: RequestOutcome, *, now: datetime
) -> RequestOutcome:
    """The account's own copy is gone from where it was, once a second answer has the same."""
    if existing is None or _is_of_another_account(kind, existing, result.claim):
        return outcome
    is_first = result.claim.confirms < retry_schedule.GONE_AFTER
    if is_first and existing.presence == PRESENT:
        return retry_schedule.confirm(result.claim, now=now)
    return replace(outcome, gone=True)


def _is_of_another_account(kind: Kind, row: Any, claim: Claim) -> bool:
    """Whether one account answers with what belongs to another: its address may be anybody's."""
    account = kind.account(row)
    return None not in (account, claim.connection_id) and account != claim.connection_id


def _incomplete(result: ReadResult, existing: Any, batch: StoreBatch) -> RequestOutcome | None:
    """Request a later read to confirm an answer that lacks fields of the copy."""
    lost = lost_fields(existing.raw, result.answer) if existing is not None else []
    if not lost:
        return None
    since = retry_schedule.lacking_since(result.claim, lost) or batch.now
    if batch.now - since >= retry_schedule.MISSING_AGAIN:
        return None
    batch.counts["incomplete"] += 1
    return retry_schedule.incomplete(lost, since=since, now=batch.now)


def _store_same(kind: Kind, existing: Any, result: ReadResult, batch: StoreBatch) -> RequestOutcome:
    claim = result.claim
    existing.read_at = max(existing.read_at, result.answer.started_at)
    existing.fetch_no = claim.fetch_no
    batch.same.append(existing)
    batch.counts["same"] += 1
    reread_at = kind.reread(existing, batch.now)
    if answer_lag.follows_event(claim) and existing.changed_at < batch.now - NEWS_IS_FRESH:
        return retry_schedule.confirm(claim, now=batch.now, reread_at=reread_at)
    return batch.lag.after_read(claim, reread_at, now=batch.now)


def _store_new(
    kind: Kind, row: Any, existing: Any, result: ReadResult, batch: StoreBatch
) -> RequestOutcome:
    claim, answer = result.claim, result.answer
    row.uuid, row.raw, row.presence = claim.uuid, answer.raw, PRESENT
    row.fetch_no, row.read_at, row.changed_at = claim.fetch_no, answer.started_at, batch.now
    row.first_seen_at = existing.first_seen_at if existing else batch.now
    row.version = existing.version + 1 if existing else 1
    if existing is None:
        batch.created.append(row)
    else:
        batch.changed.append(row)
        batch.changes.extend(_differences(kind, existing, row, claim, now=batch.now))
    batch.counts["created" if existing is None else "changed"] += 1
    brought = Priority(claim.priority), claim.connection_id
    batch.links.extend(Link(row, ref, *brought) for ref in kind.related(row))
    _announce(kind, existing, row, result, batch)
    batch.lag.note_news(claim, existing)
    return batch.lag.after_read(claim, kind.reread(row, batch.now), now=batch.now)


def _mark_gone(kind: Kind, row: Any, result: ReadResult, batch: StoreBatch) -> None:
    if row.presence != PRESENT or row.fetch_no > result.claim.fetch_no:
        return  # a slow old 404 does not overwrite a newer copy either
    row.presence, row.version, row.changed_at = GONE, row.version + 1, batch.now
    row.fetch_no = result.claim.fetch_no
    batch.changed.append(row)
    batch.counts["gone"] += 1
    batch.changes.append(
        Change(
            kind=kind.name,
            uuid=row.uuid,
            version=row.version,
            seen_at=batch.now,
            field="presence",
            before=PRESENT,
            after=GONE,
        )
    )
    _announce(kind, row, row, result, batch)


def _differences(
    kind: Kind, old: Any, new: Any, claim: Claim, *, now: datetime
) -> Iterable[Change]:
    for column in kind.change_labels:
        before, after = getattr(old, column), getattr(new, column)
        if before != after and recorded(before) != recorded(after):
            yield Change(
                kind=kind.name,
                uuid=new.uuid,
                version=new.version,
                seen_at=now,
                field=column,
                before=recorded(before),
                after=recorded(after),
                actor_id=claim.actor_id,
            )


def _announce(kind: Kind, before: Any, row: Any, result: ReadResult, batch: StoreBatch) -> None:
    """Announce a changed row; a backfill announces a place once per batch instead."""
    claim = result.claim
    batch.stored.setdefault(kind.name, []).append(Stored(before, row))
    is_summed = claim.priority == Priority.BACKFILL
    uuid, version = (EVERYTHING, 0) if is_summed else (row.uuid, row.version)
    place: EntityPlace = kind.place(row)
    if (kind.name, uuid, version, place) in batch.announcements:
        return
    line = Announcement(
        kind=kind.name,
        uuid=uuid,
        version=version,
        group_id=place.group_id,
        restaurant_id=place.restaurant_id,
        at=batch.now,
    )
    batch.announcements[kind.name, uuid, version, place] = line
    if claim.priority <= Priority.EVENT:
        times = {"received_at": claim.requested_at, "fetched_at": result.fetched_at}
        batch.latency_samples.append(latency.sample_of(line, **times))


def _write(results: list[ReadResult], batch: StoreBatch) -> None:
    related = kinds.without_foreign(batch.links)
    for rows in _by_model(batch.created).values():
        bulk.insert(rows)
    for model, rows in _by_model(batch.changed).items():
        bulk.update(rows, [f.name for f in model._meta.concrete_fields if not f.primary_key])
    for rows in _by_model(batch.same).values():
        bulk.update(rows, ["read_at", "fetch_no"])
    # Before the domains are called: one that redacts an erased guest's words finds these rows too.
    bulk.insert(batch.changes)
    news = _by_model([*batch.created, *batch.changed])
    for kind in map(kinds.get, sorted({o.claim.kind for o in results})):
        if kind.model in news:
            kind.stored(news[kind.model], batch.now)
    sync_requests.request_unseen(related, now=batch.now)
    findings = ((o.claim.kind, found) for o in results for found in _drift(o))
    answers = Counter(o.claim.kind for o in results if o.answer)
    drift.count_findings(findings, answers=answers, now=batch.now)
    for name, stored in batch.stored.items():
        kinds.notify_watchers(name, stored)
    announce(batch.announcements.values())
    latency.begin(batch.latency_samples)


def _drift(result: ReadResult) -> Iterable[Any]:
    if isinstance(result.error, Foreign):
        return (FOREIGN_ANSWER,)
    return result.answer.drift if result.answer else ()


def _by_model(rows: Iterable[Any]) -> dict[type[Any], list[Any]]:
    grouped: dict[type[Any], list[Any]] = {}
    for row in rows:
        grouped.setdefault(type(row), []).append(row)
    return grouped


def _close(claims: list[Claim], held: LockedRequests, batch: StoreBatch) -> None:
    """Most rows of a batch end the same way and are closed by one statement."""
    plain: list[int] = []
    special: dict[int, Claim] = {}
    for claim in claims:
        state, fetch_no, request_count = held.get(claim.pk, (None, 0, 0))
        if fetch_no != claim.fetch_no or state != SyncRequest.State.WORKING:
            continue  # the lease ran out and another worker has the row now
        if batch.outcomes[claim.pk] == SERVED and request_count == claim.request_count:
            plain.append(claim.pk)
        else:
            special[claim.pk] = claim
    batch.counts["settled"] += len(plain)
    _close_plainly(plain, now=batch.now)
    for pk, row in SyncRequest.objects.in_bulk(special).items():
        _next_state(row, special[pk], batch)
        row.save(force_update=True)
    _count_repairs(claims, batch)


def _close_plainly(pks: list[int], *, now: datetime) -> None:
    if pks:
        SyncRequest.objects.filter(pk__in=pks).update(
            state=SyncRequest.State.SETTLED,
            served=F("request_count"),
            lease_until=None,
            crashes=0,
            attempts=0,
            confirms=0,
            problem="",
            sentence="",
            evidence="",
            settled_at=now,
            actor=None,
        )


def _next_state(row: SyncRequest, claim: Claim, batch: StoreBatch) -> None:
    outcome = batch.outcomes[claim.pk]
    is_backing_off = outcome.state == SyncRequest.State.WAITING and outcome.problem
    if row.request_count != claim.request_count:
        # Another request arrived while the read was under way: one more read, soon, and not
        # only when a later look would have been due.
        at = batch.now + (sync_requests.SPACING if row.priority > Priority.PERSON else timedelta())
        if not is_backing_off:
            outcome = replace(outcome, state=SyncRequest.State.WAITING, not_before=at, confirms=0)
        elif outcome.problem in DOUBTED and row.priority <= Priority.EVENT:
            outcome = replace(outcome, not_before=min(at, outcome.not_before or at), confirms=0)
    elif outcome.state == SyncRequest.State.WAITING and not outcome.attempts:
        row.priority = outcome.later_priority(row.priority)
    row.state = outcome.state
    row.not_before = outcome.not_before or row.not_before
    row.attempts, row.confirms = outcome.attempts, outcome.confirms
    row.problem, row.sentence, row.evidence = outcome.problem, outcome.sentence, outcome.evidence
    row.restaurant_uuid = outcome.elsewhere or row.restaurant_uuid
    row.lease_until, row.crashes = None, 0
    if not outcome.problem or outcome.gone:
        row.served, row.settled_at = claim.request_count, batch.now
        row.requested_at = row.requested_again_at or row.requested_at
    if row.state == SyncRequest.State.SETTLED:
        row.actor_id = None
    batch.counts[str(outcome.state)] += 1


def _count_repairs(claims: list[Claim], batch: StoreBatch) -> None:
    """A sweep that finds something new has found what an event did not bring."""
    news = {row.uuid for row in (*batch.created, *batch.changed)}
    repaired = Counter(c.slice_id for c in claims if c.slice_id and c.uuid in news)
    for slice_id, number in sorted(repaired.items()):
        Slice.objects.filter(pk=slice_id).update(repaired=F("repaired") + number)
