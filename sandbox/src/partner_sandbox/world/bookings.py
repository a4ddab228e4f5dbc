"""One day of one restaurant: its bookings and how they went."""

import math
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any
from uuid import UUID

from partner_sandbox.clock import DAY, HOUR, MINUTE
from partner_sandbox.dice import random_uuid
from partner_sandbox.entities import availability
from partner_sandbox.entities.availability import AvailableSlot
from partner_sandbox.entities.customers import compact
from partner_sandbox.entities.directory import Offer, SandboxRestaurant
from partner_sandbox.world import people
from partner_sandbox.world.extras import campaign, custom_field
from partner_sandbox.world.opinions import Visit, opinion
from partner_sandbox.world.plans import Size
from partner_sandbox.world.texts import notes

WEEKDAY_PULL = (0.78, 0.85, 0.92, 1.02, 1.22, 1.28, 0.88)
PARTY_SIZES = (1,) * 6 + (2,) * 46 + (3,) * 14 + (4,) * 20 + (5,) * 6 + (6,) * 5 + (8,) * 2 + (10,)
CHANNELS = (
    ("Marketplace",) * 34 + ("Booking Module",) * 24 + ("Offline",) * 20 + ("SearchEngine",) * 8
    + ("Marketplace Manager API",) * 5 + ("TravelSite",) * 4 + ("Guide",) * 3 + ("Cross Sell",) * 2
)  # fmt: skip
PEAKS = {"lunch": 54, "dinner": 102, "tasting": 30}  # minutes after the first table
LATE_DINNER = 20 * 60  # a restaurant that opens then has its hours from its country already
WALK_INS = 0.08
WITHOUT_DECIMALS = {"JPY", "KRW", "VND", "CLP", "XPF", "XAF", "XOF"}  # no coin below the unit
SMALL = 62  # parties of an evening in the small world
REVIEWED = 0.111
FORGOTTEN = 0.04  # visits that nobody closed in the book


@dataclass
class Pool:
    """The guests of a group so far; early ones come back more often."""

    ids: list[int] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)  # id → last visit, not yet written


@dataclass
class Making:
    """A world under construction."""

    luck: Random
    seed: int
    size: Size
    anchor: int  # what lies before it has happened
    pools: dict[int, Pool] = field(default_factory=dict)
    languages: dict[int, str] = field(default_factory=dict)  # of each guest
    customers: list[Any] = field(default_factory=list)
    reservations: list[Any] = field(default_factory=list)
    reviews: list[Any] = field(default_factory=list)
    next_customer: int = 1
    next_reservation: int = 1
    next_review: int = 1

    def pool(self, place: SandboxRestaurant) -> Pool:
        """Guests go to any restaurant of their group; around the world, to the one they know."""
        number = place.id if self.size.is_demo else place.group_id
        return self.pools.setdefault(number, Pool())


def book_day(making: Making, place: SandboxRestaurant, day: date, *, already: int = 0) -> None:
    """Book a day up to what it should hold; `already` is how many bookings it has."""
    slots = availability.regular_slots(place, day)
    if not slots:
        return
    weights = [_pull(place, slot, day) for slot in slots]
    covers = dict.fromkeys((slot.instant for slot in slots), 0)
    for _ in range(_parties(making, place, day, slots) - already):
        size = making.luck.choice(PARTY_SIZES)
        slot = _seat(making.luck, slots, weights, covers, size)
        covers[slot.instant] += size
        _book(making, place, slot, size)


def _pull(place: SandboxRestaurant, slot: AvailableSlot, day: date) -> float:
    """Demand for a slot: a normal distribution around the hour of the meal, dinner above lunch."""
    minute = int(slot.text[11:13]) * 60 + int(slot.text[14:16])
    minute += 24 * 60 if minute < 4 * 60 else 0
    start = slot.service.start
    shift = 45 if place.country == "ES" and start < LATE_DINNER else 0
    width = 150 if slot.service.is_steady else 75
    density = math.exp(-(((minute - start - PEAKS[slot.service.name] - shift) / width) ** 2))
    return (0.25 if slot.service.name == "lunch" else 0.7) * density + 0.004


