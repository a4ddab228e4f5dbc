"""The columns and filters that bookings add to the guest list."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.testing import make_customer
from reservations.guest_panels.list_columns import measure_returning_guests
from reservations.models import ReturningGuest
from reservations.testing import DINNER, make_reservation, make_visit
from restaurants.testing import sign_in


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def cells(user, guest, **address):
    answer = sign_in(user).get("/customers/", address)
    rows = answer.context["guests"].rows
    return {column.key: value for row in rows for column, value in row.cells if row.guest == guest}


def test_it_works(bob, quay, guest):
    make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
    make_visit(quay, guest, days=2, status="NO_SHOW")
    shown = cells(bob, guest)

    assert shown["visits"] == 1
    assert shown["no-shows"] == 1
    assert shown["last"] == "16 Jan 2026"
    assert shown["spend"] == "90.00 EUR"


def test_what_bookings_know_takes_the_right_to_see_them(bob, quay, guest, without_right):
    make_visit(quay, guest, days=1)
    without_right("reservations.view_reservation")

    assert cells(bob, guest).keys() & {"visits", "no-shows", "last", "spend"} == set()
    assert "visits" not in cells(bob, guest, columns="visits")


def test_bills_follow_the_reach(bob, quay, loft, guest):
    make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
    make_visit(loft, guest, days=2, bill_amount=Decimal(400), bill_currency="EUR")
    shown = cells(bob, guest)

    assert (shown["visits"], shown["spend"]) == (2, "90.00 EUR")


def test_a_bill_that_names_no_currency_is_in_no_mean(bob, quay, guest):
    make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
    make_visit(quay, guest, days=2, bill_amount=Decimal(9000), bill_currency="")

    assert cells(bob, guest)["spend"] == "90.00 EUR"


def test_who_arrives_today(bob, quay, loft, harbour, guest):
    make_reservation(quay, customer=guest)
    make_reservation(loft, customer=make_customer(harbour, last_name="OtherRestaurants"))
    make_reservation(
        quay, customer=make_customer(harbour, last_name="Cancelled"), status="CANCELED"
    )
    answer = sign_in(bob).get("/customers/", {"show": "arriving"})

    assert [row.guest for row in answer.context["guests"].rows] == [guest]


def test_who_stays_away(bob, quay, harbour, guest):
    often = make_customer(harbour, last_name="Still coming")
    for days in (200, 300, 400):
        make_visit(quay, guest, days=days)
        make_visit(quay, often, days=days - 190)
    measure_returning_guests(now=DINNER)
    answer = sign_in(bob).get("/customers/", {"show": "lapsed"})

    assert [row.guest for row in answer.context["guests"].rows] == [guest]


def test_who_has_booked_again_does_not_stay_away(bob, quay, guest):
    for days in (200, 300, 400):
        make_visit(quay, guest, days=days)
    make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=14))
    measure_returning_guests(now=DINNER)
    answer = sign_in(bob).get("/customers/", {"show": "lapsed"})

    assert answer.context["guests"].rows == []
    assert ReturningGuest.objects.get().visits == 3


def test_measuring_twice_changes_nothing(quay, guest):
    for days in (200, 300, 400):
        make_visit(quay, guest, days=days)

    assert measure_returning_guests(now=DINNER) == measure_returning_guests(now=DINNER) == 1
    assert ReturningGuest.objects.get().visits == 3


def test_a_late_party_is_no_visit_yet(quay, guest):
    for days in (200, 300):
        make_visit(quay, guest, days=days)
    make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(minutes=20))

    assert measure_returning_guests(now=DINNER) == 0


def test_who_turns_out_not_to_have_come_is_no_returning_guest(bob, quay, guest):
    visits = [make_visit(quay, guest, days=days) for days in (200, 300, 400)]
    measure_returning_guests(now=DINNER)
    visits[0].status = "NO_SHOW"
    visits[0].save()
    measure_returning_guests(now=DINNER)

    assert not ReturningGuest.objects.exists()
    answer = sign_in(bob).get("/customers/", {"show": "lapsed"})
    assert answer.context["guests"].rows == []


def test_the_queries_of_a_page_do_not_grow_with_its_guests(bob, quay, harbour):
    client = sign_in(bob)

    def queries(*, guests):
        for number in range(guests):
            guest = make_customer(harbour)
            make_reservation(quay, customer=guest)
            make_visit(quay, guest, days=number + 1, bill_amount=Decimal(90), bill_currency="EUR")
        with CaptureQueriesContext(connection) as captured:
            client.get("/customers/")
        return len(captured)

    queries(guests=2)  # what a process keeps for a while is read for the first page
    few = queries(guests=2)

    assert queries(guests=46) == few
