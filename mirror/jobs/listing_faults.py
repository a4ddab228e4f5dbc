"""Whether a listing that was answered with a fault is repeated, when, and for which days."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from mirror.jobs import slice_leases
from mirror.jobs.completeness import UNNAMED
from mirror.models import Job, Slice
from mirror.queue import retry_schedule
from partner import errors
from partner.payloads.paging import COUNTED_MORE, PARTS

ONE_DAY = timedelta(days=1)


def pause_after(error: errors.PartnerError, piece: Slice) -> float | None:
    """The shortest pause in seconds; None if it is not repeated.

    A list that is a part even of one day is listed once more: its total may just be changing.
    """
    if isinstance(error, errors.NotOurs):
        return _after_refusal(piece)
    if error.code in PARTS:
        return None if piece.by == UNNAMED or piece.attempts > 1 else 0.0
    return 0.0 if _may_pass(piece, error) else None


def state_after(error: errors.PartnerError, piece: Slice) -> Slice.State:
    """The last state of a listing that is not repeated.

    A part of the list says nothing of what it leaves out: that is left to the next sweep.
    """
    is_left_out = piece.by == UNNAMED and error.code in PARTS
    return Slice.State.SHORT if is_left_out else Slice.State.FAILED


def _after_refusal(piece: Slice) -> float | None:
    """Once, after two minutes: the key may just have been revoked."""
    if piece.was_refused:
        return None
    slice_leases.mine(piece).update(was_refused=True)
    return retry_schedule.REFUSED_AGAIN[-1].total_seconds()


def _may_pass(piece: Slice, error: errors.PartnerError) -> bool:
    """An answer that is no list is a passing fault. A sweep leaves one that lasts to the next."""
    if not isinstance(error, errors.Malformed | errors.EndpointHeld):
        return False
    is_backfill = piece.job.purpose == Job.Purpose.BACKFILL
    lasts = piece.attempts > retry_schedule.MOST_MALFORMED
    return not lasts or (is_backfill and isinstance(error, errors.Foreign | errors.EndpointHeld))


def chunks(uuids: Iterator[UUID], size: int) -> Iterator[list[UUID]]:
    """Cut into chunks. What was listed before a fault is handed out before the fault is."""
    chunk: list[UUID] = []
    try:
        for uuid in uuids:
            chunk.append(uuid)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except errors.PartnerError:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def halve(error: errors.PartnerError, piece: Slice, *, now: datetime) -> bool:
    """Cut a listing in two of which the service shows a part. False: nothing is left to cut.

    Where its total counts too many for good, each half would again: a sweep leaves that out.
    """
    is_left_out = piece.by == UNNAMED and error.code == COUNTED_MORE
    if error.code not in PARTS or is_left_out or piece.since == piece.until:
        return False
    middle = piece.since + (piece.until - piece.since) // 2
    same = ("job_id", "position", "kind", "group_uuid", "restaurant_uuid", "by")
    later = Slice(**{name: getattr(piece, name) for name in same}, until=piece.until)
    later.since, later.not_before = middle + ONE_DAY, now
    later.listing_began_at = piece.listing_began_at
    anew = {"until": middle, "state": Slice.State.WAITING, "not_before": now, "attempts": 0}
    with transaction.atomic():
        if slice_leases.mine(piece).update(**anew, lease_until=None):
            later.save()
    return True
