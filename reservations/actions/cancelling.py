"""Cancel a booking. The service takes no reason and records: cancelled by the restaurant."""

from datetime import timedelta
from typing import Any

from outbox.models import Intent
from outbox.registry import Found, Look
from partner.errors import PartnerError

# A cancellation cannot be taken back upstream: the only true undo is not to have sent it.
HOLD = timedelta(seconds=8)
CANCELED = "CANCELED"


def send(client: Any, intent: Intent) -> Any:
    return client.cancel_reservation(intent.uuid)


def confirms(_intent: Intent, answer: Any) -> bool:
    return bool(answer.entity.status == CANCELED)


def look(client: Any, intent: Intent) -> Look:
    status = client.reservation(intent.uuid).entity.status
    return Look(Found.DONE if status == CANCELED else Found.NOT_DONE)


def is_done(error: PartnerError) -> bool:
    return error.code == "DOUBLE_CANCELLATION"
