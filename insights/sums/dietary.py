"""What parties do not eat, read from the tags and notes of their bookings and profiles."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db.models import F, Q, TextField, Value
from django.db.models.functions import Cast, Coalesce

from customers.allergies.needs import DietaryNeed, needs_in, texts_of_fields
from customers.models import Customer
from customers.note_decisions.decisions import parse
from customers.note_decisions.models import decisions_text, internal_note_text
from insights.sums.counting import NeedPlace
from mirror.kinds import Stored
from reservations.models import Reservation
from restaurants.models import Restaurant

NOTHING = "[]"
OF_GUESTS = (
    "allergies_and_intolerances",
    "dietary_restrictions",
    "notes",
    "fav_food",
    "fav_drinks",
    "custom_fields",
    "other_tags",
)


class NotedBooking(NamedTuple):
    """The columns of a booking with words or tags, in the order in which they are read."""

    service_day: date
    local_minutes: int
    party_size: int | None
    customer_note: str
    restaurant_note: str
    fields: str  # as JSON, as are the next four
    guest_fields: str
    guest_tags: str
    allergies: str
    diets: str
    guest_notes: str | None
    internal_note: str
    fav_food: str | None
    fav_drinks: str | None
    decided: str  # what people confirmed or dismissed
    guest_decided: str

    @property
    def place(self) -> NeedPlace:
        return NeedPlace(self.service_day, self.local_minutes, self.party_size)

    @property
    def needs(self) -> list[DietaryNeed]:
        tags = [*json.loads(self.allergies), *json.loads(self.diets)]
        listed = self.fields, self.guest_fields, self.guest_tags
        fields = [text for one in listed for text in texts_of_fields(one)]
        own = self.customer_note, self.restaurant_note, self.guest_notes or ""
        notes = (*own, self.internal_note, *fields)
        favourites = (self.fav_food or "", self.fav_drinks or "")
        return needs_in(tags, notes, favourites, parse(self.decided, self.guest_decided))


def noted_bookings(restaurant: Restaurant, **days: Any) -> Iterator[NotedBooking]:
    """The bookings that came or are expected and have words or tags, with their guests' own."""
    held = Reservation.objects.present().filter(restaurant=restaurant, status="RECORDED", **days)
    dated = held.filter(service_day__isnull=False, local_minutes__isnull=False).order_by()
    columns = {
        "fields": _json("custom_fields"),
        "guest_fields": _json("customer__custom_fields"),
        "guest_tags": _json("customer__other_tags"),
        "allergies": _json("customer__allergies_and_intolerances"),
        "diets": _json("customer__dietary_restrictions"),
        "guest_notes": F("customer__notes"),
        "internal_note": internal_note_text("customer"),
        "fav_food": F("customer__fav_food"),
        "fav_drinks": F("customer__fav_drinks"),
        "decided": decisions_text("pk"),
        "guest_decided": decisions_text("customer"),
    }
    rows = dated.annotate(**columns).filter(_with_words()).values_list(*NotedBooking._fields)
    return map(NotedBooking._make, rows.iterator(chunk_size=5000))


def _json(column: str) -> Coalesce:
    return Coalesce(Cast(column, TextField()), Value(NOTHING, TextField()))


def _with_words() -> Q:
    of_guests = ("guest_notes", "internal_note", "fav_food", "fav_drinks")
    texts = ("customer_note", "restaurant_note", *of_guests)
    found = ~Q(fields=NOTHING)
    for name in ("guest_fields", "guest_tags", "allergies", "diets"):
        found |= ~Q(**{name: NOTHING})
    for name in texts:
        found |= Q(**{f"{name}__gt": ""})
    return found


def days_of_changed_guests(stored: Sequence[Stored]) -> Iterator[tuple[int, date | None]]:
    """The restaurants and days of guests whose tags or notes have changed. One query, or none."""
    guests = [pair.after.pk for pair in stored if _words_of(pair.before) != _words_of(pair.after)]
    if not guests:
        return iter(())
    held = Reservation.objects.filter(customer__in=guests, service_day__isnull=False).order_by()
    return held.values_list("restaurant", "service_day").distinct().iterator()


def _words_of(guest: Customer | None) -> list[Any]:
    """Empty for a guest without words or tags."""
    words = [getattr(guest, name) for name in OF_GUESTS] if guest else []
    return words if any(words) else []
