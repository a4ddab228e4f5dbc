"""What the intents of bookings are about, as one reader may see it: booking, guest, what changes.

Notes are never quoted, because they may hold allergies: that they change is all that is listed.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from customers.models import Customer
from lib.dates import date_format
from lib.labels import labelled
from mirror.models import Mirrored
from outbox.models import Intent
from outbox.registry import IntentSubject, Subjects
from reservations.models import Reservation
from reservations.service_clock import place_in_time
from reservations.words import party_in_words
from restaurants.access import can
from restaurants.models import Restaurant

GUEST_RIGHT = "customers.view_customer"
HEALTH_RIGHT = "customers.view_health"
MOMENT = "D j M, H:i"


class GuestNames:
    """The guests of intents, as one reader may see them. One query."""

    def __init__(self, user: User, wanted: Iterable[tuple[Restaurant, UUID | None]]) -> None:
        self.user = user
        uuids = {guest for place, guest in wanted if guest and self._may_see(place)}
        columns = ("uuid", "group_id", "first_name", "last_name", "presence")
        self._guests = Customer.objects.visible_to(user).only(*columns).in_bulk(list(uuids))

    def add(
        self, subject: IntentSubject, place: Restaurant, guest: UUID | None, *, typed: str = ""
    ) -> IntentSubject:
        """The subject with its guest. `typed` is the name in the form of a new booking."""
        if not (guest or typed):
            return subject
        if not self._may_see(place):
            return subject._replace(is_guest_hidden=True)
        known = self._guests.get(guest) if guest else None
        if known is None or known.group_id != place.group_id:
            return subject._replace(guest=typed)
        if known.presence == Mirrored.Presence.ERASED:
            return subject._replace(guest=_("erased"))
        return subject._replace(guest=str(known), guest_url=known.get_absolute_url())

    def _may_see(self, place: Restaurant) -> bool:
        return can(self.user, GUEST_RIGHT, place)


def of_bookings(intents: Sequence[Intent], user: User) -> Subjects:
    """Two queries: bookings and guests."""
    columns = ("uuid", "restaurant_id", "meal_at", "party_size", "customer_id")
    rows = Reservation.objects.visible_to(user).only(*columns)
    bookings = rows.in_bulk([uuid for one in intents if (uuid := _booking_of(one))])
    found = {one.pk: bookings.get(_booking_of(one)) for one in intents}
    names = GuestNames(user, [(one.restaurant, _guest_of(one, found[one.pk])) for one in intents])
    return {one.pk: _subject(one, found[one.pk], names) for one in intents}


def of_switches(intents: Sequence[Intent], _user: User) -> Subjects:
    """Online booking opened or closed for a part of a day. No queries."""
    return {one.pk: IntentSubject(changes=(_switch(one.payload),)) for one in intents}


def _subject(intent: Intent, booking: Reservation | None, names: GuestNames) -> IntentSubject:
    uuid, payload = _booking_of(intent), intent.payload
    subject = IntentSubject(
        about=_booking_in_words(intent, booking),
        url=reverse("reservations:show", args=[uuid]) if uuid and booking else "",
        changes=tuple(_changes(intent)),
        sentence=_sentence(intent, names.user),
    )
    customer = payload.get("customer") or {}
    typed = " ".join(filter(None, (customer.get("first_name"), customer.get("last_name"))))
    return names.add(subject, intent.restaurant, _guest_of(intent, booking), typed=typed)


def _booking_of(intent: Intent) -> UUID | None:
    return intent.uuid or intent.result_uuid


def _guest_of(intent: Intent, booking: Reservation | None) -> UUID | None:
    if booking is not None:
        return booking.customer_id
    picked = intent.payload.get("guest")
    return UUID(picked) if picked else None


def _booking_in_words(intent: Intent, booking: Reservation | None) -> str:
    """“Sat 28 Nov, 20:00 · 4 people”: as it is in the copy, else as it was sent."""
    if booking is not None:
        at = booking.meal_at
        when = _in_local_time(at, intent.restaurant) if at else _("No date yet")
        return f"{when} · {party_in_words(booking.party_size)}"
    if "meal_date" not in intent.payload:
        return _("This booking is not in the copy.")
    when = _moment_in_words(intent.payload["meal_date"], intent.restaurant)
    return f"{when} · {party_in_words(intent.payload.get('party_size'))}"


def _changes(intent: Intent) -> Iterable[str]:
    """Each changed field in words: “Time: Sat 28 Nov, 19:30 → Sat 28 Nov, 20:00”."""
    base = intent.payload.get("base", {})
    for field, wanted in intent.payload.get("changes", {}).items():
        if field == "restaurant_note":
            yield _("Team note changed") if wanted else _("Team note removed")
        elif field == "meal_date":
            times = (base.get(field), wanted)
            yield _line(_("Time"), *(_moment_in_words(one, intent.restaurant) for one in times))
        elif field == "party_size":
            yield _line(_("Party"), *(str(one or "?") for one in (base.get(field), wanted)))


def _line(label: "str | Promise", before: str, after: str) -> str:
    return labelled(label, f"{before} → {after}")


def _switch(payload: dict[str, Any]) -> str:
    word = _("Open online") if payload["is_open"] else _("Close online")
    day = date_format(date.fromisoformat(payload["day"]), "D j M")
    first, last = payload["start_time"], payload["end_time"]
    return labelled(word, f"{day}, {first}–{last}" if last else f"{day}, {first}")


def _moment_in_words(text: str | None, restaurant: Restaurant) -> str:
    at = place_in_time(text, restaurant) if text else None
    return _in_local_time(at, restaurant) if at else _("No date yet")


def _in_local_time(at: datetime, restaurant: Restaurant) -> str:
    return date_format(restaurant.local(at), MOMENT)


def _sentence(intent: Intent, user: User) -> str:
    """In place of a sentence that quotes a note, for those who may not read allergies there."""
    quotes_note = "note" in intent.message.get("params", {})
    if not quotes_note or can(user, HEALTH_RIGHT, intent.restaurant):
        return ""
    return _("The team note was changed meanwhile. Yours was not sent.")