def _parties(
    making: Making, place: SandboxRestaurant, day: date, slots: list[AvailableSlot]
) -> int:
    season = 1 + 0.16 * math.sin((day.timetuple().tm_yday - 100) / 365 * 2 * math.pi)
    festive = 1.15 if day.month == 12 else 1.0
    normal = making.size.parties * WEEKDAY_PULL[day.weekday()] * season * festive * place.busyness
    if making.size.restaurants <= 3:
        # In the small world, with lunch: 60 to 80 of them at night.
        normal = making.luck.uniform(88, 106) * making.size.parties / SMALL
    ahead = (slots[-1].instant - making.anchor) / DAY
    booked = 1.0 if ahead <= 1.2 else max(0.07, math.exp(-(ahead - 1) / 8))
    return max(1, round(normal * booked * making.luck.uniform(0.92, 1.08)))


def _seat(
    luck: Random,
    slots: list[AvailableSlot],
    weights: list[float],
    covers: dict[int, int],
    size: int,
) -> AvailableSlot:
    """A slot with free capacity; after a few tries staff squeeze the party in."""
    for slot in luck.choices(slots, weights, k=5):
        if covers[slot.instant] + size <= slot.service.covers:
            return slot
    return luck.choices(slots, weights)[0]


@dataclass
class Draft:
    """A booking that is being generated."""

    place: SandboxRestaurant
    meal: int
    size: int
    channel: str
    created: int
    status: str
    meal_status: str | None
    offer: Offer | None
    language: str = "en"  # of the guest


def _book(making: Making, place: SandboxRestaurant, slot: AvailableSlot, size: int) -> None:
    draft = _draft(making, place, slot, size)
    guest = None
    if draft.channel != "Walk-in" or making.luck.random() < 0.3:
        guest = _guest(making, place, draft.created)
        draft.language = making.languages[guest]
    updated = _last_change(making, draft)
    number = making.next_reservation
    making.next_reservation += 1
    making.reservations.append(
        (
            number,
            random_uuid(making.luck),
            place.id,
            guest,
            draft.meal,
            size,
            draft.status,
            draft.meal_status,
            draft.channel,
            UUID(draft.offer.uuid).bytes if draft.offer else None,
            draft.created,
            updated,
            compact(_details(making.luck, draft)),
        )
    )
    if guest is not None and draft.meal_status == "LEFT":
        pool = making.pool(place)
        pool.seen[guest] = max(pool.seen.get(guest, 0), updated)
        if making.luck.random() < REVIEWED * making.size.reviewed:
            _review(making, draft, number, guest)


def _draft(making: Making, place: SandboxRestaurant, slot: AvailableSlot, size: int) -> Draft:
    luck = making.luck
    happened = slot.instant < making.anchor
    channel = luck.choice(CHANNELS)
    if happened and luck.random() < WALK_INS:
        channel = "Walk-in"
    lead = 0 if channel == "Walk-in" else int(luck.expovariate(1 / 5.5) * DAY) + 20 * MINUTE
    created = slot.instant - lead
    if not happened:
        created = min(created, making.anchor - luck.randrange(HOUR, 2 * DAY))
    draft = Draft(place, slot.instant, size, channel, created, "RECORDED", None, None)
    draft.status, draft.meal_status = _outcome(luck, draft, happened=happened)
    if channel not in ("Walk-in", "Offline"):
        draft.offer = _offer(luck, place, slot, size)
    return draft


def _guest(making: Making, place: SandboxRestaurant, created: int) -> int:
    pool, luck = making.pool(place), making.luck
    if pool.ids and luck.random() > making.size.new_guests:
        return pool.ids[int(len(pool.ids) * luck.random() ** 1.8)]
    number = making.next_customer
    making.next_customer += 1
    new = people.guest(luck, making.seed, number, place)
    born = created - luck.randrange(0, 300 * DAY) if luck.random() < 0.3 else created
    row = (number, random_uuid(luck), place.group_id, new.email, new.phone, born, new.text)
    making.customers.append(row)
    making.languages[number] = new.language
    pool.ids.append(number)
    pool.seen[number] = created
    return number


