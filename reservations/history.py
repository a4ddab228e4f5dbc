"""Generates years of reservations and guests for load tests, and one very busy day.

The same seed generates the same rows. The busy day does not depend on the length of the history, so
that growth can be measured.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from customers.models import Customer
from reservations.models import Reservation
from restaurants.models import Group, Restaurant

GROUP = UUID("00000000-0000-4000-8000-00000000b0b0")
ZONES = (("Europe/Paris", "FR"), ("Europe/London", "GB"), ("Europe/Madrid", "ES"))
DAYS = 730
BUSY_FIRST, BUSY_OTHERS = 300, 195  # bookings of the busy day: about 4,000 over 20 restaurants
BUSY_NEEDS = 10_000  # below that many reservations the busy day shrinks with them

FIRST_NAMES = ("Maria", "Zoë", "Ana", "Jean", "Élodie", "Luca", "Noor", "Søren", "José", "Aïcha")
SYLLABLES = ("ro", "mar", "tin", "ber", "len", "da", "vi", "sa", "ne", "lo", "cas", "tel", "wol")
NOTES = ("", "", "", "", "Window table, please", "Anniversary", "High chair", "Arrives late")
TAGS = ("nuts", "gluten", "shellfish", "dairy", "eggs", "sesame")
CHANNELS = ("Marketplace", "Booking Module", "Booking Module", "Offline", "Walk-in", "SearchEngine")
HOURS = (12, 12, 13, 19, 19, 20, 20, 20, 21, 21, 22)
SIZES = (1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 8)
PAST = ("LEFT",) * 8 + ("", "SEATED")


@dataclass(frozen=True)
class Plan:
    reservations: int
    customers: int
    busy_day: date
    seed: int = 1


def set_up(number: int) -> list[Restaurant]:
    """The restaurants of the load test, created once."""
    group, _made = Group.objects.get_or_create(uuid=GROUP, defaults={"name": "Load test"})
    return [_restaurant(group, index) for index in range(number)]


def _restaurant(group: Group, index: int) -> Restaurant:
    zone, country = ZONES[index % len(ZONES)]
    uuid = UUID(int=GROUP.int + 1 + index)
    fields = {"group": group, "name": f"Table {index + 1}", "timezone": zone, "country": country}
    return Restaurant.objects.get_or_create(uuid=uuid, defaults=fields)[0]


def customers(plan: Plan, restaurants: list[Restaurant]) -> Iterator[Customer]:
    dice = random.Random(f"customers {plan.seed}")  # noqa: S311  # no secret
    now = datetime.combine(plan.busy_day, time(12), UTC)
    for uuid in _guests(plan):
        yield _customer(dice, uuid, restaurants[0].group, now=now)


def reservations(plan: Plan, restaurants: list[Restaurant]) -> Iterator[Reservation]:
    """The busy day first, then the history around it, day by day."""
    guests = _guests(plan)
    dice = random.Random(f"reservations {plan.seed}")  # noqa: S311  # no secret
    busy = list(_busy_day(plan, restaurants))
    for restaurant in busy:
        yield _reservation(dice, restaurant, plan.busy_day, plan.busy_day, guests)
    rest = plan.reservations - len(busy)
    for number in range(rest):
        day = plan.busy_day - timedelta(days=DAYS - 1 - number * DAYS // rest)
        if day == plan.busy_day:
            day += timedelta(days=1 + number % 14)
        yield _reservation(dice, dice.choice(restaurants), day, plan.busy_day, guests)


def _busy_day(plan: Plan, restaurants: list[Restaurant]) -> Iterator[Restaurant]:
    share = min(1.0, plan.reservations / BUSY_NEEDS)
    for index, restaurant in enumerate(restaurants):
        for _booking in range(int((BUSY_OTHERS if index else BUSY_FIRST) * share)):
            yield restaurant


def _guests(plan: Plan) -> list[UUID]:
    dice = random.Random(f"guests {plan.seed}")  # noqa: S311  # no secret
    return [_uuid(dice) for _number in range(plan.customers)]


def _customer(dice: random.Random, uuid: UUID, group: Group, *, now: datetime) -> Customer:
    row = Customer(
        uuid=uuid,
        group=group,
        first_name=dice.choice(FIRST_NAMES),
        last_name="".join(dice.choices(SYLLABLES, k=dice.randint(2, 4))).title(),
        phone=f"+336{dice.randrange(10**8):08d}",
        locale=dice.choice(("fr_FR", "en_GB", "es_ES", "de")),
        civility=dice.choice(("mr", "ms", "mrs", "")),
        is_vip=dice.random() < 0.03,
        rank="caution" if dice.random() < 0.01 else "",
        allergies_and_intolerances=dice.sample(TAGS, 1) if dice.random() < 0.08 else [],
        birth_date=date(1950 + dice.randrange(50), dice.randint(1, 12), dice.randint(1, 28)),
        creation_date=now - timedelta(days=dice.randrange(DAYS)),
        read_at=now,
        first_seen_at=now,
        changed_at=now,
    )
    row.email = f"{row.last_name.lower()}.{row.uuid.hex[:6]}@example.org"
    row.phone_e164 = row.phone
    row.derive()
    row.raw = json.dumps(
        {"customerUuid": str(row.uuid), "firstName": row.first_name, "lastName": row.last_name}
        | {"email": row.email, "phone": row.phone, "locale": row.locale, "notes": None}
        | dict.fromkeys(("address", "city", "zipcode", "favFood", "favDrinks", "favSeating"))
    )
    return row


def _reservation(
    dice: random.Random, restaurant: Restaurant, day: date, today: date, guests: list[UUID]
) -> Reservation:
    channel = dice.choice(CHANNELS)
    local_time = time(dice.choice(HOURS), dice.choice((0, 15, 30, 45)))
    meal_at = restaurant.at(day, local_time)
    row = Reservation(
        uuid=_uuid(dice),
        restaurant=restaurant,
        meal_at=meal_at,
        meal_date_text=restaurant.local(meal_at).isoformat(),
        party_size=dice.choice(SIZES),
        status=_status(dice),
        reservation_channel=channel,
        customer_id=None if channel == "Walk-in" or not guests else dice.choice(guests),
        customer_note=dice.choice(NOTES),
        created_at=meal_at - timedelta(hours=dice.randint(1, 700)),
        updated_at=meal_at - timedelta(hours=1),
        read_at=meal_at,
        first_seen_at=meal_at,
        changed_at=meal_at,
    )
    if day < today and row.status == "RECORDED":
        row.meal_status = dice.choice(PAST)
        row.bill_amount = Decimal(dice.randint(2000, 30000)) / 100
        row.bill_currency = restaurant.currency
    row.set_service_day()
    row.raw = json.dumps(
        {"reservationUuid": str(row.uuid), "restaurantUuid": str(restaurant.uuid)}
        | {"mealDate": row.meal_date_text, "partySize": row.party_size, "status": row.status}
        | {"mealStatus": row.meal_status or None, "reservationChannel": channel}
        | {"customerUuid": str(row.customer_id), "customerNote": row.customer_note}
        | dict.fromkeys(("restaurantNote", "offerUuid", "offerDetails", "customFields"))
    )
    return row


def _status(dice: random.Random) -> str:
    roll = dice.random()
    for limit, status in ((0.86, "RECORDED"), (0.95, "CANCELED"), (0.98, "NO_SHOW")):
        if roll < limit:
            return status
    return "REQUESTED"


def _uuid(dice: random.Random) -> UUID:
    return UUID(int=dice.getrandbits(128), version=4)
