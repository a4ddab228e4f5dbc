"""The order of found guests: those with a booking today or ahead stand before the others.

Whoever calls usually has one. Bookings belong to an app above, which adds a `BookingFinder`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from accounts.models import User
from customers.models import Customer
from customers.search import queries
from customers.search.queries import CANDIDATES, GuestQuery, GuestText
from lib.registration import ExtensionPoint
from restaurants.models import Restaurant


class NextBooking(NamedTuple):
    """When and where a guest is expected, in words, with the address of the booking."""

    url: str
    words: str
    at: datetime | None = None  # by the restaurant's clock, without a zone


NextBookings = dict[UUID, list[NextBooking]]


@dataclass(frozen=True)
class BookingFinder:
    """The bookings of guests, as far as the person may see them."""

    name: str
    _: KW_ONLY
    # The next bookings of some guests: guests and bookings the soonest first. One query.
    find_next: Callable[[Sequence[UUID], User, datetime], NextBookings]
    # Who is expected today. Up to one query.
    expected_today: Callable[[User, datetime], Iterable[GuestText]]
    # Who arrives next at some restaurants, the soonest first, with that booking. Up to one query.
    arriving: Callable[[Sequence[Restaurant], User, datetime], dict[UUID, NextBooking]]


BOOKING_FINDERS: ExtensionPoint[BookingFinder] = ExtensionPoint("Next bookings of found guests")


class FoundGuests(NamedTuple):
    guests: list[Customer]
    bookings: NextBookings


def find_guests(
    query: GuestQuery, *, groups: Sequence[int], user: User, now: datetime
) -> FoundGuests:
    """The likeliest guests and their next bookings. Up to seven small queries.

    Those expected today are looked up on their own, because a common name or the end of a number
    has more guests than are compared.
    """

    def expected() -> Iterator[UUID]:
        everybody = (one for finder in BOOKING_FINDERS for one in finder.expected_today(user, now))
        fitting = (guest.uuid for guest in everybody if query.fits(guest))
        return islice(fitting, CANDIDATES // 2)

    found = queries.candidates(query, groups=groups, when_cut=expected)
    bookings: NextBookings = {}
    for finder in BOOKING_FINDERS if found else ():
        bookings |= finder.find_next([guest.pk for guest in found], user, now)
    turn = {guest: place for place, guest in enumerate(bookings)}

    def rank(guest: Customer) -> tuple[bool, int, int, str, str]:
        """Who is expected, then the better match, then who comes sooner."""
        fit, last, first = queries.relevance(guest, query)
        return (guest.pk not in turn, fit, turn.get(guest.pk, 0), last, first)

    found.sort(key=rank)
    return FoundGuests(found[:CANDIDATES], bookings)