def _outcome(luck: Random, draft: Draft, *, happened: bool) -> tuple[str, str | None]:
    chance, asks = luck.random(), draft.size >= draft.place.request_from
    if draft.channel == "Walk-in":
        return "RECORDED", "LEFT"
    if not happened:
        asks = asks or (draft.channel == "Marketplace" and chance < 0.07)
        return ("REQUESTED" if asks else "CANCELED" if chance > 0.94 else "RECORDED"), None
    if chance < 0.12:
        return ("CANCELED" if chance < 0.085 else "NO_SHOW"), None
    if asks and chance < 0.3:
        return "REFUSED", None
    return "RECORDED", (None if chance > 1 - FORGOTTEN else "LEFT")


def _offer(luck: Random, place: SandboxRestaurant, slot: AvailableSlot, size: int) -> Offer | None:
    if luck.random() > 0.2 and not slot.service.offer_only:
        return None
    fitting = [
        offer
        for offer in place.offers
        if slot.weekday in offer.weekdays
        and slot.service.name in offer.services
        and offer.sizes[0] <= size <= offer.sizes[1]
    ]
    return luck.choice(fitting) if fitting else None


def _last_change(making: Making, draft: Draft) -> int:
    luck = making.luck
    if draft.meal_status == "LEFT":
        return min(draft.meal + luck.randrange(70, 170) * MINUTE, making.anchor)
    if draft.status == "NO_SHOW":
        return min(draft.meal + 45 * MINUTE, making.anchor)
    if draft.status in ("CANCELED", "REFUSED") or luck.random() < 0.15:
        latest = min(draft.meal, making.anchor)
        return luck.randrange(draft.created, latest) if latest > draft.created else draft.created
    return draft.created


def _details(luck: Random, draft: Draft) -> dict[str, Any]:
    body: dict[str, Any] = {}
    if luck.random() < 0.2 and draft.channel != "Walk-in":
        body["customerNote"] = notes.guest_note(luck, draft.language, draft.size)
    if luck.random() < 0.12:
        body["restaurantNote"] = notes.staff_note(luck, draft.place.locale[:2], draft.size)
    if draft.size >= notes.LONG_FROM_PARTY and luck.random() < 0.04:
        body |= {"customerNote": notes.LONG_GUEST_NOTE, "restaurantNote": notes.LONG_STAFF_NOTE}
    if draft.channel == "Booking Module" and luck.random() < 0.3:
        body["utmTrackingInformation"] = campaign(luck)
    if luck.random() < 0.03:
        body["customFields"] = [custom_field(luck, draft.size)]
    if draft.meal_status == "LEFT" and luck.random() < 0.82:
        body["billAmount"] = bill(luck, draft.place, draft.size, draft.offer)
    return body


def bill(luck: Random, place: SandboxRestaurant, size: int, offer: Offer | None) -> dict[str, Any]:
    each = offer.price * 1.35 if offer and offer.price else place.bill_per_guest
    total = size * each * luck.uniform(0.7, 1.45)
    if offer and offer.discount:
        total *= 1 - offer.discount / 100
    decimals = 0 if place.currency in WITHOUT_DECIMALS else 2
    return {"totalPrice": round(total, decimals), "currency": place.currency}


def _review(making: Making, draft: Draft, number: int, guest: int) -> None:
    luck, place, meal = making.luck, draft.place, draft.meal
    created = meal + luck.randrange(10 * HOUR, 3 * DAY)
    if created >= making.anchor:
        return
    visit = Visit(place, draft.size, draft.language, making.size.answered)
    row = opinion(luck, visit, created, now=making.anchor)
    making.reviews.append(
        (making.next_review, random_uuid(luck), place.id, number, guest, meal, *row)
    )
    making.next_review += 1
