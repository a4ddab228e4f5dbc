"""Who arrives next, above the guest list while nothing narrows it."""

from datetime import timedelta

import pytest
import time_machine

from customers.models import Customer
from customers.testing import make_customer
from reservations.guest_panels.next_bookings import ARRIVING
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant, sign_in

BY_CLOCK = "Each hour is by the restaurant’s own clock."


@pytest.fixture(autouse=True)
def _at_dinner():
    with time_machine.travel(DINNER, tick=False):
        yield


@pytest.fixture
def comes(harbour, quay):
    """Book a guest of that name so many minutes from now."""

    def book(name, *, minutes, restaurant=quay, guest=None, **fields):
        guest = guest or make_customer(harbour, last_name=name)
        at = DINNER + timedelta(minutes=minutes)
        return make_reservation(restaurant, customer=guest, meal_at=at, **fields)

    return book


def look(user, **address):
    return sign_in(user).get("/customers/", address)


def section(answer):
    return answer.text.split("Next arrivals")[1].split("</section>")[0]


def names(answer):
    return [one.guest.last_name for one in answer.context["search"].arriving]


def test_it_works(bob, comes):
    comes("Later", minutes=90, party_size=4)
    comes("Soon", minutes=5, party_size=2)
    answer = look(bob)

    assert names(answer) == ["Soon", "Later"]
    assert answer.text.index("Next arrivals") < answer.text.index("Soon")
    assert "today, 20:05 · Quay · 2 people" in answer.text


def test_the_late_stand_first_for_half_an_hour(bob, comes):
    comes("Soon", minutes=5)
    comes("Late", minutes=-25)
    comes("Lost", minutes=-31)

    assert names(look(bob)) == ["Late", "Soon"]


@pytest.mark.parametrize(
    "fields", [{"meal_status": "SEATED"}, {"status": "CANCELED"}, {"status": "NO_SHOW"}]
)
def test_nobody_else_is_awaited(bob, comes, fields):
    comes("Rossi", minutes=5, **fields)
    answer = look(bob)

    assert names(answer) == []
    assert "Next arrivals" not in answer.text


def test_a_guest_stands_once_and_few_are_shown(bob, comes, harbour):
    twice = make_customer(harbour, last_name="Twice")
    for minutes in range(6):
        comes("", minutes=minutes, guest=twice)
    for number in range(9):
        comes(f"Guest {number}", minutes=10 + number)

    assert names(look(bob)) == ["Twice", *(f"Guest {number}" for number in range(ARRIVING - 1))]


def test_the_booking_is_the_one_that_is_due(bob, comes, harbour):
    guest = make_customer(harbour)
    comes("", minutes=-7 * 60, guest=guest, meal_status="LEFT")
    comes("", minutes=30, guest=guest)

    assert "today, 20:30" in section(look(bob))


def test_the_gone_take_no_place(bob, comes, harbour):
    for _number in range(ARRIVING):
        gone = make_customer(harbour, presence=Customer.Presence.GONE)
        comes("", minutes=5, guest=gone)
    comes("Rossi", minutes=20)

    assert names(look(bob)) == ["Rossi"]


def test_hours_of_several_clocks_are_explained(alice, comes, harbour):
    """21:10 in Athens comes before 20:20 in Paris."""
    athens = make_restaurant(harbour, timezone="Europe/Athens")
    comes("Here", minutes=20)
    assert BY_CLOCK not in section(look(alice))

    comes("There", minutes=10, restaurant=athens)
    shown = look(alice)

    assert names(shown) == ["There", "Here"]
    assert BY_CLOCK in section(shown)


def test_hours_in_their_order_need_no_explanation(alice, comes, harbour):
    comes("There", minutes=10, restaurant=make_restaurant(harbour, timezone="Europe/London"))
    comes("Here", minutes=20)

    assert BY_CLOCK not in section(look(alice))


class TestReach:
    def test_the_scope_holds(self, alice, comes, quay, loft):
        comes("Elsewhere", minutes=5, restaurant=loft)
        comes("Here", minutes=10)

        assert names(look(alice, scope=str(quay.uuid))) == ["Here"]

    def test_a_booking_elsewhere_is_not_named(self, alice, comes, quay, loft, harbour):
        guest = make_customer(harbour)
        comes("", minutes=5, guest=guest, restaurant=loft)
        comes("", minutes=60, guest=guest)

        assert "Loft" not in section(look(alice, scope=str(quay.uuid)))

    def test_other_restaurants_are_not_named(self, bob, comes, loft):
        comes("Elsewhere", minutes=5, restaurant=loft)

        assert names(look(bob)) == []

    def test_it_takes_the_right_to_see_bookings(self, bob, comes, without_right):
        without_right("reservations.view_reservation")
        comes("Rossi", minutes=5)

        assert names(look(bob)) == []

    def test_allergies_take_the_right_to_see_them(self, bob, comes, harbour, without_right):
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
        comes("", minutes=5, guest=guest)
        assert "Allerg" in section(look(bob))

        without_right("customers.view_health")
        assert "Allerg" not in section(look(bob))


@pytest.mark.parametrize("address", [{"q": "Rossi"}, {"show": "vip"}, {"page": "2"}])
def test_a_search_and_the_next_page_stand_alone(bob, comes, harbour, address):
    for number in range(60):
        make_customer(harbour, last_name=f"Bianchi {number:02}")
    comes("Rossi", minutes=5, party_size=2)

    assert "Next arrivals" not in look(bob, **address).text
