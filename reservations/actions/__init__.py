"""The outbox actions of reservations: book, change, cancel, switch online booking."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from outbox.models import Intent
from outbox.registry import Action
from reservations.actions import availability, booking, cancelling, changing

CREATE = "reservation.create"
UPDATE = "reservation.update"
CANCEL = "reservation.cancel"
OVERRIDE = "availability.override"


def _page_of_booking(intent: Intent) -> str:
    uuid = intent.uuid or intent.result_uuid
    return reverse("reservations:show", args=[uuid]) if uuid else ""


OWN_ACTIONS = (
    Action(
        name=CREATE,
        title=_("Book"),
        done=_("Booked"),
        page=_page_of_booking,
        send=booking.send,
        confirms=booking.confirms,
        look=booking.look,
        settle=booking.settle,
        redact=booking.redact,
        repeats=False,  # the API has no idempotency key, so a person decides about a repetition
    ),
    Action(
        name=UPDATE,
        title=_("Change"),
        done=_("Saved"),
        page=_page_of_booking,
        send=changing.send,
        confirms=changing.confirms,
        look=changing.look,
        redact=changing.redact,
    ),
    Action(
        name=CANCEL,
        title=_("Cancel"),
        done=_("Cancelled"),
        page=_page_of_booking,
        send=cancelling.send,
        confirms=cancelling.confirms,
        look=cancelling.look,
        is_done=cancelling.is_done,
    ),
    Action(
        name=OVERRIDE,
        title=_("Open or close online booking"),
        done=_("Online booking switched"),
        send=availability.send,
        confirms=availability.confirms,
        look=availability.look,
    ),
)
