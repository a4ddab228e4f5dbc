"""Requests reviews again whose sent reply does not show yet, because no event reports it.

A reply that the service shows as under way is read again by the mirror (reviews.sync.reread). This
handles the others: the first answers after a reply may be older than it, or lack replies.
"""

from datetime import datetime
from itertools import islice

from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from reviews.models import InboxQueue, Work
from reviews.sync import LOOK_AGAIN

AT_ONCE = 500


def look_again(*, now: datetime) -> int:
    """Request the reviews whose next check is due. Returns how many."""
    rows = Work.objects.filter(
        queue=InboxQueue.SENT, why="unseen", sent_at__gt=now - LOOK_AGAIN[-1]
    )
    rows = rows.select_related("review", "restaurant__group").defer("review__raw")
    longest_first = rows.order_by("sent_at", "pk").iterator(chunk_size=AT_ONCE)
    due = islice((work for work in longest_first if _is_due(work, now=now)), AT_ONCE)
    return sync_requests.request(
        (
            EntityRef(
                "review", work.pk, EntityLocation(work.restaurant.group.uuid, work.restaurant.uuid)
            )
            for work in due
        ),
        priority=Priority.SWEEP,
        now=now,
    )


def _is_due(work: Work, *, now: datetime) -> bool:
    """Whether a time of the schedule lies between the last read and now."""
    if work.sent_at is None:
        return False
    looks = (work.sent_at + pause for pause in LOOK_AGAIN)
    return any(work.review.read_at < at <= now for at in looks)
