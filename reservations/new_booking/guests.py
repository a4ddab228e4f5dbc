"""The guest of a new booking: search in the group, and the guest's other bookings that day."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from customers.models import Customer
from customers.search.queries import GuestQuery
from customers.search.ranking import NextBooking, find_guests
from lib.dates import date_format
from outbox.models import Intent
from partner.payloads.emails import is_same_email
from reservations.actions import CREATE
from reservations.actions.booking import answered_status
from reservations.guest_panels.came import visited
from reservations.models import ENDED, STANDING, Reservation
from reservations.service_clock import place_in_time
from restaurants.models import Group, Restaurant

MOST = 8
UNREAD_FOR = timedelta(days=7)
SHORTEST = 2  # letters; one finds too many


class GuestChoice(NamedTuple):
    """A guest who may be meant, with what distinguishes namesakes."""

    guest: Customer
    last_visit: str
    bookings: list[NextBooking]


def find(text: str, *, restaurant: Restaurant, user: User, now: datetime) -> list[GuestChoice]:
    """Guests by phone number in any form, e-mail or name; those with a booking first.

    Up to nine queries.
    """
    if len(text.strip()) < SHORTEST:
        return []
    query = GuestQuery(text, countries=(restaurant.country,))
    found = find_guests(query, groups=[restaurant.group_id], user=user, now=now)
    keys = [guest.pk for guest in found.guests[:MOST]]
    guests = Customer.objects.visible_to(user).present().light().in_bulk(keys)
    visits = last_visits(keys, user=user, now=now)
    return [
        GuestChoice(guests[key], visits.get(key, ""), found.bookings.get(key, []))
        for key in keys
        if key in guests
    ]


def last_visits(guests: list[UUID], *, user: User, now: datetime) -> dict[UUID, str]:
    """Day and place of each guest's last visit within the reach of `user`. One query."""
    came = Reservation.objects.visible_to(user).present().filter(visited(now))
    came = came.filter(customer__in=guests).order_by("meal_at")
    rows = came.values_list("customer", "service_day", "restaurant__name")
    return {guest: f"{date_format(day, 'j M Y')} · {place}" for guest, day, place in rows if day}


class ExpectedBooking(NamedTuple):
    """A booking of this guest: a standing one, or one that is being sent."""

    local_time: str
    party_size: int | None
    restaurant: Restaurant
    url: str


def same_evening(
    *, group: Group, day: date, email: str, user: User, guest: Customer | None = None
) -> list[ExpectedBooking]:
    """The guest's bookings on that service day, within the reach of `user`. Three queries."""
    who = Q(customer__email__iexact=email) if email else Q(pk__in=[])
    if guest is not None:
        who |= Q(customer=guest.pk)
    rows = Reservation.objects.visible_to(user).present().for_day(day)
    rows = rows.filter(who, restaurant__group=group, status__in=STANDING)
    rows = rows.select_related("restaurant").order_by("meal_at")
    booked = [_expected(row) for row in rows]
    return booked + _on_their_way(group=group, day=day, email=email, user=user)


def _expected(row: Reservation) -> ExpectedBooking:
    local_time = f"{row.meal_local:%H:%M}" if row.meal_local else ""
    return ExpectedBooking(local_time, row.party_size, row.restaurant, row.get_absolute_url())


def _on_their_way(*, group: Group, day: date, email: str, user: User) -> list[ExpectedBooking]:
    """Bookings that a colleague has just made, or may have, which the mirror has not read yet."""
    rows = Intent.objects.visible_to(user).filter(action=CREATE, restaurant__group=group)
    rows = rows.select_related("restaurant")
    found = []
    for intent in (*rows.open(), *_unread(rows)):
        payload, place = intent.payload, intent.restaurant
        at = place_in_time(payload["meal_date"], place)
        sent = payload.get("customer", {}).get("email", "")
        is_theirs = bool(sent) and is_same_email(sent, email)
        if at and is_theirs and place.service_day(at) == day:
            url = reverse("reservations:sent_change", args=[intent.key])
            found.append(
                ExpectedBooking(f"{place.local(at):%H:%M}", payload["party_size"], place, url)
            )
    return found


def _unread(rows: QuerySet[Intent]) -> list[Intent]:
    """Made and not read yet, or a question to a person. Older ones were read, or looked for."""
    read = Reservation.objects.filter(uuid=OuterRef("result_uuid"))
    made = Q(state=Intent.State.DONE, result_uuid__isnull=False) & ~Exists(read)
    recent = rows.filter(created_at__gte=timezone.now() - UNREAD_FOR)
    ended = recent.filter(made | Q(state=Intent.State.ASKS)).defer("answer")
    return [one for one in ended if answered_status(one) not in ENDED]
