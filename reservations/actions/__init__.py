"""The outbox actions of reservations: book, change, cancel, switch online booking."""

from django.utils.translation import gettext_lazy as _

from outbox.registry import Action, register
from reservations.actions import availability, booking, cancelling, changing

CREATE = "reservation.create"
UPDATE = "reservation.update"
CANCEL = "reservation.cancel"
OVERRIDE = "availability.override"


def register_all() -> None:
    """Register the actions with the outbox. Called once, from apps.py."""
    register(
        Action(
            name=CREATE,
            title=_("Book"),
            send=booking.send,
            confirms=booking.confirms,
            look=booking.look,
            settle=booking.settle,
            redact=booking.redact,
            repeats=False,  # the API has no idempotency key, so a person decides about a repetition
        )
    )
    register(
        Action(
            name=UPDATE,
            title=_("Change"),
            send=changing.send,
            confirms=changing.confirms,
            look=changing.look,
            redact=changing.redact,
        )
    )
    register(
        Action(
            name=CANCEL,
            title=_("Cancel"),
            send=cancelling.send,
            confirms=cancelling.confirms,
            look=cancelling.look,
            is_done=cancelling.is_done,
        )
    )
    register(
        Action(
            name=OVERRIDE,
            title=_("Open or close online booking"),
            send=availability.send,
            confirms=availability.confirms,
            look=availability.look,
        )
    )
