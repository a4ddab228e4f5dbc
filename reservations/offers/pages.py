"""The offers of a restaurant, and the days of one of them.

Offers and days are two reads of the service. The page names what could not be read, and stops
reading at the first fault.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from accounts.models import User
from partner import factory
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured, PartnerError
from partner.schemas import OfferPayload
from reservations.actions import openings
from reservations.actions.openings import Day, Read
from reservations.changes.pages.picker import OfferedSlot
from reservations.guarantees import check_choice
from reservations.new_booking.pages.offer_choices import offer_name
from reservations.offers.booked import BookedOffer, booked_offers
from reservations.offers.forms import OfferParams
from restaurants.access import can
from restaurants.models import Restaurant

WEEKS = 5  # a month, whatever its first weekday
LENGTH = WEEKS * 7
CHANGE_RIGHT = "reservations.change_reservation"


class OfferReads:
    """Reads about one restaurant; none after the first fault."""

    def __init__(self, restaurant: Restaurant) -> None:
        self.restaurant = restaurant
        self.problem: PartnerError | None = None

    def ask(self, reader: Callable[..., Any], **wanted: Any) -> Read | None:
        if self.problem is not None:
            return None
        try:
            client = factory.client(self.restaurant.group.connection_id)
            read: Read = reader(client, self.restaurant, **wanted)
        except PartnerError as error:
            self.problem = error
            return None
        return read


class OfferCard:
    """One offer in words: the listed texts, and what its bookings add."""

    def __init__(
        self,
        offer: OfferPayload,
        *,
        booked: BookedOffer | None,
        days: list[Day] | None,
        restaurant: Restaurant,
    ) -> None:
        self.uuid = offer.uuid
        self.name = offer.name or (booked and booked.name) or offer_name(offer)
        self.description = offer.description or ""
        self.booked = booked
        self.has_known_days = days is not None
        self.days = [day.date for day in days or () if offer.uuid in day.offers]
        self.price = offer.price if offer.price is not None else booked and booked.price
        self.currency = (booked and booked.currency) or restaurant.currency

    @property
    def kind(self) -> str:
        """The kind of offer or menu, or "" without any booking of it."""
        return self.booked.kind if self.booked else ""

    @property
    def discount(self) -> Decimal | None:
        return self.booked.discount if self.booked else None

    @property
    def restriction(self) -> str:
        """Who may use it, or ""."""
        return self.booked.restriction if self.booked else ""

    @property
    def weekdays(self) -> list[date]:
        """One day of each weekday on which it is on sale, from Monday on."""
        found = {day.weekday(): day for day in reversed(self.days)}
        return [found[number] for number in sorted(found)]


class OffersPage:
    """What is on sale at a restaurant in the next weeks."""

    def __init__(self, restaurant: Restaurant, *, user: User, now: datetime) -> None:
        self.restaurant = restaurant
        self.user = user
        self.today: date = restaurant.local(now).date()
        self.reads = OfferReads(restaurant)

    @cached_property
    def capability(self) -> Capability | None:
        """Whether our key may read offers. Up to two queries."""
        return capability_of("offers", self.restaurant)

    @cached_property
    def booked(self) -> dict[UUID, BookedOffer]:
        """What recent bookings say of the offers. One query."""
        return booked_offers(self.restaurant, user=self.user, today=self.today)

    @cached_property
    def read(self) -> Read | None:
        """The offers on sale, unless they cannot be read. At most one call of the service."""
        if not self.capability:
            return None
        return self.reads.ask(openings.offers, locales=openings.locales_for())

    @cached_property
    def days(self) -> list[Day] | None:
        """The days of the next weeks with their offers, unless they cannot be read.

        At most one call of the service.
        """
        _words_first = self.read
        if not capability_of("availability", self.restaurant):
            return None
        read = self.reads.ask(openings.days, start=self.today, length=LENGTH)
        return read.items if read else None

    @property
    def last_day(self) -> date:
        return self.today + timedelta(days=LENGTH - 1)

    @property
    def cards(self) -> list[OfferCard]:
        """The listed offers, and those on sale on some day without being listed."""
        listed = {offer.uuid: offer for offer in self.read.items} if self.read else {}
        for day in self.days or ():
            for uuid in day.offers:
                listed.setdefault(uuid, OfferPayload(uuid=uuid))
        return [self._card(offer) for offer in listed.values()]

    @property
    def booked_cards(self) -> list[OfferCard]:
        """Offers of recent bookings, for a page that cannot know what is on sale now."""
        if self.read is not None or self.days is not None:
            return []
        return [self._card(OfferPayload(uuid=uuid)) for uuid in self.booked]

    @property
    def problem(self) -> PartnerError | None:
        return self.reads.problem

    def _card(self, offer: OfferPayload) -> OfferCard:
        booked = self.booked.get(offer.uuid) if offer.uuid else None
        return OfferCard(offer, booked=booked, days=self.days, restaurant=self.restaurant)


class OfferDaysPage:
    """The days of one offer, for how many it can be booked, and the times of a chosen day."""

    def __init__(
        self, address: QueryDict, offer: UUID, *, restaurant: Restaurant, user: User, now: datetime
    ) -> None:
        form = OfferParams(address)
        form.is_valid()
        data = form.cleaned_data
        self.restaurant = restaurant
        self.user = user
        self.offer_uuid = offer
        self.today: date = restaurant.service_day(now)
        self.size: int | None = data.get("size")
        self.day: date | None = data.get("day")
        self.start: date = max(data.get("start") or self.today, self.today)
        # After midnight, today is past for the service.
        self.first_date: date = max(self.start, restaurant.local(now).date())
        self.reads = OfferReads(restaurant)

    @property
    def first_monday(self) -> date:
        return self.start - timedelta(days=self.start.weekday())

    @property
    def next_start(self) -> date:
        return self.first_monday + timedelta(days=LENGTH)

    @property
    def previous_start(self) -> date | None:
        return self.first_monday - timedelta(days=LENGTH) if self.start > self.today else None

    @cached_property
    def capability(self) -> Capability | None:
        """Whether our key may read free times. Up to two queries."""
        return capability_of("availability", self.restaurant)

    @cached_property
    def sizes(self) -> list[int]:
        """For how many the offer is on sale. At most one call of the service."""
        read = self._ask(openings.sizes, start=self.first_date, length=self._length)
        return read.items if read else []

    @cached_property
    def read(self) -> Read | None:
        """The days on which the offer is on sale. At most one call of the service."""
        return self._ask(
            openings.days, start=self.first_date, length=self._length, party_size=self.size
        )

    @property
    def weeks(self) -> list[list[Day]]:
        """Whole weeks from Monday; past days cannot be booked."""
        known = {day.date: day for day in self.read.items} if self.read else {}
        if self.first_date in known:
            known.setdefault(self.start, known[self.first_date]._replace(date=self.start))
        days = [self.first_monday + timedelta(days=n) for n in range(LENGTH)]
        cells = [known.get(day, Day(day, is_open=False, has_offers_only=False)) for day in days]
        return [cells[n : n + 7] for n in range(0, LENGTH, 7)]

    @property
    def is_never(self) -> bool:
        """Whether no day of these weeks has the offer, as far as that is known."""
        return self.read is not None and not any(day.is_open for day in self.read.items)

    @cached_property
    def times(self) -> list[OfferedSlot] | None:
        """The times of the chosen service day, each checked for this party; None if unknown.

        At most two calls of the service.
        """
        if self.size is None or self.day is None:
            return None
        read = self._ask(openings.slots, day=self.day, party_size=self.size)
        if read is None:
            return None
        self.reads.problem = read.problem
        checked = (
            (slot, check_choice(slot.rules, party_size=self.size, offer=self.offer_uuid))
            for slot in read.items
        )
        return [OfferedSlot(slot, result, is_picked=False) for slot, result in checked]

    @property
    def sizes_in_words(self) -> str:
        """Runs of sizes, such as “1–6, 8”."""
        runs = [
            [size for _place, size in run]
            for _key, run in groupby(enumerate(self.sizes), key=lambda pair: pair[1] - pair[0])
        ]
        return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

    @property
    def reasons(self) -> list[str]:
        """Why some times cannot be booked from here, each reason once."""
        reasons = (one.check.reason for one in self.times or ())
        return list(dict.fromkeys(reason for reason in reasons if reason))

    @cached_property
    def card(self) -> OfferCard:
        """The offer in words, read last because texts may come late. Calls the service."""
        _choices = self.sizes, self.read, self.times
        listed: Read | None = None
        if capability_of("offers", self.restaurant):
            listed = self.reads.ask(openings.offers, locales=openings.locales_for())
        named = {offer.uuid: offer for offer in listed.items} if listed else {}
        booked = booked_offers(self.restaurant, user=self.user, today=self.today)
        return OfferCard(
            named.get(self.offer_uuid) or OfferPayload(uuid=self.offer_uuid),
            booked=booked.get(self.offer_uuid),
            days=self.read.items if self.read else None,
            restaurant=self.restaurant,
        )

    @property
    def problem(self) -> PartnerError | None:
        return self.reads.problem

    @property
    def may_book(self) -> bool:
        return can(self.user, CHANGE_RIGHT, self.restaurant)

    @property
    def booking_query(self) -> str:
        """The address of a new booking with the choices so far; a time is appended."""
        chosen = {
            "scope": self.restaurant.uuid,
            "offer": self.offer_uuid,
            "size": self.size,
            "day": self.day,
        }
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def _length(self) -> int:
        return (self.next_start - self.first_date).days

    def _ask(self, reader: Callable[..., Any], **wanted: Any) -> Read | None:
        if not self.capability:
            return None
        return self.reads.ask(reader, offer=self.offer_uuid, **wanted)


def capability_of(feature: str, restaurant: Restaurant) -> Capability | None:
    """Whether our key may do it there; None where no connection is set up."""
    try:
        return capabilities.can(feature, connection=restaurant.group.connection_id)
    except NotConfigured:
        return None
