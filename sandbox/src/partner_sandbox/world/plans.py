"""The groups and restaurants of each world, and the clients that may enter it.

Everything here depends on the seed alone, never on the day.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from partner_sandbox.dice import dice, named_secret, named_uuid
from partner_sandbox.entities.directory import (
    MealService,
    Offer,
    SandboxGuarantee,
    SandboxRestaurant,
)
from partner_sandbox.world import demo_places
from partner_sandbox.world.places import GROUPS, PLACES, STRANGER, Place
from partner_sandbox.world.texts import menus

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
WORKDAYS = (0, 1, 2, 3, 4)
WEEKEND = (4, 5)
CLOSED = {0: (6,), 1: (0,), 2: (), 3: (0, 6)}  # the closing days of a restaurant

FULL = (
    "svc-restaurant svc-restaurant:availabilities svc-restaurant:override-availabilities"
    " svc-restaurant:reservations svc-restaurant:offers svc-restaurant:customers"
    " svc-restaurant:reviews svc-restaurant:callCenter"
)
CLIENTS = {
    "full": FULL,
    "limited": "svc-restaurant:reservations svc-restaurant:availabilities",
    "unrestricted": "svc-restaurant:reservations svc-restaurant:unrestricted-reservations",
    "phone": "svc-restaurant:customers svc-restaurant:callCenter",
    "stranger": "svc-restaurant",
}


@dataclass(frozen=True)
class Size:
    """How large a world is."""

    restaurants: int
    groups: int
    days_back: int
    days_ahead: int
    parties: int  # bookings of an ordinary evening in an ordinary restaurant
    new_guests: float  # share of bookings by guests never seen before
    answered: float = 0.62  # share of reviews that have a reply in the end
    reviewed: float = 1  # how many times as many reviews of the same visits
    is_demo: bool = False  # stands around the world and is always in service


SIZES = {
    "tiny": Size(3, 1, days_back=14, days_ahead=14, parties=18, new_guests=0.62, reviewed=4),
    "small": Size(3, 1, days_back=14, days_ahead=14, parties=62, new_guests=0.62),
    "demo": Size(
        12, 1, days_back=70, days_ahead=28, parties=50, new_guests=0.3, answered=0.98, is_demo=True
    ),
    "group": Size(12, 1, days_back=532, days_ahead=28, parties=46, new_guests=0.34),
    "chain": Size(200, 5, days_back=112, days_ahead=21, parties=46, new_guests=0.36),
}


@dataclass
class Blueprint:
    groups: list[dict[str, str]]
    restaurants: list[SandboxRestaurant]


def blueprint(world: str, seed: int, owner: int = 1) -> Blueprint:
    """The world of one owner; the places of a later one have names that tell them apart."""
    size = SIZES[world]
    groups = [_group(seed, number, kind=world, owner=owner) for number in range(size.groups)]
    groups.append({"uuid": named_uuid(seed, "group", "stranger"), "name": STRANGER.group})
    chosen = demo_places.PLACES if size.is_demo else map(_place, range(size.restaurants))
    restaurants = [
        _restaurant(
            seed,
            number,
            group_id=number * size.groups // size.restaurants + 1,
            place=place.branch(owner) if owner > 1 else place,
        )
        for number, place in enumerate(chosen)
    ]
    stranger = _restaurant(seed, size.restaurants, group_id=len(groups), place=STRANGER)
    restaurants.append(stranger)
    for restaurant in restaurants:
        restaurant.group_uuid = groups[restaurant.group_id - 1]["uuid"]
    for number, group in enumerate(groups):
        group["owner"] = "stranger" if number == len(groups) - 1 else "full"
    return Blueprint(groups, restaurants)


def _group(seed: int, number: int, *, kind: str, owner: int) -> dict[str, str]:
    name = ("demo", "group") if kind == "demo" else ("group",)
    return {
        "uuid": named_uuid(seed, *name, number),
        "name": GROUPS[(number + owner - 1) % len(GROUPS)],
    }


def _restaurant(seed: int, number: int, *, group_id: int, place: Place) -> SandboxRestaurant:
    spacing = 30 if number % 5 == 2 and not place.dinner else 15
    is_named = place is STRANGER or place.dinner
    uuid = named_uuid(seed, "restaurant", place.name if is_named else number)
    luck = dice(seed, "restaurant", number)
    is_always_open = number <= 2 or place.dinner
    closed = () if is_always_open else CLOSED[number % 4]
    days = tuple(day for day in EVERY_DAY if day not in closed)
    offers = tuple(menus.offers(seed, number, place, days))
    return SandboxRestaurant(
        id=number + 1,
        uuid=uuid,
        group_id=group_id,
        group_uuid="",
        name=place.name,
        timezone=place.timezone,
        currency=place.currency,
        country=place.country,
        phone=place.phone(number),
        locale=place.locale,
        spacing=spacing,
        sizes=(1, 2, 3, 4, 5, 6, 8, 10, 12) if number % 2 else (1, 2, 3, 4, 5, 6, 7, 8, 10),
        request_from=(8, 7, 8)[number % 3],
        services=tuple(_services_of(place, number, days, luck.randint(15, 20) * spacing // 15)),
        guarantees=tuple(_guarantees(number, offers)),
        offers=offers,
        bill_per_guest=round(place.bill * luck.uniform(0.85, 1.2), 2),
        busyness=1.0 if number < 3 or place.dinner else luck.uniform(0.7, 1.35),
    )


def _place(number: int) -> Place:
    place = PLACES[number % len(PLACES)]
    branch = number // len(PLACES)
    return place.branch(branch) if branch else place


def _services_of(
    place: Place, number: int, days: tuple[int, ...], covers: int
) -> Iterator[MealService]:
    if not place.dinner:
        yield from _services(number, days, covers)
        return
    if place.lunch:
        yield MealService("lunch", days, 12 * 60, 14 * 60, covers)
    end = place.dinner + demo_places.DINNER
    yield MealService("dinner", days, place.dinner, end, covers, is_steady=True)


def _services(number: int, days: tuple[int, ...], covers: int) -> Iterator[MealService]:
    lunch = tuple(day for day in days if number % 3 or day in WORKDAYS)
    yield MealService("lunch", lunch, 12 * 60, 14 * 60, covers)
    early = tuple(day for day in days if day not in WEEKEND)
    yield MealService("dinner", early, 18 * 60 + 30, 22 * 60, covers)
    late = tuple(day for day in days if day in WEEKEND)
    # One restaurant in three takes bookings until after midnight at the weekend.
    last = 24 * 60 + 45 if number % 3 == 0 else 22 * 60 + 30
    yield MealService("dinner", late, 18 * 60 + 30, last, covers + 4)
    if number % 4 == 1:
        yield MealService("tasting", (3,), 17 * 60, 18 * 60, 10, offer_only=True)


def _guarantees(number: int, offers: tuple[Offer, ...]) -> Iterator[SandboxGuarantee]:
    yield SandboxGuarantee("imprint", 20 + 5 * (number % 3), 24, 6, WEEKEND, "dinner")
    for offer in offers:
        if offer.preset_type == "experience":
            yield SandboxGuarantee("prepayment", 45, 48, 0, EVERY_DAY, "dinner", offer.uuid)
        if offer.preset_type == "card_brand":  # the brand is checked at payment
            yield SandboxGuarantee("imprint", 10, 24, 0, EVERY_DAY, "dinner", offer.uuid)


def plan_row(restaurant: SandboxRestaurant) -> dict[str, Any]:
    row = asdict(restaurant)
    del row["closed_down"]
    return row


def clients(seed: int, audience_enabled: str = "default") -> list[dict[str, str]]:
    return [
        {
            "name": name,
            "client_id": named_secret(seed, "client", name, length=32),
            "secret": named_secret(seed, "secret", name, length=64),
            "scopes": scopes,
            "audiences": audience_enabled,
        }
        for name, scopes in CLIENTS.items()
    ]


def pos_identity(seed: int) -> dict[str, str]:
    return {
        "uuid": named_uuid(seed, "pos"),
        "api_key": named_secret(seed, "pos", "key", length=40),
    }
