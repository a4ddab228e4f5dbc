"""The outbox actions of reservations: book, change, cancel, switch online booking."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from outbox.registry import Action
from reservations.actions import availability, booking, cancelling, changing, subjects
from reservations.service_day import guest_changes

CREATE = "reservation.create"
UPDATE = "reservation.update"
CANCEL = "reservation.cancel"
OVERRIDE = "availability.override"


OWN_ACTIONS = (
    Action(
        name=CREATE,
        title=_("Book"),
        done=pgettext_lazy("a booking", "Booked"),
        word=booking.word,
        subjects=subjects.of_bookings,
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
        word=changing.word,
        subjects=subjects.of_bookings,
        send=changing.send,
        confirms=changing.confirms,
        look=changing.look,
        settle=changing.settle,
        turned=guest_changes.follow_change,
        redact=changing.redact,
    ),
    Action(
        name=CANCEL,
        title=_("Cancel"),
        done=_("Cancelled"),
        subjects=subjects.of_bookings,
        send=cancelling.send,
        confirms=cancelling.confirms,
        look=cancelling.look,
        is_done=cancelling.is_done,
        turned=guest_changes.follow_change,
    ),
    Action(
        name=OVERRIDE,
        title=_("Open or close online booking"),
        done=_("Online booking switched"),
        subjects=subjects.of_switches,
        send=availability.send,
        confirms=availability.confirms,
        look=availability.look,
    ),
)
