"""Whether a listing that was answered with a fault is repeated, and when."""

from mirror.models import Job, Slice
from mirror.queue import retry_schedule
from partner import errors


def pause_after(error: errors.PartnerError, piece: Slice) -> float | None:
    """The shortest pause in seconds; None if it is not repeated."""
    if isinstance(error, errors.NotOurs):
        return _after_refusal(piece)
    return 0.0 if _may_pass(piece, error) else None


def _after_refusal(piece: Slice) -> float | None:
    """Once, as a read that is refused: the key may just have been revoked."""
    if piece.was_refused:
        return None
    Slice.objects.filter(pk=piece.pk).update(was_refused=True)
    return retry_schedule.REFUSED_AGAIN.total_seconds()


def _may_pass(piece: Slice, error: errors.PartnerError) -> bool:
    """An answer that is no list is a passing fault. A sweep leaves one that lasts to the next."""
    if not isinstance(error, errors.Malformed):
        return False
    is_backfill = piece.job.purpose == Job.Purpose.BACKFILL
    lasts = piece.attempts > retry_schedule.MOST_MALFORMED
    return not lasts or (is_backfill and isinstance(error, errors.Foreign))
