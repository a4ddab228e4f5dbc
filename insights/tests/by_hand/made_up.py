"""A made-up history of three restaurants: gaps, a newcomer, closed days, currencies, notes."""

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from customers.testing import new_customer
from insights.sums import recount
from lib.database import bulk
from reservations.testing import new_reservation
from restaurants.models import Restaurant
from restaurants.testing import make_restaurant
from reviews.testing import new_review

FIRST = datetime(2024, 11, 1, tzinfo=UTC)
DAYS = 560  # the clock changes three times on either continent
BOOKINGS = 3600
REVIEWS = 700
NOW = FIRST + timedelta(days=DAYS + 3)
JOINED = FIRST + timedelta(days=420)  # the third restaurant
UNKNOWN = (date(2025, 9, 8), date(2025, 9, 21))  # days of the first that were never read
MONDAY = 0  # on which the second is closed
STATUSES = ("RECORDED",) * 6 + ("NO_SHOW", "CANCELED", "REQUESTED", "REFUSED")
CAMPAIGNS: tuple[dict[str, str], ...] = (
    {},
    {"utm_source": "mail", "utm_medium": "letter", "utm_campaign": "spring"},
    {"utm_source": "map"},
)
CHANNELS = ("Booking Module", "Booking Module", "Marketplace", "Walk-in", "Offline")
NOTES = ("", "", "window table", "allergic to nuts", "2 vegans", "no onions please")
TAGS = ((), (), ("Peanuts",), ("Vegan",), ("Of our own making",))
FAVOURITES = ("", "nuts")


def make_up(places: list[Restaurant]) -> list[Restaurant]:
    """Two restaurants and a newcomer without marks and bills."""
    dice = random.Random(7)
    every = [*places, make_restaurant(places[0].group, "Pier", timezone="Asia/Tokyo")]
    guests = [new_customer(places[0].group, **_guest(dice)) for _number in range(60)]
    bulk.load(guests)
    bulk.load(_booking(dice, every, guests) for _number in range(BOOKINGS))
    bulk.load(_review(dice, dice.choice(every)) for _number in range(REVIEWS))
    for place in every:
        recount.rebuild(place, now=NOW)
    return every


def _uuid(dice):
    return UUID(int=dice.getrandbits(128), version=4)


def _guest(dice):
    return {
        "uuid": _uuid(dice),
        "notes": dice.choice(NOTES),
        "fav_food": dice.choice(FAVOURITES),
        "allergies_and_intolerances": list(dice.choice(TAGS)),
    }


def _moment(dice, place):
    """Some five minutes of the history on which the restaurant is open and known."""
    while True:
        at = FIRST + timedelta(minutes=5 * dice.randrange(DAYS * 288))
        if not _is_missing(place, at):
            return at


def _is_missing(place, at):
    day = place.service_day(at)
    if place.name == "Quay":
        return UNKNOWN[0] <= day <= UNKNOWN[1]
    return day.weekday() == MONDAY if place.name == "Loft" else at < JOINED


def _booking(dice, places, guests):
    place = dice.choice(places)
    meal_at = _moment(dice, place)
    is_bare = place.name == "Pier"
    bill = dice.choice([None, Decimal(dice.randrange(50_000)) / 100, Decimal("10.005")])
    bill = None if is_bare else bill
    usual = "EUR" if place.name == "Quay" else "USD"
    return new_reservation(
        place,
        uuid=_uuid(dice),
        meal_at=meal_at,
        party_size=dice.choice([None, 1, 2, 4, 7]),
        status=dice.choice(STATUSES),
        meal_status="" if is_bare else dice.choice(["", "LEFT"]),
        reservation_channel=dice.choice(CHANNELS),
        created_at=dice.choice([None, meal_at - timedelta(minutes=dice.randrange(60_000))]),
        bill_amount=bill,
        bill_currency=dice.choice([usual, usual, "EUR", ""]) if bill is not None else "",
        utm=CAMPAIGNS[meal_at.minute % 3],
        customer=dice.choice([None, *guests]),
        customer_note=dice.choice(NOTES),
        presence=dice.choice(["present"] * 9 + ["gone"]),
    )


def _review(dice, place):
    meal_at = _moment(dice, place)
    written = meal_at + timedelta(minutes=dice.randrange(9000))
    return new_review(
        place,
        uuid=_uuid(dice),
        meal_at=meal_at,
        service_day=place.service_day(meal_at),
        is_valid=dice.choice([True, True, True, None, False]),
        global_rating=dice.choice([None, Decimal(4), Decimal(6), Decimal("7.5"), Decimal(10)]),
        food_quality_rating=dice.choice([None, 3, 8]),
        service_rating=dice.choice([None, 5, 10]),
        ambience_rating=dice.choice([None, 1, 9]),
        comment_status=dice.choice(["", "PUBLISHED", "PUBLISHED"]),
        comment_published_ts=dice.choice([None, written, written]),
        reply_status=dice.choice(["", "REJECTED", "PUBLISHED", "PUBLISHED"]),
        reply_created_ts=dice.choice([None, written + timedelta(minutes=dice.randrange(9000))]),
    )
