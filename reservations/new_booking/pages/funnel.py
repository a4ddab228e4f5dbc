"""The state of a new booking: the choices made, the next choices, the answers of the service.

Every read is lazy, in the order of the choices, and the first fault stops further ones: a person
waits for one timeout, not for four.
"""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from partner import factory
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured, PartnerError
from partner.schemas import OfferPayload
from reservations.actions import openings
from reservations.actions.openings import Day, Read, SlotOnSale
from reservations.changes.pages.picker import OfferedSlot
from reservations.guarantees import GuaranteeCheck, any_choice, check_choice
from reservations.new_booking.forms import FURTHEST, StateForm
from reservations.new_booking.pages.offer_choices import OfferChoice, offer_choice
from reservations.new_booking.pages.other_restaurants import OtherRestaurants, Sibling
from reservations.new_booking.pages.times import by_service
from reservations.offers.booked import BookedOffer, booked_offers
from reservations.service_clock import instant_on, place_in_time
from restaurants.models import Restaurant

NEAREST = 6
CLOSE = 90  # minutes
NEXT_DAYS = 3
DINNER = time(20)  # the default time to search around


class Funnel:
    def __init__(
        self,
        address: QueryDict,
        *,
        restaurant: Restaurant,
        siblings: list[Restaurant],
        user: User,
        now: datetime,
    ) -> None:
        form = StateForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.restaurant = restaurant
        self.siblings = siblings
        self.user = user
        self.now = now
        self.size: int | None = data.get("size")
        self.slot_text: str = data.get("slot") or ""
        self.slot_at: datetime | None = place_in_time(self.slot_text, restaurant)
        # Days are service days: a chosen time is of its own, whatever date the address names.
        self.today: date = restaurant.service_day(now)
        day = restaurant.service_day(self.slot_at) if self.slot_at else data.get("day")
        self.day: date = max(day or self.today, self.today)
        self.offer: UUID | None = data.get("offer")
        self.want: time | None = data.get("want")
        self.wants_near: bool = data.get("near") or False
        self.wants_freedom: bool = data.get("free") or False
        self.correct: UUID | None = data.get("correct")
        self.language: str = get_language() or "en"  # the guest's, once one is known
        self.problem: PartnerError | None = None
        self.could_not_recheck = False

    # What can be chosen

    @cached_property
    def sizes(self) -> list[int]:
        """The sizes on sale. At most one call of the service."""
        read = self._ask(openings.sizes, start=self.first_date, offer=self.offer)
        return read.items if read else []

    @cached_property
    def days(self) -> list[Day]:
        """The service days on sale. Whether the chosen one is, its times know better."""
        days = dict(self.dates)
        if self.first_date in days:
            days.setdefault(self.first_day, days[self.first_date]._replace(date=self.first_day))
        if self.read and self.day in days:
            days[self.day] = days[self.day]._replace(is_open=bool(self.read.items))
        return [days[one] for one in sorted(days)]

    @cached_property
    def dates(self) -> dict[date, Day]:
        """The dates on sale, for the size once there is one. At most one call of the service."""
        wanted = {"party_size": self.size, "offer": self.offer}
        read = self._ask(openings.days, start=self.first_date, **wanted)
        return {day.date: day for day in read.items} if read else {}

    @property
    def night_before(self) -> date | None:
        """The service day whose times after midnight are all that this date has."""
        is_of_the_night = self.read and self.read.has_night_before and not self.read.items
        return self.day - timedelta(days=1) if is_of_the_night else None

    @property
    def first_day(self) -> date:
        """The first day of the strip: today, or the Monday of the week of a later day."""
        ahead = (self.day - self.today).days
        return self.today + timedelta(days=ahead - ahead % openings.DAYS)

    @property
    def first_date(self) -> date:
        """The first date to read: after midnight, today is past for the service."""
        return max(self.first_day, self.restaurant.local(self.now).date())

    @property
    def next_strip(self) -> date:
        return self.first_day + timedelta(days=openings.DAYS)

    @cached_property
    def read(self) -> Read | None:
        """The times of the service day. At most two calls of the service."""
        if self.size is None or not self.sizes:
            return None
        read: Read | None = self._ask(
            openings.slots, day=self.day, party_size=self.size, offer=self.offer
        )
        self.problem = read.problem if read else self.problem
        return read

    @cached_property
    def services(self) -> list[tuple[str, list[OfferedSlot]]]:
        """The future times, grouped by service period. One query."""
        slots = self.read.items if self.read else []
        return [
            (name, [self._offered(slot) for slot in group])
            for name, group in by_service(slots, self.restaurant)
        ]

    @property
    def reasons(self) -> list[str]:
        offered = (one for _name, group in self.services for one in group)
        return list(dict.fromkeys(o.check.reason for o in offered if o.check.reason))

    @cached_property
    def slot(self) -> SlotOnSale | None:
        """The chosen time, if the service lists it."""
        if not self.slot_text or self.is_free:
            return None
        return openings.find(self.read.items, self.slot_text) if self.read else None

    @cached_property
    def offers(self) -> list[OfferChoice]:
        """The choice without an offer, then the offers of the slot, each checked for this party."""
        if self.slot is None or self.size is None or not self.slot.rules.offers:
            return []
        choices: list[UUID | None] = [None, *self.slot.rules.offers]
        return [self._choice(self.slot, self.size, uuid) for uuid in choices]

    @cached_property
    def offers_on_sale(self) -> dict[UUID, OfferPayload]:
        """Texts and prices of the offers, in the guest's language where available.

        At most one call of the service.
        """
        read = self._ask(openings.offers, locales=openings.locales_for(self.language))
        return {offer.uuid: offer for offer in read.items} if read else {}

    @cached_property
    def booked_offers(self) -> dict[UUID, BookedOffer]:
        """Kind and limits of the offers from recent bookings: the service lists neither.

        One query.
        """
        return booked_offers(self.restaurant, user=self.user, today=self.today)

    @property
    def chosen_booked(self) -> BookedOffer | None:
        return self.booked_offers.get(self.offer) if self.offer else None

    @property
    def chosen_offer(self) -> OfferPayload | None:
        """The offer that filters sizes, days and times."""
        if self.offer is None or self.is_free:
            return None
        _choices = self.sizes, self.days, self.read  # read before the texts, which may come late
        return self.offers_on_sale.get(self.offer) or OfferPayload(uuid=self.offer)

    @property
    def check(self) -> GuaranteeCheck | None:
        """Whether the present choices can be booked."""
        if self.slot is None or self.size is None:
            return None
        return check_choice(self.slot.rules, party_size=self.size, offer=self.offer)

    @property
    def is_ready(self) -> bool:
        if self.is_free:
            return bool(self.meal_date) and self.size is not None
        return bool(self.check and self.check.is_free) or self.is_unchecked

    @property
    def is_unchecked(self) -> bool:
        """Whether the service does not answer about a chosen time. It is checked before it leaves,
        so that an outage takes no choice away."""
        has_time = self.slot_at is not None and self.slot_at > self.now
        return has_time and self.size is not None and self.read is None and bool(self.problem)

    # Alternatives when no table is free

    @property
    def wanted(self) -> time:
        """The wanted local time, which alternatives are sorted by."""
        its_time = self.restaurant.local(self.slot_at).time() if self.slot_at else DINNER
        return self.want or its_time

    @property
    def has_lost_its_time(self) -> bool:
        """Whether the wanted time cannot be chosen any more."""
        return bool(self.slot_text or self.want) and self.slot is None and self.size is not None

    @property
    def nearest(self) -> list[SlotOnSale]:
        """The free times within 90 minutes of the wanted one, else the closest of the day."""
        slots, place = self.free_slots, self.restaurant
        close = openings.nearest(slots, self.wanted, place, most=NEAREST, within=CLOSE)
        return close or openings.nearest(slots, self.wanted, place, most=NEAREST)

    @property
    def is_full(self) -> bool:
        """Whether the day, or the wanted time, has nothing free for the party."""
        return self.read is not None and (self.has_lost_its_time or not self.free_slots)

    @property
    def free_slots(self) -> list[SlotOnSale]:
        slots = self.read.items if self.read else []
        return [slot for slot in slots if self._offered(slot).check.is_free]

    @property
    def next_days(self) -> list[Day]:
        """The next free days, when this one has none."""
        if self.size is None or self.free_slots:
            return []
        return [day for day in self.days if day.is_open and day.date > self.day][:NEXT_DAYS]

    @cached_property
    def near(self) -> list[Sibling]:
        """Free times of up to three sibling restaurants, on request or if nothing is free here.

        At most two calls of the service each.
        """
        if self.size is None or not (self.wants_near or self.is_full):
            return []
        others = OtherRestaurants(self.siblings, day=self.day, size=self.size, wanted=self.wanted)
        self.problem = self.problem or others.problem
        return others.found

    # Without a published slot: needs a right of its own, and is switched on by hand

    @cached_property
    def freedom(self) -> Capability | None:
        """Whether our key may book without a published time. Up to two queries."""
        try:
            connection = self.restaurant.group.connection_id
            return capabilities.can("free_booking", connection=connection)
        except NotConfigured:
            return None

    @property
    def may_be_free(self) -> bool:
        """Whether it may be used: only with a known right, because it skips every rule."""
        return bool(self.freedom and self.freedom.is_granted)

    @property
    def is_free(self) -> bool:
        return self.wants_freedom and self.may_be_free

    @property
    def meal_date(self) -> str:
        """The date to send: the slot's own text, or the typed local time."""
        if not self.is_free:
            return self.slot_text
        if self.want is None:
            return ""
        at = instant_on(self.day, self.want, self.restaurant)
        local = self.restaurant.local(at)
        is_skipped = local.time() != self.want  # skipped by the change of the clocks
        return "" if is_skipped or at <= self.now else local.isoformat()

    # Addresses

    @property
    def state(self) -> dict[str, Any]:
        data = {
            "scope": self.restaurant.uuid,
            "day": self.day,
            "size": self.size,
            "slot": self.slot_text,
            "offer": self.offer,
            "want": f"{self.want:%H:%M}" if self.want else "",
            "free": "on" if self.is_free else "",
            "correct": self.correct,
        }
        return {name: value for name, value in data.items() if value}

    @property
    def href(self) -> str:
        return "?" + urlencode(self.state)

    @property
    def slots_href(self) -> str:
        return "?" + urlencode(self._without("slot", "want"))

    @property
    def offers_href(self) -> str:
        return "?" + urlencode(self._without("offer"))

    @property
    def days_href(self) -> str:
        return "?" + urlencode(self._without("day", "slot", "want"))

    @property
    def date_fields(self) -> Any:
        """What the form with the date field keeps."""
        return self._without("day", "slot", "want").items()

    @property
    def last_day(self) -> date:
        return self.today + FURTHEST

    @property
    def sizes_href(self) -> str:
        return "?" + urlencode(self._without("size", "slot"))

    @property
    def places_href(self) -> str:
        return "?" + urlencode(self._without("scope", "slot", "offer"))

    def _without(self, *names: str) -> dict[str, Any]:
        return {name: value for name, value in self.state.items() if name not in names}

    # The service

    def recheck(self) -> str:
        """Read the times again before sending; return why the chosen one is gone, or "".

        A service that does not answer is no reason to refuse: the intent is sent when it does, and
        reads the times before.
        """
        if self.size is None:
            return _("Choose a party size.")
        if self.is_free:
            return "" if self.meal_date else _("Choose a time that exists and lies ahead.")
        if self.wants_freedom:
            return _("Our key does not book without a published time.")
        try:
            self.slot = self._fresh_slot(self.size)
        except PartnerError:
            self.could_not_recheck = True
            return ""
        if self.slot is None:
            return _("This time is not there any more. Choose another one; the guest is kept.")
        result = check_choice(self.slot.rules, party_size=self.size, offer=self.offer)
        return result.reason

    def _fresh_slot(self, size: int) -> SlotOnSale | None:
        """The chosen time, if the service still lists it. One or two calls."""
        if self.slot_at is None:
            return None
        client = factory.client(self.restaurant.group.connection_id)
        wanted = {"party_size": size, "offer": self.offer}
        lists = openings.fresh_lists(client, self.restaurant, self.slot_at, **wanted)
        return next(filter(None, (openings.find(one, self.slot_text) for one in lists)), None)

    def _ask(self, reader: Callable[..., Any], **wanted: Any) -> Any:
        if self.problem is not None:
            return None
        try:
            client = factory.client(self.restaurant.group.connection_id)
            return reader(client, self.restaurant, **wanted)
        except PartnerError as error:
            self.problem = error
            return None

    def _offered(self, slot: SlotOnSale) -> OfferedSlot:
        size = self.size or 1
        if self.offer is None:
            result = any_choice(slot.rules, party_size=size)
        else:
            result = check_choice(slot.rules, party_size=size, offer=self.offer)
        return OfferedSlot(slot, result, slot.text == self.slot_text)

    def _choice(self, slot: SlotOnSale, size: int, uuid: UUID | None) -> OfferChoice:
        check = check_choice(slot.rules, party_size=size, offer=uuid)
        if uuid is None:
            return OfferChoice(None, _("Without an offer"), "", None, check)
        offer = self.offers_on_sale.get(uuid) or OfferPayload(uuid=uuid)
        return offer_choice(offer, self.booked_offers.get(uuid), check)
