"""The action that cancels a booking. The API takes no reason."""

from datetime import timedelta
from typing import Any

from outbox.models import Intent
from outbox.registry import Found, Look
from partner.errors import PartnerError

# A cancellation is final upstream: it can only be undone before it is sent.
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
