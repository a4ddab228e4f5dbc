"""Availability read from the service: sizes, days, times and offers.

People wait for these reads, so they are cached for 20 seconds and shown with their age. Before
sending they are read again: `slots(..., is_fresh=True)`.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import get_language

from lib.labels import as_locale
from partner.errors import PartnerError
from partner.payloads.bodies import LOCALE
from partner.schemas import Availability, OfferPayload, Timeslot
from reservations.service_clock import moment
from restaurants.models import Restaurant

CACHED_FOR = 20  # seconds
DAYS = 14
T = TypeVar("T")


class Day(NamedTuple):
    date: date
    is_open: bool
    has_offers_only: bool
    offers: tuple[UUID, ...] = ()


class SlotOnSale(NamedTuple):
    """A time on sale. `text` is the service's own and is sent back unchanged."""

    text: str
    at: datetime
    rules: Timeslot

    @property
    def local_time(self) -> str:
        return f"{self.at:%H:%M}"


class Read(NamedTuple):
    """What was read, and when."""

    items: Any
    at: datetime

    @property
    def age(self) -> int:
        return max(0, int((timezone.now() - self.at).total_seconds()))


def sizes(
    client: Any,
    restaurant: Restaurant,
    *,
    start: date,
    offer: UUID | None = None,
    length: int = DAYS,
) -> Read:
    """Party sizes for which something, or this offer, can be booked; there may be gaps."""
    end = start + timedelta(days=length - 1)

    def ask() -> list[int]:
        answer = client.party_sizes(restaurant.uuid, start=start, end=end, offer_uuid=offer)
        return sorted(set(answer.entity))

    return _cached(_key("sizes", restaurant, start, length, offer), ask)


def days(
    client: Any,
    restaurant: Restaurant,
    *,
    start: date,
    party_size: int | None = None,
    offer: UUID | None = None,
    length: int = DAYS,
) -> Read:
    """The days from `start` on. A day that the service omits cannot be booked."""
    end = start + timedelta(days=length - 1)

    def ask() -> list[Day]:
        answer = client.availabilities(
            restaurant.uuid, start=start, end=end, party_size=party_size, offer_uuid=offer
        )
        by_date: dict[date | None, Availability] = {}
        for item in answer.entity:
            first = by_date.get(item.date)
            by_date[item.date] = first.joined(item) if first else item
        return [_day(start + timedelta(days=n), by_date, offer) for n in range(length)]

    return _cached(_key("days", restaurant, start, length, party_size, offer), ask)


def slots(
    client: Any,
    restaurant: Restaurant,
    *,
    day: date,
    party_size: int,
    offer: UUID | None = None,
    is_fresh: bool = False,
) -> Read:
    """The future times of a local day, in order, each once."""

    def ask() -> list[Timeslot]:
        answer = client.timeslots(restaurant.uuid, day=day, party_size=party_size, offer_uuid=offer)
        return list(answer.entity)

    read = _cached(_key("slots", restaurant, day, party_size, offer), ask, is_fresh=is_fresh)
    now = timezone.now()
    ahead = [slot for item in read.items if (slot := _slot(item, restaurant)) and slot.at > now]
    found: dict[datetime, SlotOnSale] = {}
    for slot in ahead:
        first = found.setdefault(slot.at, slot)
        if first is not slot:
            found[slot.at] = first._replace(rules=first.rules.joined(slot.rules))
    return read._replace(items=[found[at] for at in sorted(found)])


def offers(client: Any, restaurant: Restaurant, *, locales: Sequence[str]) -> Read:
    """The offers on sale, each with its texts in the first of the languages that has any."""

    def ask() -> list[OfferPayload]:
        found: dict[UUID, OfferPayload] = {}
        for locale in locales:
            try:
                answer = client.offers(restaurant.uuid, locale=locale)
            except PartnerError as error:
                if found:
                    break  # the offers are known, some without texts
                if error.code != "INVALID_LOCALE" or locale == locales[-1]:
                    raise
                continue
            _add_words(found, answer.entity)
            if all(offer.name for offer in found.values()):
                break
        return list(found.values())

    return _cached(_key("offers", restaurant, ",".join(locales)), ask)


def locales_for(*preferred: str) -> tuple[str, ...]:
    """The languages to request offers in, as the service writes them; English is last."""
    wanted = []
    for code in (*preferred, get_language() or "", "en"):
        locale = as_locale(code)
        wanted += [locale, locale.partition("_")[0]]
    return tuple(dict.fromkeys(locale for locale in wanted if LOCALE.fullmatch(locale)))


def _add_words(found: dict[UUID, OfferPayload], answered: Sequence[OfferPayload]) -> None:
    for offer in answered:
        if offer.uuid and not ((known := found.get(offer.uuid)) and known.name):
            found[offer.uuid] = offer


def find(read: Read, text: str) -> SlotOnSale | None:
    return next((slot for slot in read.items if slot.text == text), None)


def nearest(slots: list[SlotOnSale], wanted: time, *, most: int) -> list[SlotOnSale]:
    """The slots closest to a local time, in the order of the day."""

    def distance(slot: SlotOnSale) -> timedelta:
        target = datetime.combine(slot.at.date(), wanted, tzinfo=slot.at.tzinfo)
        return abs(slot.at - target)

    return sorted(sorted(slots, key=distance)[:most], key=lambda slot: slot.at)


def _key(kind: str, restaurant: Restaurant, *parts: object) -> str:
    return ":".join(str(part or "") for part in (kind, restaurant.uuid, *parts))


def _cached(key: str, ask: Callable[[], Any], *, is_fresh: bool = False) -> Read:
    read: Read | None = None if is_fresh else cache.get(f"openings:{key}")
    if read is None:
        read = Read(ask(), timezone.now())
        cache.set(f"openings:{key}", read, CACHED_FOR)
    return read


def _day(day: date, by_date: dict[date | None, Availability], wanted: UUID | None) -> Day:
    item = by_date.get(day)
    offers = tuple(item.offer_list or ()) if item else ()
    if wanted is not None:
        return Day(day, wanted in offers, False, offers)
    stock = bool(item and item.has_normal_stock)
    return Day(day, stock or bool(offers), bool(offers) and not stock, offers)


def _slot(item: Timeslot, restaurant: Restaurant) -> SlotOnSale | None:
    at = moment(item.datetime or "")
    if at is None or item.datetime is None:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=restaurant.zone)
    return SlotOnSale(item.datetime, restaurant.local(at), item)
