"""Notes low ratings and replies that moderation has sent back."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from live.push import events
from live.push.models import PushEvent
from reviews.models import Work

LOW, SENT_BACK = "low-rating", "sent-back"
FRESH = timedelta(days=3)  # what a first copy reads of long ago is no news
LIFE = timedelta(hours=24)


def note_low(works: Iterable[Work], *, now: datetime) -> None:
    """Works that have just been found to be low, and new. Two queries, or none."""
    events.note([_event(LOW, work, str(work.pk), now=now) for work in works])


def note_sent_back(works: Iterable[Work], *, now: datetime) -> None:
    """Works that have just come to the queue of those to rewrite. Two queries, or none.

    A reply that is sent back once more is news once more.
    """
    fresh = [work for work in works if work.since > now - FRESH]
    events.note(
        [
            _event(SENT_BACK, work, f"{work.pk} {work.since:%Y%m%dT%H%M%S}", now=now)
            for work in fresh
        ]
    )


def _event(kind: str, work: Work, subject: str, *, now: datetime) -> PushEvent:
    return PushEvent(
        kind=kind,
        subject=subject,
        restaurant_id=work.restaurant_id,
        at=now,
        expires_at=now + LIFE,
    )
