"""Parked requests: reads that failed, and need a person or an hour."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from mirror.models import Priority, SyncRequest
from mirror.queue import retry_schedule, sync_requests
from mirror.queue.retry_schedule import RequestOutcome
from mirror.queue.sync_requests import Claim

# A read that is refused as not ours is repeated once: the key may just have been revoked, and then
# the reads that were under way are refused alike.
REFUSED_AGAIN = timedelta(minutes=2)
NEVER = datetime(2200, 1, 1, tzinfo=UTC)
# A row whose reads end with their worker takes one worker an hour.
READ_AGAIN = (*retry_schedule.PASSING, retry_schedule.NOT_OURS, "unstorable", "crash")


def after_failure(error: Exception, claim: Claim, *, now: datetime) -> RequestOutcome:
    """The next state of a request. One query, for the few reads that are refused as not ours."""
    outcome = retry_schedule.after_failure(error, claim, now=now)
    if outcome.problem != retry_schedule.NOT_OURS:
        return outcome
    was_refused = SyncRequest.objects.filter(pk=claim.pk, problem=outcome.problem).exists()
    return replace(outcome, not_before=NEVER if was_refused else now + REFUSED_AGAIN)


def rows() -> QuerySet[SyncRequest]:
    return SyncRequest.objects.filter(state=SyncRequest.State.PARKED)


def newest(chosen: QuerySet[SyncRequest]) -> list[SyncRequest]:
    return list(chosen.order_by("-requested_at")[:100])


def try_again(chosen: QuerySet[SyncRequest], row: str | None, *, now: datetime) -> int:
    """Put one parked row, or all of them, back into the queue. Returns how many."""
    if row:
        chosen = chosen.filter(pk=row) if row.isdecimal() else chosen.none()
    with transaction.atomic():
        return _locked(chosen).update(
            state=SyncRequest.State.WAITING,
            request_count=F("request_count") + 1,
            not_before=now,
            requested_at=now,
            priority=Priority.PERSON,
            attempts=0,
            confirms=0,
            crashes=0,
        )


def retry_passing(*, now: datetime) -> int:
    """Queue the due rows that were parked for what may be temporary. Returns how many."""
    due = rows().filter(problem__in=READ_AGAIN, not_before__lte=now)
    with transaction.atomic():
        return _locked(due).update(state=SyncRequest.State.WAITING)


def _locked(chosen: QuerySet[SyncRequest]) -> QuerySet[SyncRequest]:
    return SyncRequest.objects.filter(pk__in=sync_requests.locked(chosen))


def give_up(row: SyncRequest, *, now: datetime) -> None:
    """Close a row without having read it; the reason stays on it."""
    SyncRequest.objects.filter(pk=row.pk, state=SyncRequest.State.PARKED).update(
        state=SyncRequest.State.SETTLED, settled_at=now
    )


def blank_evidence(kind: str, uuids: Iterable[UUID]) -> None:
    """Delete the stored odd answers about these entities: they may hold data of an erased guest."""
    rows = SyncRequest.objects.filter(kind=kind, uuid__in=uuids)
    rows.exclude(evidence="").update(evidence="")
