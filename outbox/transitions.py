"""The steps between the states of an intent: stored, and announced to open screens."""

import logging
import random
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from live.announcements import announce_one
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from outbox import redaction, registry
from outbox.models import Intent
from partner import errors

logger = logging.getLogger(__name__)

State = Intent.State
LONGEST_PAUSE = timedelta(seconds=30)


def pause_before_retry(intent: Intent, error: errors.PartnerError) -> timedelta:
    """Short back-off with full jitter; the circuit breaker protects the service."""
    requested = requested_pause(error)
    longest = min(2.0 ** min(intent.attempts, 8), LONGEST_PAUSE.total_seconds())
    return timedelta(seconds=max(requested, longest * random.uniform(0.3, 1)))  # noqa: S311  # jitter


def requested_pause(error: errors.PartnerError) -> float:
    return float(getattr(error, "retry_after", None) or 1.0)


def reschedule(
    intent: Intent, state: State, *, after: timedelta, rest: timedelta | None = None, **fields: Any
) -> None:
    now = timezone.now()
    with transaction.atomic():
        lease_until = now + rest if rest else None
        update(intent, state=state, not_before=now + after, lease_until=lease_until, **fields)
        has_left = state != State.WAITING or intent.sent_at is not None
        if not has_left and redaction.is_due_at_end(intent):
            _let_go(intent)
        notify_screens(intent)


def _let_go(intent: Intent) -> None:
    """Redact an unsent intent whose guest is erased, before it is sent."""
    if redaction.redacted(intent).can_be_sent:
        redaction.redact_open(intent)
    else:
        close(intent, State.WITHDRAWN)


def close(intent: Intent, state: State, **fields: Any) -> None:
    """Close an intent, and request a read of its entity."""
    now = timezone.now()
    with transaction.atomic():
        update(intent, state=state, ended_at=now, lease_until=None, **fields)
        target = intent.result_uuid or intent.uuid
        if target and intent.kind in kinds.names():
            place = EntityLocation(intent.restaurant.group.uuid, intent.restaurant.uuid)
            sync_requests.request(
                [EntityRef(intent.kind, target, place)],
                priority=Priority.PERSON,
                now=now,
                actor=intent.actor_id,
            )
        registry.get(intent.action).ended(intent)
        if redaction.is_due_at_end(intent):
            redaction.redact_closed(intent)
        notify_screens(intent)
    logger.info("outbox.ended", extra={"intent": str(intent.key), "state": str(state)})


def update(intent: Intent, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(intent, name, value)
    intent.version += 1
    intent.save(update_fields=[*fields, "version"])


def notify_screens(intent: Intent) -> None:
    """Announce the intent to open screens, which fetch its text themselves."""
    announce_one("intent", intent.key, version=intent.version, restaurant=intent.restaurant)
