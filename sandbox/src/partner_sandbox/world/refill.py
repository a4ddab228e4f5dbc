"""Keeps a stored world alive: days that have come nearer get the bookings they lack."""

from datetime import date, datetime, time, timedelta

from partner_sandbox.clock import to_instant
from partner_sandbox.dice import dice
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.life.fates import LONGEST_EVENING
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.bookings import Making, book_day
from partner_sandbox.world.build import write_batch
from partner_sandbox.world.plans import SIZES, Size

GUESTS = """
    SELECT id, group_id, json_extract(body, '$.locale'),
        json_extract(body, '$.originRestaurantUuid')
    FROM customer ORDER BY id
"""


def refill(service: SandboxService) -> None:
    """Once a day: fill today, the days ahead and those missed to what a fresh world would hold."""
    today = service.clock.today()
    filled = service.store.setting("filled_for", service.store.setting("anchor"))
    if filled == today.isoformat():
        return
    making = _making(service, today)
    for place in service.directory.restaurants.values():
        for day in _lacking(date.fromisoformat(filled), today, making.size):
            book_day(making, place, day, already=_count(service.store, place, day))
    write_batch(service.store, making)
    service.store.remember("filled_for", today.isoformat())


def _lacking(filled: date, today: date, size: Size) -> list[date]:
    """The days after the last that was filled, as far back as a fresh world would go."""
    missed = (today - filled).days - 1
    back = max(0, min(missed, size.days_back))
    return [today + timedelta(days=offset) for offset in range(-back, size.days_ahead + 1)]


def _making(service: SandboxService, today: date) -> Making:
    making = Making(
        luck=dice(service.seed, "refill", today),
        seed=service.seed,
        size=SIZES[service.store.setting("world")],
        # Parties of the last hours have yet to arrive, sit and pay: `fates.py` plays them.
        anchor=service.clock.now() - LONGEST_EVENING,
    )
    with service.store.reading() as db:
        homes = {place.uuid: place for place in service.directory.restaurants.values()}
        groups = {place.group_id: place for place in homes.values()}
        for number, group, locale, home in db.execute(GUESTS):
            making.pool(homes.get(home) or groups[group]).ids.append(number)
            making.languages[number] = (locale or "en")[:2]
            making.next_customer = number + 1
        for table in ("reservation", "review"):
            top = db.execute(f"SELECT MAX(id) FROM {table}").fetchone()[0] or 0  # noqa: S608  ours
            setattr(making, f"next_{table}", top + 1)
    return making


def _count(store: Store, place: SandboxRestaurant, day: date) -> int:
    start = to_instant(datetime.combine(day, time(), tzinfo=place.zone))
    end = to_instant(datetime.combine(day + timedelta(days=1), time(), tzinfo=place.zone))
    with store.reading() as db:
        row = db.execute(
            "SELECT COUNT(*) FROM reservation WHERE restaurant_id=? AND meal>=? AND meal<?",
            (place.id, start, end),
        ).fetchone()
    return int(row[0])
