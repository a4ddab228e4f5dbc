"""The steps between the states of an intent: stored, and announced to open screens.

When a guest is erased, an ended intent is redacted at once. One that was not sent is withdrawn,
unless a part without personal data can still be sent: a new time, a smaller party. One that may
have been sent is verified as usual, because its sender must learn whether it happened, and is
redacted when it ends.
"""

import logging
import random
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from live.announcements import announce_one
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from outbox import registry
from outbox.models import Intent, say
from outbox.registry import Redacted
from partner import errors, factory
from partner.client import Client
from partner.limits.priorities import CallPriority

logger = logging.getLogger(__name__)

State = Intent.State
LONGEST_PAUSE = timedelta(seconds=30)
LEASE = timedelta(seconds=45)
# Intents without an entity of their own look at the same list: they take turns, and after a refusal
# the list is left alone for a moment. A worker that dies in its turn holds up the others no longer.
TURN = timedelta(seconds=8)
GONE = _("The guest was erased here, and what the change held about them with it.")


def client_of(intent: Intent) -> Client:
    """Return a client of the connection that the intent leaves by."""
    connection = intent.restaurant.group.connection_id
    return factory.client(connection, priority=CallPriority.PERSON)


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
        if not has_left and is_due_at_end(intent):
            _let_go(intent)
        notify_screens(intent)


def _let_go(intent: Intent) -> None:
    """Redact an unsent intent whose guest is erased, before it is sent."""
    if redacted(intent).can_be_sent:
        redact_open(intent)
    else:
        close(intent, State.WITHDRAWN)


def close(intent: Intent, state: State, **fields: Any) -> None:
    """Close an intent, and request a read of its entity.

    The locks are taken in this order: the intent, the request, the entity. Whoever stores what was
    read takes the last two in the same.
    """
    now = timezone.now()
    with transaction.atomic():
        update(intent, state=state, ended_at=now, lease_until=None, **fields)
        if is_due_at_end(intent):
            redact_closed(intent)  # first: nothing that follows may copy what it held
            intent.refresh_from_db()
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
        registry.get(intent.action).turned(intent)
        notify_screens(intent)
    logger.info("outbox.ended", extra={"intent": str(intent.key), "state": str(state)})


class LeaseLost(Exception):
    """The lease ended while this worker stood still: another one has the intent."""


def renew_lease(intent: Intent, **fields: Any) -> None:
    """Begin the lease anew: right before a request, because what came before, or a store that
    stood still, may have eaten it up; and between the reads of a look that takes many.

    Raises `LeaseLost` where another worker looks already whether the request arrived: it would
    not find what is sent only afterwards, and send it a second time.
    """
    now = timezone.now()
    lease = {"lease_until": now + LEASE}
    if intent.state == State.CHECKING:
        lease = {"not_before": now + LEASE, "lease_until": now + TURN}
    mine = Intent.objects.filter(pk=intent.pk, version=intent.version, state=intent.state)
    if not mine.update(**lease, **fields):
        raise LeaseLost(str(intent.key))


def update(intent: Intent, **fields: Any) -> None:
    """Change what this worker holds; raise `LeaseLost` if somebody has changed it since."""
    mine = Intent.objects.filter(pk=intent.pk, version=intent.version)
    if not mine.update(version=intent.version + 1, **fields):
        raise LeaseLost(str(intent.key))
    for name, value in fields.items():
        setattr(intent, name, value)
    intent.version += 1


def notify_screens(intent: Intent) -> None:
    """Announce the intent to open screens, which fetch its text themselves."""
    announce_one("intent", intent.key, version=intent.version, restaurant=intent.restaurant)


def redacted(intent: Intent) -> Redacted:
    return registry.get(intent.action).redact(intent.payload)


def is_due_at_end(intent: Intent) -> bool:
    """Whether the person was erased while the intent was under way. One query."""
    return Intent.objects.filter(pk=intent.pk, forgets=True).exists()


def redact_at_end(intent: Intent) -> None:
    """Mark the intent to be redacted when it ends."""
    Intent.objects.filter(pk=intent.pk).update(forgets=True, reason="")


def redact_open(intent: Intent) -> None:
    """Remove personal data from an open intent."""
    intent.payload = redacted(intent).payload
    Intent.objects.filter(pk=intent.pk).update(payload=intent.payload, forgets=False, reason="")


def redact_closed(intent: Intent) -> None:
    """Redact an ended intent. A question to a person is closed."""
    state = Intent.State.REFUSED if intent.state == Intent.State.ASKS else intent.state
    Intent.objects.filter(pk=intent.pk).update(
        payload=redacted(intent).payload,
        state=state,
        answer="",
        reason="",
        problem="",
        message=say(GONE),
        forgets=False,
        version=F("version") + 1,
    )
