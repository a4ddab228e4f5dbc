"""The list of a running service by urgency: late first, what is over last."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from reservations.phases import IN_HOUSE
from reservations.service_day.bookings import BoardBooking

SOON = 30  # minutes
WAITED_FOR = 15  # minutes after which nobody waits any more for a guest without a mark
BY_PHASE = {
    "late": "late",
    "due": "soon",  # also beyond the usual wait, after somebody has called
    **dict.fromkeys(IN_HOUSE, "here"),
    **dict.fromkeys(("left", "no-show", "unmarked", "cancelled", "refused"), "over"),
}
LABELS: dict[str, Promise] = {
    "late": _("Late"),
    "soon": _("Due within 30 minutes"),
    "unanswered": _("Requests without an answer"),
    "here": _("In house"),
    "later": _("Later"),
    "over": _("Over"),
}
PLACES = {key: place for place, key in enumerate(LABELS)}


class ListSection(NamedTuple):
    """A part of the list under its heading; `number` counts all of it, on every page."""

    key: str
    label: str | Promise
    number: int
    rows: SafeString


def urgency_of(booking: BoardBooking, now: int | None) -> str:
    """The section of a booking; `now` is the local minute of its restaurant, if it is open."""
    phase = booking.phase.key
    if phase in BY_PHASE:
        return BY_PHASE[phase]
    if now is None or booking.minutes > now + SOON:
        return "later"
    if booking.minutes >= now - WAITED_FOR:
        return "soon"
    return "unanswered" if phase == "requested" else "over"


def by_urgency(
    bookings: Iterable[BoardBooking], local_times: dict[int, int | None]
) -> dict[str, list[BoardBooking]]:
    """The bookings of each section that has any, in the order of the sections."""
    keyed = [(urgency_of(one, local_times[one.restaurant.pk]), one) for one in bookings]
    keyed.sort(key=lambda pair: PLACES[pair[0]])
    return {
        key: [booking for _key, booking in pairs]
        for key, pairs in groupby(keyed, key=lambda pair: pair[0])
    }
