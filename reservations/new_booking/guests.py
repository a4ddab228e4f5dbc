"""The guest of a new booking: search in the group, and the guest's other bookings that day."""

from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from customers import phones
from customers.models import Customer, digits
from lib.text import fold
from outbox.models import Intent
from partner.payloads.emails import is_same_email
from reservations.actions import CREATE
from reservations.models import STANDING, Reservation
from reservations.service_clock import place_in_time
from restaurants.models import Group, Restaurant

MOST = 6
FEWEST_DIGITS = 4


def find(text: str, *, restaurant: Restaurant, user: User) -> list[Customer]:
    """Guests by phone number in any form, e-mail or name. One query."""
    words = fold(text).split()
    if not words:
        return []
    rows = Customer.objects.visible_to(user).present().filter(group=restaurant.group_id).light()
    number = digits(text)
    if len(number) >= FEWEST_DIGITS and not any(c.isalpha() for c in text):
        return list(rows.filter(_by_phone(text, number, restaurant))[:MOST])
    for word in words:
        rows = rows.filter(search_text__contains=word)
    return list(rows.order_by("last_name_key", "uuid")[:MOST])


def _by_phone(text: str, number: str, restaurant: Restaurant) -> Q:
    """The normalised number where it can be parsed, else its digits."""
    if e164 := phones.normalise(text, countries=[restaurant.country]):
        return Q(phone_e164=e164) | Q(secondary_phone_e164=e164)
    return Q(search_text__contains=number)


class ExpectedBooking(NamedTuple):
    """A booking of this guest: a standing one, or one that is being sent."""

    local_time: str
    party_size: int | None
    restaurant: Restaurant
    url: str


def same_evening(
    *, group: Group, day: date, email: str, user: User, guest: Customer | None = None
) -> list[ExpectedBooking]:
    """The guest's bookings on that service day, within the reach of `user`. Two queries."""
    who = Q(customer__email__iexact=email) if email else Q(pk__in=[])
    if guest is not None:
        who |= Q(customer=guest.pk)
    rows = Reservation.objects.visible_to(user).present().for_day(day)
    rows = rows.filter(who, restaurant__group=group, status__in=STANDING)
    rows = rows.select_related("restaurant").order_by("meal_at")
    standing = [_standing(row) for row in rows]
    return standing + _on_their_way(group=group, day=day, email=email, user=user)


def _standing(row: Reservation) -> ExpectedBooking:
    local_time = f"{row.meal_local:%H:%M}" if row.meal_local else ""
    return ExpectedBooking(local_time, row.party_size, row.restaurant, row.get_absolute_url())


def _on_their_way(*, group: Group, day: date, email: str, user: User) -> list[ExpectedBooking]:
    """Bookings that a colleague has just made, which the mirror has not read yet."""
    rows = Intent.objects.visible_to(user).open().filter(action=CREATE, restaurant__group=group)
    found = []
    for intent in rows.select_related("restaurant"):
        payload, place = intent.payload, intent.restaurant
        at = place_in_time(payload["meal_date"], place)
        is_theirs = is_same_email(payload["customer"]["email"], email)
        if at and is_theirs and place.service_day(at) == day:
            url = reverse("reservations:sent_change", args=[intent.key])
            found.append(
                ExpectedBooking(f"{place.local(at):%H:%M}", payload["party_size"], place, url)
            )
    return found
