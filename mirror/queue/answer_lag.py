"""Answer lag: whether a service answers for seconds with the state before the event that it sent.

An answer that lacks the news of its event is read again (`retry_schedule.confirm`). One with the
news of an earlier event, and one without news soon after a change, look right: the copy would be
one change behind until the next sweep. So once a second look has found news, each read after an
event is followed by one more, less urgent, for a day.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from mirror.models import Heartbeat, Priority
from mirror.processes import heartbeat
from mirror.queue.handover import GONE
from mirror.queue.retry_schedule import CONFIRM_AFTER, SERVED, RequestOutcome, again
from mirror.queue.sync_requests import Claim

REMEMBERED_FOR = timedelta(days=1)


def is_own_look(claim: Claim) -> bool:
    """Whether no request awaits this read, and none has had an answer that was doubted."""
    return not claim.requested_at and not claim.confirms


def follows_event(claim: Claim) -> bool:
    return claim.priority == Priority.EVENT and not is_own_look(claim)


@dataclass(slots=True)
class AnswerLag:
    """What is known of it in one transaction, by account. One query for each that is looked up."""

    known: dict[int | None, bool] = field(default_factory=dict)
    found: set[int | None] = field(default_factory=set)

    def note_news(self, claim: Claim, existing: Any) -> None:
        """Believe that the first look came too early if the one ten seconds later finds news.

        They may be of a change whose own event is still on its way; that costs a day of reads.
        News a minute later are found by no look of `after_read`, and a copy that was answered
        with a 404 has come back.
        """
        has_come_back = claim.problem == GONE and existing is not None
        if claim.confirms == 1 and not has_come_back:
            self.found.add(claim.connection_id)
            self.known[claim.connection_id] = True

    def after_read(
        self, claim: Claim, reread_at: datetime | None, *, now: datetime
    ) -> RequestOutcome:
        """The outcome of a read that was stored: settled, or due again."""
        is_of_event = claim.priority <= Priority.EVENT and not is_own_look(claim)
        if not is_of_event or not self._is_late(claim.connection_id, now):
            return again(reread_at) if reread_at else SERVED
        soon = now + CONFIRM_AFTER[0]
        if reread_at and reread_at <= soon:
            return again(reread_at)
        return again(soon, priority=Priority.SWEEP)

    def store(self, *, now: datetime) -> None:
        for connection in sorted(self.found, key=str):
            heartbeat.beat(_name(connection), now=now)

    def _is_late(self, connection: int | None, now: datetime) -> bool:
        if connection not in self.known:
            seen = Heartbeat.objects.filter(name=_name(connection), at__gt=now - REMEMBERED_FOR)
            self.known[connection] = seen.exists()
        return self.known[connection]


def _name(connection: int | None) -> str:
    return f"late answers {connection}" if connection else "late answers"
