"""What is left of an intent when the person it tells of is erased.

An ended intent forgets at once. One that has not left is withdrawn, unless something that tells of
nobody is left to send: a new time, a smaller party. One that may have left is checked as
before, because whoever sent it must learn whether it happened; it forgets when it ends.
"""

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from outbox import registry
from outbox.models import Intent
from outbox.registry import Redacted
from outbox.words import say

GONE = _("The guest was erased here, and what the change said of them with it.")


def redacted(intent: Intent) -> Redacted:
    return registry.get(intent.action).redact(intent.payload)


def is_due_at_end(intent: Intent) -> bool:
    """Whether the person was erased while the intent was under way. One query."""
    return Intent.objects.filter(pk=intent.pk, forgets=True).exists()


def redact_at_end(intent: Intent) -> None:
    """Let it forget when it ends."""
    Intent.objects.filter(pk=intent.pk).update(forgets=True, reason="")


def redact_open(intent: Intent) -> None:
    """Leave in an open intent what tells of nobody."""
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
