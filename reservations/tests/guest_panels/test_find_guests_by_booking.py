"""What bookings add to the quick search: who comes next stands first, with time and place."""

from datetime import timedelta

import pytest
import time_machine

from customers.models import Customer
from customers.testing import make_customer, new_customer
from mirror.models import Mirrored
from reservations.guest_panels import next_bookings
from reservations.testing import DINNER, make_reservation, make_visit
from restaurants.testing import sign_in


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def ask(user, text):
    headers = {"HX-Request": "true"}
    return sign_in(user).get("/customers/find/", {"q": text}, headers=headers)


def find(user, text):
    return ask(user, text).text


def order(user, text):
    return [found.guest for found in ask(user, text).context["search"].lines]


def booked(user, text):
    lines = ask(user, text).context["search"].lines
    return [booking.words for found in lines for booking in found.bookings]


def test_it_works(bob, quay, guest):
    booking = make_reservation(quay, customer=guest)

    assert booking.get_absolute_url() in find(bob, "rossi")
    assert booking.get_absolute_url() in find(bob, str(booking.uuid))


def test_it_hides_other_groups(charlie, quay, guest):
    booking = make_reservation(quay, customer=guest)

    assert booking.get_absolute_url() not in find(charlie, str(booking.uuid))


def test_what_is_gone_is_not_found(bob, quay, guest):
    booking = make_reservation(quay, customer=guest, presence=Mirrored.Presence.GONE)

    assert booking.get_absolute_url() not in find(bob, "rossi")


def test_it_says_when_and_where_the_next_booking_is(bob, quay, guest):
    make_reservation(quay, customer=guest, party_size=5)
    later = {"meal_at": DINNER + timedelta(days=8), "status": "REQUESTED"}
    make_reservation(quay, customer=guest, **later)

    assert booked(bob, "rossi") == [
        "today, 20:00 · Quay · 5 people",
        "Sun 25 Jan, 20:00 · Quay · 2 people · Requested",
    ]


def test_a_guest_of_today_who_is_late_is_still_shown(bob, quay, guest):
    make_visit(quay, guest, days=1)
    make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(hours=6))

    assert booked(bob, "rossi") == ["today, 14:00 · Quay · 2 people"]


def test_it_names_no_restaurant_beyond_reach(bob, loft, guest):
    make_reservation(loft, customer=guest)

    assert booked(bob, "rossi") == []


def test_who_ended_is_not_expected(bob, quay, guest):
    make_reservation(quay, customer=guest, status="CANCELED")

    assert booked(bob, "rossi") == []


@pytest.mark.parametrize("text", ["5678", "rossi"])
def test_guests_with_a_booking_come_first(bob, quay, harbour, text):
    ends = make_customer(harbour, first_name="Al", phone="+33199005678")
    holds = make_customer(harbour, first_name="Bo", phone="+33199567811")
    tonight = make_customer(harbour, first_name="Cy", phone="+33199567822")
    make_reservation(quay, customer=tonight)

    assert order(bob, text) == [tonight, ends, holds]
    assert [
        row.guest for row in sign_in(bob).get("/customers/", {"q": text}).context["guests"].rows
    ] == [tonight, ends, holds]


@pytest.mark.parametrize("text", ["5678", "rossi"])
def test_of_equal_matches_who_comes_sooner_is_first(bob, quay, harbour, text):
    guests = [
        make_customer(harbour, first_name=name, phone="+33199005678") for name in ("Al", "Bo")
    ]
    for guest, days in zip(guests, (8, 0), strict=True):
        make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=days))

    assert order(bob, text) == guests[::-1]


@pytest.mark.parametrize("text", ["ma", "martin", "5678"])
def test_who_is_expected_today_is_found_under_the_commonest_name(bob, quay, harbour, text):
    next_bookings.read_expected.cache_clear()
    many = {"last_name": "Martin", "phone": "+33199005678"}
    Customer.objects.bulk_create(new_customer(harbour, **many) for _number in range(130))
    tonight = make_customer(harbour, first_name="Zoé", **many)
    make_reservation(quay, customer=tonight)

    assert order(bob, text)[0] == tonight
