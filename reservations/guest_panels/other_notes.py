"""What the notes of a guest's other bookings state of allergies and diets, where nothing else does.

Somebody who wrote “allergic to nuts” once may not write it again. It may have been a companion's,
so that it is a question to the guest on two pages, and counts on no board.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple
from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.allergies.kitchen_names import code_of_tag
from customers.allergies.mentions import NoteMention, mentions_in
from customers.allergies.version import reading_number
from customers.models import Customer
from customers.note_decisions.decisions import decisions_by_booking
from customers.note_decisions.models import may_tell
from customers.profile.pages import GuestPanel, PanelColumn, Profile
from customers.profile.panels import note_mentions
from reservations.models import Reservation, ReservationQuerySet
from reservations.sync import sources_of_booking
from restaurants.access import can, within_reach

HEALTH = "customers.view_health"
MOST = 10  # other bookings that are read, the latest first
NOTES = ["customer_note", "restaurant_note", "custom_fields"]


class OtherNote(NamedTuple):
    """What a note of another booking says that nothing before it says."""

    booking: Reservation
    mention: NoteMention


def beside(
    row: Reservation, guest: Customer, user: User, *, known: Collection[NoteMention]
) -> list[OtherNote]:
    """For the page of a booking. One query, and one more if another booking's notes tell."""
    others = Reservation.objects.exclude(pk=row.pk)
    if row.meal_at:
        others = others.filter(meal_at__lt=row.meal_at)
    return list(_new(_telling(others, guest.pk, user), guest, _codes(guest, known)))


def of_guest(profile: Profile) -> list[OtherNote] | None:
    """For the page of a guest. As many queries, and those of the panel of their own notes."""
    known = _codes(profile.guest, note_mentions(profile) or ())
    rows = _telling(Reservation.objects.all(), profile.guest.pk, profile.user)
    return list(_new(rows, profile.guest, known)) or None


def _telling(rows: ReservationQuerySet, guest: UUID, user: User) -> ReservationQuerySet:
    """The latest whose notes may tell something, where the person may see health data."""
    places = [one.pk for one in within_reach(user) if can(user, HEALTH, one)]
    found = rows.present().filter(may_tell(reading_number()), customer=guest)
    found = found.filter(restaurant__in=places).select_related("restaurant")
    found = found.only(*NOTES, "service_day", "restaurant__name")
    return found.order_by(F("meal_at").desc(nulls_last=True), "pk")[:MOST]


def _codes(guest: Customer, mentions: Collection[NoteMention]) -> set[str]:
    """What is known of the guest without other bookings."""
    tags = [*guest.allergies_and_intolerances, *guest.dietary_restrictions]
    noted = {one.code for mention in mentions for one in mention.findings}
    return {code_of_tag(tag) for tag in tags} | noted


def _new(rows: ReservationQuerySet, guest: Customer, known: set[str]) -> Iterator[OtherNote]:
    telling = [row for row in rows if mentions_in(sources_of_booking(row))]
    decided = decisions_by_booking([row.pk for row in telling], guest.pk)
    for row in telling:
        for mention in mentions_in(sources_of_booking(row), decided[row.pk]):
            codes = {one.code for one in mention.findings}
            if mention.is_stated and codes - known:
                known |= codes
                yield OtherNote(row, mention)


GUEST_PANEL = GuestPanel(
    name="other-notes",
    title=_("In notes of bookings"),
    place=12,
    template="reservations/_other_notes.html",
    facts=of_guest,
    column=PanelColumn.TOP,
    right=HEALTH,
)
