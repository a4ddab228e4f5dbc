"""The search over guests, bookings and restaurants. Apps above add search providers."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.guest_list.coverage import Coverage, coverage_of
from customers.models import Customer
from customers.search import queries
from customers.search.queries import GuestQuery
from customers.search.ranking import BOOKING_FINDERS, FoundGuests, NextBooking, find_guests
from lib.registration import ExtensionPoint
from lib.text import fold
from restaurants.access import can
from restaurants.models import Group, Restaurant

HEALTH = "customers.view_health"
SHOWN = 8  # guests of a quick search; the others are folded away


class Hit(NamedTuple):
    """One result."""

    url: str
    title: str
    detail: str
    icon: str


class FoundGuest(NamedTuple):
    """One guest of the results."""

    guest: Customer
    bookings: list[NextBooking]


class ArrivingGuest(NamedTuple):
    """A guest with the booking that is due next, in words."""

    guest: Customer
    words: str
    sees_health: bool
    at: datetime | None  # by the restaurant's clock


class Search:
    """One search of a person at some restaurants. Every property is lazy."""

    def __init__(
        self, text: str, user: User, restaurants: list[Restaurant], *, now: datetime
    ) -> None:
        self.query = GuestQuery(text, tuple(dict.fromkeys(one.country for one in restaurants)))
        self.user = user
        self.restaurants = restaurants
        self.now = now

    @cached_property
    def groups(self) -> list[Group]:
        found = {one.group_id: one.group for one in self.restaurants}
        return [g for g in found.values() if can(self.user, "customers.view_customer", group=g)]

    @cached_property
    def found(self) -> FoundGuests:
        """The likeliest guests, and their next bookings. Up to six queries."""
        groups = [group.pk for group in self.groups]
        return find_guests(self.query, groups=groups, user=self.user, now=self.now)

    @property
    def guests(self) -> list[Customer]:
        return self.found.guests

    @property
    def shown(self) -> list[FoundGuest]:
        return self.lines[:SHOWN]

    @property
    def others_found(self) -> list[FoundGuest]:
        return self.lines[SHOWN:]

    @cached_property
    def lines(self) -> list[FoundGuest]:
        """Each guest with the next bookings. Runs the queries of `found`."""
        found = self.found
        return [FoundGuest(guest, found.bookings.get(guest.pk, [])) for guest in found.guests]

    @cached_property
    def arriving(self) -> list[ArrivingGuest]:
        """Who arrives next at these restaurants. Up to two queries."""
        sees_health = {group.pk: can(self.user, HEALTH, group=group) for group in self.groups}
        here = [place for place in self.restaurants if place.group_id in sees_health]
        due = dict[UUID, NextBooking]()
        for finder in BOOKING_FINDERS:
            due |= finder.arriving(here, self.user, self.now)
        rows = Customer.objects.present().filter(pk__in=due, group__in=sees_health).for_lines()
        guests = {guest.pk: guest for guest in rows}
        return [
            ArrivingGuest(guests[key], booking.words, sees_health[guests[key].group_id], booking.at)
            for key, booking in due.items()
            if key in guests
        ]

    @property
    def mixes_clocks(self) -> bool:
        """Whether the hours of who arrives next look unsorted: those of several time zones."""
        hours = [one.at for one in self.arriving if one.at]
        return hours != sorted(hours)

    @property
    def is_cut(self) -> bool:
        """Whether more guests may fit than were compared."""
        return len(self.guests) >= queries.CANDIDATES

    @cached_property
    def others(self) -> list[tuple["SearchProvider", list[Hit]]]:
        """What other apps have found. Each runs its own queries."""
        allowed = [one for one in SEARCH_PROVIDERS if not one.right or can(self.user, one.right)]
        found = [(provider, provider.find(self)) for provider in allowed]
        return [(provider, hits) for provider, hits in found if hits]

    @property
    def is_empty(self) -> bool:
        return not self.guests and not self.others

    @cached_property
    def coverage(self) -> Coverage:
        """How complete the copy of these groups is. A few queries for each."""
        return coverage_of(self.groups)

    @property
    def number(self) -> str:
        """The full number to look up in the service, when a number was typed."""
        return next(iter(self.query.full_numbers), "")


@dataclass(frozen=True)
class SearchProvider:
    """Something that can be found besides guests. `find` has a fixed number of queries."""

    name: str
    _: KW_ONLY
    title: str | Promise
    place: int
    find: Callable[[Search], list[Hit]]
    right: str = ""


SEARCH_PROVIDERS: ExtensionPoint[SearchProvider] = ExtensionPoint(
    "Found beside guests", order=lambda one: one.place
)


def restaurants(query: Search) -> list[Hit]:
    """Restaurants within reach whose name holds every word. No query."""
    words = query.query.words
    named = [(one, fold(f"{one.name} {one.short_name}")) for one in query.restaurants]
    found = [one for one, name in named if words and all(word in name for word in words)]
    found += [one for one in query.restaurants if one.uuid == query.query.uuid]
    return [Hit(f"/?scope={one.uuid}", one.name, one.group.name, "store") for one in found[:SHOWN]]


RESTAURANTS = SearchProvider("restaurants", title=_("Restaurants"), place=90, find=restaurants)
