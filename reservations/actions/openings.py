"""What can be booked: sizes, days, times and offers, as the service says right now.

These are the only reads that a person waits for, so they are kept for 20 seconds and shown with
their age. What is sent is read afresh: `slots(..., is_fresh=True)`.
"""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from partner.schemas import Availability, Offer, Timeslot
from reservations.wall import moment
from restaurants.models import Restaurant

KEPT = 20  # seconds
DAYS = 14
T = TypeVar("T")


class Day(NamedTuple):
    date: date
    is_open: bool
    has_offers_only: bool


class Slot(NamedTuple):
    """`text` is the service's own and goes back character for character."""

    text: str
    at: datetime
    rules: Timeslot

    @property
    def wall(self) -> str:
        return f"{self.at:%H:%M}"


class Read(NamedTuple):
    """What was read, and when."""

    items: Any
    at: datetime

    @property
    def age(self) -> int:
        return max(0, int((timezone.now() - self.at).total_seconds()))


def sizes(client: Any, restaurant: Restaurant, *, start: date) -> Read:
    """Party sizes for which something can be booked in the fortnight. They may have holes."""
    end = start + timedelta(days=DAYS - 1)

    def ask() -> list[int]:
        return sorted(set(client.party_sizes(restaurant.uuid, start=start, end=end).entity))

    return _kept(f"sizes:{restaurant.uuid}:{start}", ask)


def days(client: Any, restaurant: Restaurant, *, start: date, party_size: int) -> Read:
    """A fortnight from `start`. A day that the service leaves out cannot be booked."""
    end = start + timedelta(days=DAYS - 1)

    def ask() -> list[Day]:
        answer = client.availabilities(restaurant.uuid, start=start, end=end, party_size=party_size)
        said = {item.date: item for item in answer.entity}
        return [_day(start + timedelta(days=n), said) for n in range(DAYS)]

    return _kept(f"days:{restaurant.uuid}:{start}:{party_size}", ask)


def slots(
    client: Any, restaurant: Restaurant, *, day: date, party_size: int, is_fresh: bool = False
) -> Read:
    """The times of a local day that lie ahead, in order."""

    def ask() -> list[Timeslot]:
        return list(client.timeslots(restaurant.uuid, day=day, party_size=party_size).entity)

    read = _kept(f"slots:{restaurant.uuid}:{day}:{party_size}", ask, is_fresh=is_fresh)
    now = timezone.now()
    ahead = [slot for item in read.items if (slot := _slot(item, restaurant)) and slot.at > now]
    return read._replace(items=sorted(ahead, key=lambda slot: slot.at))


def offers(client: Any, restaurant: Restaurant, *, locale: str) -> dict[UUID, Offer]:
    """Offers by id, with their names in the guest's language."""

    def ask() -> list[Offer]:
        return list(client.offers(restaurant.uuid, locale=locale).entity)

    read = _kept(f"offers:{restaurant.uuid}:{locale}", ask)
    return {offer.uuid: offer for offer in read.items if offer.uuid}


def find(read: Read, text: str) -> Slot | None:
    return next((slot for slot in read.items if slot.text == text), None)


def nearest(slots: list[Slot], wanted: time, *, most: int) -> list[Slot]:
    """The slots closest to a time on the wall, in the order of the day."""

    def distance(slot: Slot) -> timedelta:
        wish = datetime.combine(slot.at.date(), wanted, tzinfo=slot.at.tzinfo)
        return abs(slot.at - wish)

    return sorted(sorted(slots, key=distance)[:most], key=lambda slot: slot.at)


def _kept(key: str, ask: Callable[[], Any], *, is_fresh: bool = False) -> Read:
    read: Read | None = None if is_fresh else cache.get(f"openings:{key}")
    if read is None:
        read = Read(ask(), timezone.now())
        cache.set(f"openings:{key}", read, KEPT)
    return read


def _day(day: date, said: dict[date | None, Availability]) -> Day:
    item = said.get(day)
    stock, with_offer = bool(item and item.has_normal_stock), bool(item and item.offer_list)
    return Day(day, stock or with_offer, with_offer and not stock)


def _slot(item: Timeslot, restaurant: Restaurant) -> Slot | None:
    at = moment(item.datetime or "")
    if at is None or item.datetime is None:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=restaurant.zone)
    return Slot(item.datetime, restaurant.local(at), item)
