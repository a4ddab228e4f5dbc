"""What can be booked: slots of a local day, the covers left in them, offers, overrides."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from partner_sandbox.clock import MINUTE, to_instant
from partner_sandbox.entities.directory import (
    MealService,
    Offer,
    SandboxGuarantee,
    SandboxRestaurant,
)
from partner_sandbox.entities.reservations import local_text

MINUTES_OF_DAY = 24 * 60
EXTRA = MealService(
    "extra", (), 0, 0, covers=20
)  # a slot opened by an override outside the services


@dataclass(frozen=True)
class AvailableSlot:
    instant: int
    text: str  # as served; sent back as mealDate character for character
    service: MealService
    weekday: int  # of the day the service began


@dataclass
class Bookable:
    """One slot with what is left of it."""

    slot: AvailableSlot
    covers_left: int
    offers: list[Offer]  # those with a place left that day

    def normal_for(self, place: SandboxRestaurant, size: float | None) -> bool:
        return not self.slot.service.offer_only and self._fits(place, size)

    def offers_for(self, place: SandboxRestaurant, size: float | None) -> list[Offer]:
        fitting = [offer for offer in self.offers if _offer_takes(offer, size)]
        return fitting if self._fits(place, size) else []

    def _fits(self, place: SandboxRestaurant, size: float | None) -> bool:
        if size is None:
            return self.covers_left >= min(place.sizes)
        return size in place.sizes and self.covers_left >= size


def _offer_takes(offer: Offer, size: float | None) -> bool:
    return size is None or offer.sizes[0] <= size <= offer.sizes[1]


def local_instant(place: SandboxRestaurant, day: date, minute: int) -> int | None:
    """The instant of a local minute; None in the hour that the spring change skips."""
    day, minute = day + timedelta(days=minute // MINUTES_OF_DAY), minute % MINUTES_OF_DAY
    local_time = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=place.zone)
    instant = to_instant(local_time)
    exists = datetime.fromtimestamp(instant / 1000, tz=place.zone).time() == local_time.time()
    return instant if exists else None


def regular_slots(place: SandboxRestaurant, day: date) -> list[AvailableSlot]:
    """The slots whose local date is `day`, including those of last night's late service."""
    found: dict[int, AvailableSlot] = {}
    for opened in (day - timedelta(days=1), day):
        for service in place.services:
            if opened.weekday() not in service.weekdays:
                continue
            for minute in range(service.start, service.end + 1, place.spacing):
                if opened + timedelta(days=minute // MINUTES_OF_DAY) != day:
                    continue
                instant = local_instant(place, opened, minute)
                if instant is not None:
                    text = local_text(place, instant)
                    found[instant] = AvailableSlot(instant, text, service, opened.weekday())
    return [found[instant] for instant in sorted(found)]


def open_slots(db: sqlite3.Connection, place: SandboxRestaurant, day: date) -> list[AvailableSlot]:
    """Regular slots after the day's overrides, in the order in which they were made."""
    slots = {slot.instant: slot for slot in regular_slots(place, day)}
    rows = db.execute(
        "SELECT * FROM override WHERE restaurant_id=? AND day=? ORDER BY id",
        (place.id, day.isoformat()),
    ).fetchall()
    regular = dict(slots)
    for row in rows:
        _apply_override(place, day, row, slots, regular)
    return [slots[instant] for instant in sorted(slots)]


def _apply_override(
    place: SandboxRestaurant,
    day: date,
    row: Any,
    slots: dict[int, AvailableSlot],
    regular: dict[int, AvailableSlot],
) -> None:
    """From the first slot up to one spacing after the last one, the end itself not touched."""
    first = local_instant(place, day, row["first_minute"])
    last = local_instant(place, day, row["last_minute"])
    if first is None or last is None:
        return
    end = last + place.spacing * MINUTE
    if not row["is_open"]:
        for instant in [known for known in slots if first <= known < end]:
            del slots[instant]
        return
    inside = [slot for slot in regular.values() if first <= slot.instant < end]
    if not inside:
        inside = [
            AvailableSlot(instant, local_text(place, instant), EXTRA, day.weekday())
            for instant in range(first, end, place.spacing * MINUTE)
        ]
    slots.update({slot.instant: slot for slot in inside})


def bookable(
    db: sqlite3.Connection, place: SandboxRestaurant, day: date, now: int, *, but: int = 0
) -> list[Bookable]:
    """The slots of a day that are not past, each with its covers and offers left.

    `but` names a reservation that is being moved and frees its own place.
    """
    slots = [slot for slot in open_slots(db, place, day) if slot.instant >= now]
    if not slots:
        return []
    taken = _taken(db, place, slots, but)
    offers = _offers_with_places(db, place, day, but)
    return [_weigh(place, slot, taken, offers) for slot in slots]


def _weigh(
    place: SandboxRestaurant,
    slot: AvailableSlot,
    taken: list[tuple[int, int]],
    offers: Iterable[Offer],
) -> Bookable:
    end = slot.instant + place.spacing * MINUTE
    covers = sum(size for meal, size in taken if slot.instant <= meal < end)
    fitting = [offer for offer in offers if _offer_runs(offer, slot)]
    return Bookable(slot, slot.service.covers - covers, fitting)


def _taken(
    db: sqlite3.Connection, place: SandboxRestaurant, slots: list[AvailableSlot], but: int
) -> list[tuple[int, int]]:
    return [
        (row["meal"], row["party_size"])
        for row in db.execute(
            "SELECT meal, party_size FROM reservation WHERE restaurant_id=? AND meal>=? AND meal<?"
            " AND status IN ('RECORDED', 'REQUESTED') AND id<>?",
            (place.id, slots[0].instant, slots[-1].instant + place.spacing * MINUTE, but),
        )
    ]


def _offers_with_places(
    db: sqlite3.Connection, place: SandboxRestaurant, day: date, but: int
) -> list[Offer]:
    """Each offer is given a number of times per local day."""
    start = datetime.combine(day, time(), tzinfo=place.zone)
    end = datetime.combine(day + timedelta(days=1), time(), tzinfo=place.zone)
    rows = db.execute(
        "SELECT offer, COUNT(*) AS given FROM reservation WHERE restaurant_id=? AND meal>=? AND"
        " meal<? AND offer IS NOT NULL AND status IN ('RECORDED', 'REQUESTED') AND id<>?"
        " GROUP BY offer",
        (place.id, to_instant(start), to_instant(end), but),
    )
    given = {str(UUID(bytes=row["offer"])): row["given"] for row in rows}
    return [offer for offer in place.offers if given.get(offer.uuid, 0) < offer.per_day]


def _offer_runs(offer: Offer, slot: AvailableSlot) -> bool:
    return slot.weekday in offer.weekdays and slot.service.name in offer.services


def guarantees(
    place: SandboxRestaurant, item: Bookable, size: float | None
) -> list[SandboxGuarantee]:
    """The guarantees a slot asks for, those of offers only where this size can have the offer."""
    had = {offer.uuid for offer in item.offers_for(place, size)}
    return [
        rule
        for rule in place.guarantees
        if item.slot.weekday in rule.weekdays
        and item.slot.service.name == rule.service
        and (rule.offer is None or rule.offer in had)
    ]


def needs_guarantee(
    place: SandboxRestaurant, item: Bookable, size: int, offer: Offer | None
) -> bool:
    """Choose the guarantee: that of the requested offer, or of the normal stock."""
    wanted = offer.uuid if offer else None
    rules = guarantees(place, item, size)
    return any(rule.offer == wanted and rule.from_party <= size for rule in rules)
