"""Parked requests: reads that failed, and need a person or an hour."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest

from mirror import kinds
from mirror.jobs.completeness import UNNAMED
from mirror.models import Mirrored, Priority, Slice, SyncRequest
from mirror.queue import retry_schedule, sync_requests
from mirror.queue.handover import NEVER, NOT_OURS
from mirror.queue.retry_schedule import RequestOutcome
from mirror.queue.sync_requests import WAITING, WORKING, Claim
from partner.auth.capabilities import CapabilityMap
from partner.models import Connection
from restaurants.models import Restaurant

# A row whose reads end with their worker takes one worker an hour.
READ_AGAIN = (
    *retry_schedule.PASSING,
    NOT_OURS,
    retry_schedule.NOT_CONFIGURED,
    "unstorable",
    "crash",
)
# In one transaction. Years of bookings may have waited for a restaurant, and the other writers of
# SQLite wait some tenths of a second for so many.
MOST = 5000
UUIDS = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
LEFT_OUT_FOR = timedelta(hours=2)


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
    """Queue what was parked for what may be temporary, or has a place or a right by now. Returns
    how many.

    What is more than `MOST` follows with the next turn. Nobody waits for it any more: new events
    come first, and how long it took tells nothing of how fast they are.
    """
    passing = Q(problem__in=READ_AGAIN, not_before__lte=now)
    placed = Q(problem="unplaced") & Exists(_own_place())
    due = rows().filter(passing | placed | _granted_by_now())
    # Looked for outside of the transaction: on SQLite even an empty one takes the only write lock.
    pks = [*due.order_by("pk").values_list("pk", flat=True)[:MOST], *_not_ready(now=now)]
    if not pks:
        return 0
    with transaction.atomic():
        return _locked(rows().filter(pk__in=pks)).update(
            state=WAITING, not_before=now, priority=Greatest("priority", Priority.SWEEP)
        )


def _granted_by_now() -> Q:
    """What was refused for lack of a right, before the key or the credentials of today that have
    it, or of which nobody knows yet. Once for each, for a 403 is not to be repeated."""
    refused, found = rows().filter(problem=retry_schedule.SCOPE), Q(pk=None)
    for connection in Connection.objects.active().filter(pk__in=refused.values("connection")):
        rights = CapabilityMap(connection)
        granted = [kind for kind in kinds.names() if rights.can(f"{kind}s")]
        own = Q(connection=connection, kind__in=granted, not_before__lt=rights.as_of)
        found |= Q(problem=retry_schedule.SCOPE) & own
    return found


def _not_ready(*, now: datetime) -> list[int]:
    """One record a group and hour, while all of its records are refused; then all of them.

    The others have no time of their own: where nothing of their group has one, and none is being
    read, the one that was read for all of them is refused no more.
    """
    refused = Q(problem=retry_schedule.NOT_READY)
    being_read = [SyncRequest.objects.filter(refused, state=one) for one in (WAITING, WORKING)]
    chosen: list[int] = []
    groups = rows().filter(refused).order_by().values_list("connection", "group_uuid")
    for account, group, first in groups.annotate(first=Min("not_before")):
        own = Q(connection=account, group_uuid=group)
        is_being_read = any(rows.filter(own).exists() for rows in being_read)  # by an index each
        if is_being_read or now < first < NEVER:
            continue
        of_group = rows().filter(refused, own)
        ordered = of_group.order_by("not_before", "pk").values_list("pk", flat=True)
        found = list(ordered[: MOST if first >= NEVER else 1])
        chosen += found
        with transaction.atomic():
            later = of_group.exclude(pk__in=found).filter(not_before__lt=NEVER)
            _locked(later).update(not_before=NEVER)
    return chosen


def _own_place() -> QuerySet[Restaurant]:
    """The restaurant that the answer named, which has been set up for its account meanwhile."""
    is_own = Q(group__connection=OuterRef("connection")) | Q(group__connection=None)
    return Restaurant.objects.filter(is_own, uuid=OuterRef("restaurant_uuid"))


def _locked(chosen: QuerySet[SyncRequest]) -> QuerySet[SyncRequest]:
    return SyncRequest.objects.filter(pk__in=sync_requests.locked(chosen))


def believed(
    outcome: RequestOutcome, claim: Claim, existing: Any, *, now: datetime
) -> RequestOutcome:
    """A record that is refused for good as another's, and that the account's own list has just left
    out, is the account's no more: its copy must not stay on the boards.

    But where the list names nothing of its restaurant, the right to the restaurant is lost rather
    than every record moved: only a 404 of their own takes them off the boards. What is held is
    read again once an hour: the right may return.
    """
    listings = Slice.objects.filter(by=UNNAMED, listing_began_at__gt=now - LEFT_OUT_FOR)
    listing = listings.filter(pk=claim.slice_id or 0).first()
    if listing and (existing is None or _names_any(listing, listings, existing)):
        return retry_schedule.no_longer_there()
    is_held = existing is not None and existing.presence == Mirrored.Presence.PRESENT
    return replace(outcome, not_before=now + sync_requests.PARKED_AGAIN) if is_held else outcome


def _names_any(listing: Slice, listings: QuerySet[Slice], existing: Any) -> bool:
    """Whether the copy holds another record of the restaurant that the list has not left out."""
    kind = kinds.get(listing.kind)
    if kind.held is None:
        return False
    held = kind.held(kind.owner(existing), listing.since, listing.until, "mealDate")
    same = SyncRequest.objects.filter(kind=listing.kind, uuid=OuterRef("uuid"))
    return held.exclude(Exists(same.filter(slice__in=listings))).exists()


def redacted(outcome: RequestOutcome, claim: Claim) -> RequestOutcome:
    """Put no answer aside that is about an erased guest, or names one, however odd it is."""
    if not outcome.evidence:
        return outcome
    kind = kinds.get(claim.kind)
    row = kind.model._default_manager.filter(pk=claim.uuid).first()
    is_of_erased = row is not None and kind.is_of_erased(row)
    is_kept = not (is_of_erased or _names_erased(outcome.evidence))
    return outcome if is_kept else replace(outcome, evidence="")


def _names_erased(answer: str) -> bool:
    """Of a booking that was never stored only the answer names the guest. One query a kind."""
    named = set(UUIDS.findall(answer))
    erased = Q(pk__in=named, presence=Mirrored.Presence.ERASED)
    rows = (kind.model._default_manager.filter(erased) for kind in kinds.KINDS)
    return bool(named) and any(found.exists() for found in rows)


def give_up(row: SyncRequest, *, now: datetime) -> None:
    """Close a row without having read it; the reason stays on it."""
    SyncRequest.objects.filter(pk=row.pk, state=SyncRequest.State.PARKED).update(
        state=SyncRequest.State.SETTLED, settled_at=now
    )


def evidence_of(kind: str, uuids: Iterable[UUID], *, guest: UUID) -> dict[UUID, dict[str, str]]:
    """The answers about these entities that could not be read, for a guest's export.

    One that does not name the guest, or names another, may be about somebody else by now.
    """
    ended = SyncRequest.objects.filter(kind=kind, uuid__in=uuids).exclude(evidence="")
    rows = ended.filter(state__in=[SyncRequest.State.PARKED, SyncRequest.State.SETTLED])
    return {
        uuid: {"unread_answer": text}
        for uuid, text in rows.values_list("uuid", "evidence")
        if _names_only(guest, text)
    }


def _names_only(guest: UUID, answer: str) -> bool:
    named = {UUID(one) for one in UUIDS.findall(answer)}
    others = kinds.get("customer").model._default_manager.filter(pk__in=named - {guest})
    return guest in named and not others.exists()


def blank_evidence(kind: str, uuids: Iterable[UUID]) -> None:
    """Delete the stored odd answers about these entities: they may hold data of an erased guest.

    In the caller's transaction, and before it locks the entities: whoever stores what was read
    locks the requests first, too.
    """
    rows = _locked(SyncRequest.objects.filter(kind=kind, uuid__in=uuids))
    rows.exclude(evidence="").update(evidence="")
