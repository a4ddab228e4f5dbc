"""Free times at several restaurants on one day: siblings of a full one, or any of a group.

It costs one read per restaurant, so it runs on request, for a few, and is cached for 20 seconds.
A second one, of the times after midnight, is for late times and for an evening without free ones.
"""

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict

from partner import factory
from partner.errors import PartnerError
from reservations.actions import openings
from reservations.actions.openings import SlotOnSale
from reservations.guarantees import any_choice
from reservations.new_booking.forms import StateForm
from reservations.service_clock import minutes_of
from restaurants.models import Group, Restaurant

MOST_SIBLINGS = 3
MOST_OF_A_GROUP = 12
TIMES_OF_ONE = 6
SIZES = range(1, 13)
DINNER = time(20)
LATE = 22 * 60  # minutes by the clock of the service day


class Sibling(NamedTuple):
    restaurant: Restaurant
    slots: list[SlotOnSale]


class OtherRestaurants:
    """Reads one restaurant after the other, and stops at the first fault."""

    def __init__(
        self,
        restaurants: list[Restaurant],
        *,
        day: date,
        size: int,
        wanted: time,
        most: int = MOST_SIBLINGS,
    ) -> None:
        self.problem: PartnerError | None = None
        self.found: list[Sibling] = []
        for restaurant in restaurants[:most]:
            wants_night = minutes_of(wanted, restaurant) >= LATE
            slots = None if wants_night else self._free(restaurant, day, size, until_midnight=True)
            if not slots and not self.problem:  # from the cache, where there is no second list
                slots = self._free(restaurant, day, size)
            if slots is None:
                return
            near = openings.nearest(slots, wanted, restaurant, most=TIMES_OF_ONE)
            self.found.append(Sibling(restaurant, near))

    def _free(
        self, restaurant: Restaurant, day: date, size: int, *, until_midnight: bool = False
    ) -> list[SlotOnSale] | None:
        wanted: Any = {"day": day, "party_size": size, "until_midnight": until_midnight}
        try:
            client = factory.client(restaurant.group.connection_id)
            read = openings.slots(client, restaurant, **wanted)
        except PartnerError as error:
            self.problem = error
            return None
        self.problem = self.problem or read.problem
        return [slot for slot in read.items if any_choice(slot.rules, party_size=size).is_free]


class Anywhere:
    """A booking at any restaurant of a group: size, day and time come first."""

    sizes = SIZES

    def __init__(
        self, address: QueryDict, *, group: Group, restaurants: list[Restaurant], now: datetime
    ) -> None:
        form = StateForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.group = group
        self.restaurants = restaurants
        self.today: date = restaurants[0].service_day(now)
        self.day: date = max(data.get("day") or self.today, self.today)
        self.size: int | None = data.get("size")
        self.want: time = data.get("want") or DINNER
        self.other_restaurants: OtherRestaurants | None = self._read() if self.size else None

    def _read(self) -> OtherRestaurants:
        return OtherRestaurants(
            self.restaurants,
            day=self.day,
            size=self.size or 1,
            wanted=self.want,
            most=MOST_OF_A_GROUP,
        )

    @property
    def days(self) -> list[date]:
        ahead = (self.day - self.today).days
        first = self.today + timedelta(days=ahead - ahead % openings.DAYS)
        return [first + timedelta(days=n) for n in range(openings.DAYS)]

    @property
    def left_out(self) -> int:
        return max(0, len(self.restaurants) - MOST_OF_A_GROUP)

    @property
    def href(self) -> str:
        """The query string of a link to a time, without the restaurant and the time."""
        return urlencode({"day": self.day, "size": self.size or ""})
