"""Availability read from the service: sizes, days, times and offers.

People wait for these reads, so they are cached for 20 seconds and shown with their age. Before
sending, the lists that may name the chosen time are read again: `fresh_lists`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import get_language

from lib.labels import as_locale
from partner.errors import PartnerError, Refused
from partner.payloads.bodies import LOCALE
from partner.schemas import Availability, OfferPayload, Timeslot
from reservations.models import Reservation
from reservations.service_clock import clock_shown, minutes_of, minutes_on, moment
from restaurants.models import Restaurant

CACHED_FOR = 20  # seconds
DAYS = 14
MIDNIGHT = 24 * 60  # minutes of a service day
BOOKED_WITHIN = timedelta(days=60)
T = TypeVar("T")


class Day(NamedTuple):
    date: date
    is_open: bool
    has_offers_only: bool
    offers: tuple[UUID, ...] = ()


class SlotOnSale(NamedTuple):
    """A time on sale. `text` is the service's own and is sent back unchanged."""

    text: str
    at: datetime  # by the restaurant's clock
    rules: Timeslot
    service_day: date

    @property
    def local_time(self) -> str:
        return clock_shown(self.minutes, self.at, self.at.tzinfo or UTC)

    @property
    def instant(self) -> datetime:
        """What tells the two apart that the clock shows alike when it goes back."""
        return self.at.astimezone(UTC)

    @property
    def minutes(self) -> int:
        """By the clock of the service day: 00:30 of the night is 1470."""
        return minutes_on(self.at, self.service_day)

    @property
    def date(self) -> date:
        return self.at.date()

    @property
    def is_after_midnight(self) -> bool:
        return self.date > self.service_day


class Read(NamedTuple):
    """What was read, and when."""

    items: Any
    at: datetime
    has_night_before: bool = False  # whether times of the service day before are listed as well
    problem: PartnerError | None = None  # why the times after midnight are missing

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
    until_midnight: bool = False,
) -> Read:
    """The future times of a service day, in order, each once. At most two calls.

    The service lists them by local date, so those after midnight are in the list of the next one,
    which is read where there may be some.
    """
    wanted: Any = {"party_size": party_size, "offer": offer}
    goes_on = not until_midnight and day < date.max and passes_midnight(restaurant, day)
    dates = [day, day + timedelta(days=1)] if goes_on else [day]
    today = restaurant.local(timezone.now()).date()
    read, problem = Read([], timezone.now()), None
    for listed in [one for one in dates if one >= today]:
        try:
            more = _listed(client, restaurant, day=listed, **wanted)
        except Refused:
            if listed == day:
                raise
            break  # a service may take no bookings that far ahead
        except PartnerError as error:
            if not read.items:
                raise
            problem = error
            break
        read = Read([*read.items, *more.items], min(read.at, more.at))
    return read._replace(
        items=_joined(one for one in read.items if one.service_day == day),
        has_night_before=any(one.service_day < day for one in read.items),
        problem=problem,
    )


def passes_midnight(restaurant: Restaurant, day: date) -> bool:
    """Whether a service of the weekday, or a recent booking, is after midnight; also where no
    services are entered, and nobody knows. At most two queries."""
    if restaurant.day_start == time():
        return False
    periods, midnight = [*restaurant.service_periods.all()], day + timedelta(days=1)
    of_day = [one.bounds_on(day) for one in periods if one.weekday == day.weekday()]
    if not periods or any(end > restaurant.at(midnight, time()) for _start, end in of_day):
        return True
    since = restaurant.service_day(timezone.now()) - BOOKED_WITHIN
    booked = Reservation.objects.filter(restaurant=restaurant, service_day__range=(since, day))
    return bool(booked.filter(local_minutes__gte=MIDNIGHT).exists())


def fresh_lists(
    client: Any, restaurant: Restaurant, at: datetime, **wanted: Any
) -> Iterator[list[SlotOnSale]]:
    """The times of each list that may name this one, read now: by local date, by service day."""
    for day in dict.fromkeys((restaurant.local(at).date(), restaurant.service_day(at))):
        yield _joined(_listed(client, restaurant, day=day, is_fresh=True, **wanted).items)


def _listed(
    client: Any,
    restaurant: Restaurant,
    *,
    day: date,
    party_size: int,
    offer: UUID | None = None,
    is_fresh: bool = False,
) -> Read:
    """The future times that the service lists for a local date."""

    def ask() -> list[Timeslot]:
        answer = client.timeslots(restaurant.uuid, day=day, party_size=party_size, offer_uuid=offer)
        return list(answer.entity)

    read = _cached(_key("slots", restaurant, day, party_size, offer), ask, is_fresh=is_fresh)
    now = timezone.now()
    slots = (_slot(item, restaurant) for item in read.items)
    return read._replace(items=[slot for slot in slots if slot and slot.at > now])


def _joined(slots: Iterable[SlotOnSale]) -> list[SlotOnSale]:
    """In order, each time once."""
    found: dict[datetime, SlotOnSale] = {}
    for slot in slots:
        first = found.setdefault(slot.instant, slot)
        if first is not slot:
            found[slot.instant] = first._replace(rules=first.rules.joined(slot.rules))
    return [found[at] for at in sorted(found)]


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


def find(slots: Iterable[SlotOnSale], text: str) -> SlotOnSale | None:
    return next((slot for slot in slots if slot.text == text), None)


def nearest(
    slots: Iterable[SlotOnSale],
    wanted: time,
    restaurant: Restaurant,
    *,
    most: int,
    within: int | None = None,
) -> list[SlotOnSale]:
    """The slots closest to a local time of the service day, in its order.

    `within` leaves out those that are more minutes away.
    """
    target = minutes_of(wanted, restaurant)

    def distance(slot: SlotOnSale) -> int:
        return abs(slot.minutes - target)

    close = [one for one in slots if within is None or distance(one) <= within]
    return sorted(sorted(close, key=distance)[:most], key=lambda slot: slot.instant)


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
    return SlotOnSale(item.datetime, restaurant.local(at), item, restaurant.service_day(at))
