"""The next bookings of guests that a search has found, and who is expected today."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache, reduce
from operator import or_
from time import monotonic
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from customers.models import Customer
from customers.search.queries import GuestText
from customers.search.ranking import BookingFinder, NextBooking, NextBookings
from lib.dates import date_format
from reservations.models import ENDED, ONE_DAY, STANDING, Reservation
from restaurants.access import can, within_reach
from restaurants.models import Restaurant, by_service_day

RIGHT = "reservations.view_reservation"
MOST = 3  # bookings of one guest
FRESH = 5  # seconds
ARRIVING = 6  # guests: two lines of a wide screen
LATE = timedelta(minutes=30)
COLUMNS = (
    "uuid",
    "customer",
    "restaurant",
    "meal_date_text",
    "service_day",
    "local_minutes",
    "party_size",
    "status",
)


def find_next(guests: Sequence[UUID], user: User, now: datetime) -> NextBookings:
    """The bookings from today on, today's past ones too, then those without a date. One query."""
    places = {place.pk: place for place in _places(user)}
    theirs = Reservation.objects.present().filter(customer__in=guests).only(*COLUMNS)
    ahead = theirs.filter(meal_at__gte=now - ONE_DAY, status__in=STANDING)
    # Two look-ups in one index: with OR, PostgreSQL would read every booking of each guest.
    undated = theirs.filter(meal_at=None).exclude(status__in=ENDED)
    found: NextBookings = defaultdict(list)
    for booking in sorted(ahead.union(undated, all=True), key=_moment):
        place = places.get(booking.restaurant_id)
        if place and booking.customer_id and _is_ahead(booking, place, now):
            words = _words(booking, place, now)
            found[booking.customer_id].append(NextBooking(booking.get_absolute_url(), words))
    return {guest: bookings[:MOST] for guest, bookings in found.items()}


def expected_today(user: User, now: datetime) -> tuple[GuestText, ...]:
    """The guests of the running service day of each restaurant within reach. Up to one query."""
    days = by_service_day(_places(user), now=now).items()
    return read_expected(tuple((day, tuple(ids)) for day, ids in days), int(monotonic() // FRESH))


@lru_cache(maxsize=16)
def read_expected(
    days: tuple[tuple[date, tuple[int, ...]], ...], _period: int
) -> tuple[GuestText, ...]:
    """Read at most once in a few seconds, because thousands of rows are read for each letter that
    is typed: only who booked since then may be missing, and only under a very common name."""
    rows = Reservation.objects.present().filter(_of_days(days), status__in=STANDING)
    rows = rows.filter(customer__presence=Customer.Presence.PRESENT).order_by()
    columns = (f"customer__{name}" for name in GuestText._fields[1:])
    return tuple(map(GuestText._make, rows.values_list("customer", *columns)))


def arriving(
    restaurants: Sequence[Restaurant], user: User, now: datetime
) -> dict[UUID, NextBooking]:
    """Who arrives next, from those half an hour late on, each with that booking.

    Up to one query, of some more bookings than guests: one guest may have several.
    """
    here = {place.pk for place in restaurants}
    places = {place.pk: place for place in _places(user) if place.pk in here}
    today = _of_days(by_service_day(places.values(), now=now).items())
    rows = Reservation.objects.present().filter(today, status__in=STANDING, meal_status="")
    rows = rows.filter(meal_at__gte=now - LATE, customer__presence=Customer.Presence.PRESENT)
    due = dict[UUID, NextBooking]()
    for booking in rows.only(*COLUMNS).order_by("meal_at", "pk")[: 4 * ARRIVING]:
        if booking.customer_id and len(due) < ARRIVING:
            words = _words(booking, places[booking.restaurant_id], now)
            found = NextBooking(booking.get_absolute_url(), words, booking.meal_local)
            due.setdefault(booking.customer_id, found)
    return due


def _of_days(days: Iterable[tuple[date, Iterable[int]]]) -> Q:
    on_days = [Q(service_day=day, restaurant__in=ids) for day, ids in days]
    return reduce(or_, on_days or [Q(pk__in=[])])


def _places(user: User) -> list[Restaurant]:
    return [place for place in within_reach(user) if can(user, RIGHT, place)]


def _moment(booking: Reservation) -> tuple[bool, Any, int]:
    return booking.service_day is None, booking.service_day, booking.local_minutes or 0


def _is_ahead(booking: Reservation, place: Restaurant, now: datetime) -> bool:
    return booking.service_day is None or booking.service_day >= place.service_day(now)


def _words(booking: Reservation, place: Restaurant, now: datetime) -> str:
    party = booking.people
    status = booking.status_label if booking.status == "REQUESTED" else ""
    return " · ".join(filter(None, (_when(booking, place, now), place.label, party, status)))


def _when(booking: Reservation, place: Restaurant, now: datetime) -> str:
    local = booking.meal_local
    if local is None:
        return booking.why_undated
    if booking.service_day == place.service_day(now):
        return _("today, %(time)s") % {"time": f"{local:%H:%M}"}
    return date_format(local, "D j M, H:i")


BOOKING_FINDER = BookingFinder(
    "bookings", find_next=find_next, expected_today=expected_today, arriving=arriving
)
