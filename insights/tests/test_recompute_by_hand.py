"""The numbers of the questions, worked out once more by a plain, slow script that shares nothing.

It reads reservations and reviews one by one, turns their instants into local days itself, and adds
up decimals; ten random ranges of days must agree to the cent.
"""

import random
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from insights.forms import InsightParams
from insights.questions import QUESTIONS
from insights.sums import recount
from lib.database import bulk
from reservations.models import Reservation
from reservations.testing import new_reservation
from reviews.models import Review
from reviews.testing import make_review

pytestmark = pytest.mark.django_db

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 150  # both changes of the clock of either continent lie near the middle
STATUSES = ("RECORDED",) * 6 + ("NO_SHOW", "CANCELED", "REQUESTED", "REFUSED")
CAMPAIGNS: tuple[dict[str, str], ...] = (
    {},
    {"utm_source": "mail", "utm_medium": "letter", "utm_campaign": "spring"},
    {"utm_source": "map"},
)
CHANNELS = ("Booking Module", "Marketplace", "Walk-in", "Offline")


@pytest.fixture
def places(quay, loft):
    dice = random.Random(7)
    rows = [made_up(dice, dice.choice([quay, loft])) for _number in range(900)]
    bulk.load(rows)
    for _number in range(120):
        place = dice.choice([quay, loft])
        meal_at = moment(dice)
        rating = dice.choice([None, Decimal(4), Decimal("7.5"), Decimal(10)])
        make_review(
            place, meal_at=meal_at, service_day=place.service_day(meal_at), global_rating=rating
        )
    for place in (quay, loft):
        recount.rebuild(place, now=FIRST)
    return [quay, loft]


def moment(dice):
    return FIRST + timedelta(minutes=5 * dice.randrange(DAYS * 288))


def made_up(dice, place):
    meal_at = moment(dice)
    bill = dice.choice([None, Decimal(dice.randrange(50_000)) / 100, Decimal("10.005")])
    return new_reservation(
        place,
        meal_at=meal_at,
        party_size=dice.choice([None, 1, 2, 4, 7]),
        status=dice.choice(STATUSES),
        meal_status=dice.choice(["", "LEFT"]),
        reservation_channel=dice.choice(CHANNELS),
        created_at=dice.choice([None, meal_at - timedelta(minutes=dice.randrange(60_000))]),
        bill_amount=bill,
        bill_currency=dice.choice(["EUR", "USD"]) if bill is not None else "",
        utm=CAMPAIGNS[meal_at.minute % 3],
        presence=dice.choice(["present"] * 9 + ["gone"]),
    )


def local_day(place, at):
    """The day that began at four in the morning, local time."""
    local = at.astimezone(ZoneInfo(place.timezone))
    return local.date() - timedelta(days=1) if local.hour < 4 else local.date()


def bookings_of(place, first, last):
    every = Reservation.objects.filter(restaurant=place, presence="present")
    return [one for one in every if first <= local_day(place, one.meal_at) <= last]


def table_of(slug, places, first, last):
    params = InsightParams(restaurants=places, first=first, last=last, shift=364)
    return QUESTIONS[slug].answer(params).table


def cents(amount):
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def ranges():
    dice = random.Random(11)
    for _number in range(10):
        start = FIRST.date() + timedelta(days=dice.randrange(DAYS))
        yield start, start + timedelta(days=dice.randrange(100))


def test_it_works(places):
    """All ranges and questions in one test: making the history costs more than asking."""
    checks = (
        *(check_covers, check_headline, check_absence, check_spend, check_channels),
        *(check_lead, check_ratings, check_campaigns),
    )
    for first, last in ranges():
        for check in checks:
            check(places, first, last)


def check_covers(places, first, last):
    found = {row[0]: row[1:2] + row[3:] for row in table_of("fullness", places, first, last).rows}
    for place in places:
        kept = [one for one in bookings_of(place, first, last) if one.status == "RECORDED"]
        covers = sum(one.party_size or 0 for one in kept)
        walk_ins = sum(one.reservation_channel == "Walk-in" for one in kept)
        assert found[place.name] == [covers, len(kept), walk_ins]


