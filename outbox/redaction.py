"""Redaction of intents when their guest is erased.

An ended intent is redacted at once. One that was not sent is withdrawn, unless a part without
personal data can still be sent: a new time, a smaller party. One that may have been sent is
verified as usual, because its sender must learn whether it happened, and is redacted when it ends.
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
