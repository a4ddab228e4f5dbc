"""Below the pulse of a few restaurants stands who calls for somebody, and who comes next."""

from datetime import timedelta

import pytest
import time_machine

from customers.testing import make_customer
from reservations.day_board.pages.next_up import FEW, MOST
from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant, sign_in

DAY = "2026-01-17"
NOW = DINNER + timedelta(minutes=20)
LATER = DINNER + timedelta(hours=2)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening(quay):
    ArrivalTracking.objects.create(restaurant=quay, bookings=10, marked=10, measured_at=NOW)
    with time_machine.travel(NOW, tick=False):
        yield


def places(user, day=DAY):
    page = sign_in(user).get("/", {"zoom": "pulse", "day": day})
    return {one.name: one for one in page.context["pulse"].next_up}


def sections(user, name="Quay"):
    return {one.key: one for one in places(user)[name].sections}


def test_it_works(bob, quay, harbour):
    late = make_reservation(quay)
    request = make_reservation(quay, status="REQUESTED", meal_at=LATER)
    soon = make_reservation(quay, meal_at=NOW + timedelta(minutes=5))
    make_reservation(quay, meal_status="SEATED")
    make_reservation(quay, status="CANCELED", meal_at=LATER)
    found = sections(bob)

    assert list(found) == ["late", "requests", "next"]
    for key, row in (("late", late), ("requests", request), ("next", soon)):
        assert found[key].number == 1
        assert f"/reservations/{row.uuid}/" in found[key].html


def test_each_restaurant_has_its_own_part(alice, quay, loft):
    make_reservation(quay, meal_at=LATER)
    found = places(alice)

    assert list(found) == ["Quay", "Loft"]
    assert (found["Loft"].sections, len(found["Quay"].sections)) == ([], 1)


def test_of_those_who_come_later_it_names_whom_to_know(bob, quay, harbour):
    for _number in range(MOST):
        make_reservation(quay, meal_at=NOW + timedelta(minutes=30))
    make_reservation(quay, meal_at=LATER)
    nuts = make_reservation(quay, meal_at=LATER, customer_note="Allergic to nuts")
    vip = make_reservation(quay, meal_at=LATER, customer=make_customer(harbour, is_vip=True))
    large = make_reservation(quay, meal_at=LATER, party_size=9)
    found = sections(bob)

    assert (len(found), found["ahead"].number) == (2, 3)
    assert all(f"/{row.uuid}/" in found["ahead"].html for row in (nuts, vip, large))


def test_a_long_section_leads_to_the_list(bob, quay):
    for _number in range(MOST + 2):
        make_reservation(quay)
    late = sections(bob)["late"]

    assert (late.number, late.more) == (MOST + 2, 2)
    assert late.url.endswith(f"scope={quay.uuid}&show=late")
    assert "zoom=list" in late.url


def test_a_row_follows_its_booking(bob, quay):
    row = make_reservation(quay)
    card = sign_in(bob).get(f"/reservations/{row.uuid}/card/", {"day": DAY, "zoom": "next"})

    assert "late 20 minutes" in card.content.decode()
    assert f'data-live="reservation:{row.uuid}"' in card.content.decode()


def test_allergies_need_the_right_to_see_them(bob, quay, without_right):
    without_right("customers.view_health")
    for _number in range(MOST + 1):
        make_reservation(quay, meal_at=LATER, customer_note="Allergic to nuts")

    assert list(sections(bob)) == ["next"]


def test_a_past_day_has_nobody_to_come(bob, quay):
    make_reservation(quay, meal_at=DINNER - timedelta(days=1))

    assert places(bob, day="2026-01-16") == {}


def test_of_many_restaurants_no_booking_is_shown(alice, quay, harbour):
    make_reservation(quay)
    for number in range(FEW):
        make_restaurant(harbour, f"Mill {number}")

    assert places(alice) == {}


def test_restaurants_that_need_somebody_stand_first_and_empty_ones_last(alice, harbour, quay, loft):
    attic, annex = make_restaurant(harbour, "Attic"), make_restaurant(harbour, "Annex")
    make_reservation(attic, meal_at=NOW + timedelta(minutes=5))
    make_reservation(annex, meal_status="LEFT")
    make_reservation(loft, status="REQUESTED", meal_at=LATER)
    make_reservation(quay)

    assert list(places(alice)) == ["Quay", "Loft", "Attic", "Annex"]
