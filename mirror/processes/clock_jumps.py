"""Stored moments follow a clock that is set back.

A clock that runs ahead writes due times, leases and stamps that lie in the future once it is set
right: reads would wait, and looks be left out, for as long as it ran ahead. Every process compares
its clock with the latest time that its machine has seen, and moves what lies ahead back by as much.
"""

import logging
import platform
from datetime import datetime, timedelta

from django.db.models import F, Model

from accounts.models import PasswordResetRequest, Pin, QueuedMail
from live.models import Announcement
from mirror.models import Alert, Change, Completeness, Heartbeat, Job, Slice, SyncRequest
from mirror.processes import heartbeat
from partner.models import Connection, TokenRequest
from restaurants.models import AppliedClock

logger = logging.getLogger(__name__)

# Less is what time servers correct and machines disagree by.
TOLERANCE = timedelta(seconds=10)
# No due time is written further ahead than this, but those that hold a paused backfill for ever.
LONGEST_PAUSE = timedelta(days=2)

# Moments that this product writes by its own clock, and judges by it.
_moments: dict[type[Model], tuple[str, ...]] = {
    SyncRequest: ("requested_at", "requested_again_at", "not_before", "lease_until", "settled_at"),
    Job: ("started_at", "ended_at"),
    Slice: ("not_before", "lease_until", "listing_began_at", "done_at", "short_since"),
    Completeness: ("complete_at",),
    Change: ("seen_at",),
    Heartbeat: ("at",),
    Alert: ("opened_at", "notified_at", "closed_at"),
    Announcement: ("at",),
    AppliedClock: ("noticed_at",),
    Pin: ("locked_until",),
    PasswordResetRequest: ("requested_at",),
    QueuedMail: ("created_at", "not_before"),
    TokenRequest: ("requested_at", "answered_at"),
    Connection: ("webhook_token_used_at", "previous_used_at"),
}


def register(model: type[Model], *fields: str) -> None:
    _moments[model] = fields


def registered() -> dict[type[Model], tuple[str, ...]]:
    return dict(_moments)


def follow(*, now: datetime) -> None:
    """Detect that the clock was set back. One query, and a write every few seconds."""
    mark = f"clock {platform.node()}"[:32]
    latest = heartbeat.last(mark)
    if latest is not None and latest - now > TOLERANCE:
        logger.warning("The clock of this machine was set back by %s.", latest - now)
        _pull_back(by=latest - now, now=now)
        # Last: a process that dies before this leaves the rest to the next look.
        Heartbeat.objects.filter(name=mark).update(at=now)
    heartbeat.beat(mark, now=now)


def _pull_back(*, by: timedelta, now: datetime) -> None:
    """Move future moments back. Idempotent: what was moved no longer lies ahead."""
    ahead = now, now + by + LONGEST_PAUSE
    for model, fields in _moments.items():
        for field in fields:
            rows = model._base_manager.filter(**{f"{field}__range": ahead})
            rows.update(**{field: F(field) - by})