def check_headline(places, first, last):
    params = InsightParams(restaurants=places, first=first, last=last, shift=364)
    kept = [
        one
        for place in places
        for one in bookings_of(place, first, last)
        if one.status == "RECORDED"
    ]
    covers = sum(one.party_size or 0 for one in kept)
    assert QUESTIONS["fullness"].answer(params).number.replace(",", "") == str(covers)


def check_absence(places, first, last):
    found = {row[0]: row for row in table_of("absence", places, first, last).rows}
    for place in places:
        by_status = defaultdict(list)
        for one in bookings_of(place, first, last):
            by_status[one.status].append(one)
        people = sum(one.party_size or 0 for one in by_status["NO_SHOW"])
        numbers = [len(by_status["NO_SHOW"]), people, len(by_status["CANCELED"])]
        assert list(found[place.name][2:5]) == numbers


def check_spend(places, first, last):
    found = {(row[0], row[1]): row[2:] for row in table_of("spend", places, first, last).rows}
    expected: dict[Any, list[Any]] = {}
    for place in places:
        for currency in ("EUR", "USD"):
            bills = [
                one
                for one in bookings_of(place, first, last)
                if one.status == "RECORDED" and one.bill_amount is not None
                and one.bill_currency == currency
            ]  # fmt: skip
            sized = [one for one in bills if one.party_size]
            total = sum((one.bill_amount for one in bills), Decimal())
            covers = sum(one.party_size for one in sized)
            if bills:
                spent = sum((one.bill_amount for one in sized), Decimal())
                mean = cents(spent / covers) if covers else None
                expected[place.name, currency] = [mean, total, len(bills)]
    assert {
        key: [None if mean is None else cents(mean), total, bills]
        for key, (mean, total, bills) in found.items()
    } == expected


def check_channels(places, first, last):
    rows = table_of("channels", places, first, last).rows
    kept = [
        one
        for place in places
        for one in bookings_of(place, first, last)
        if one.status == "RECORDED"
    ]
    numbers = Counter(one.reservation_channel for one in kept)
    assert sorted(row[2] for row in rows if row[2]) == sorted(numbers.values())


def check_lead(places, first, last):
    found = {row[0]: row[1] for row in table_of("lead", places, first, last).rows}
    for place in places:
        zone = ZoneInfo(place.timezone)
        days = [
            max((local_day(place, one.meal_at) - one.created_at.astimezone(zone).date()).days, 0)
            for one in bookings_of(place, first, last)
            if one.status == "RECORDED" and one.created_at and one.reservation_channel != "Walk-in"
        ]
        mean = Decimal(sum(days)) / len(days) if days else None
        assert found.get(place.name) == mean


def check_ratings(places, first, last):
    found = {row[0]: row[1:3] for row in table_of("ratings", places, first, last).rows}
    for place in places:
        every = Review.objects.filter(restaurant=place)
        rated = [one for one in every if first <= local_day(place, one.meal_at) <= last]
        ratings = [one.global_rating for one in rated if one.global_rating is not None]
        mean = sum(ratings, Decimal()) / len(ratings) if ratings else None
        assert found.get(place.name) == ([mean, len(rated)] if rated else None)


def check_campaigns(places, first, last):
    found = {
        (*row[:3], row[8]): row[3:8] for row in table_of("campaigns", places, first, last).rows
    }
    expected: dict[Any, list[Any]] = {}
    for place in places:
        for one in bookings_of(place, first, last):
            if not one.utm or one.status not in ("RECORDED", "NO_SHOW", "CANCELED"):
                continue
            is_kept = one.status == "RECORDED"
            is_billed = is_kept and one.bill_amount is not None
            words = (one.utm.get(f"utm_{name}", "") for name in ("source", "medium", "campaign"))
            counts = expected.setdefault(
                (*words, one.bill_currency if is_billed else ""), [0, 0, 0, 0, None]
            )
            counts[0] += is_kept
            counts[1] += (one.party_size or 0) if is_kept else 0
            counts[2] += not is_kept
            counts[3] += is_billed
            if is_billed:
                counts[4] = (counts[4] or Decimal()) + one.bill_amount
    assert {key: row for key, row in found.items() if any(row[:4])} == expected
