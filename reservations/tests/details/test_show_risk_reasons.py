"""Which bookings are worth a call, and why."""

from datetime import timedelta

import pytest
import time_machine

from customers.testing import make_customer
from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=4)


@pytest.fixture(autouse=True)
def _afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, phone="+33612345678")


@pytest.fixture(autouse=True)
def _wanted(quay):
    quay.group.no_show_hints = True
    quay.group.save()
    ArrivalTracking.objects.create(restaurant=quay, bookings=10, marked=9, measured_at=NOW)


def page_of(user, row):
    return sign_in(user).get(f"/reservations/{row.uuid}/").content.decode()


def missed_once(quay, guest):
    make_reservation(quay, customer=guest, status="NO_SHOW", meal_at=DINNER - timedelta(days=30))


def test_it_works(bob, quay, guest):
    missed_once(quay, guest)
    page = page_of(bob, make_reservation(quay, customer=guest))

    assert "Worth a call" in page
    assert "did not come to 1 earlier booking" in page


def test_one_circumstance_alone_is_no_reason(bob, quay, guest):
    assert "Worth a call" not in page_of(bob, make_reservation(quay, customer=guest, party_size=9))


def test_two_circumstances_are(bob, quay, guest):
    booked = DINNER - timedelta(days=23)
    row = make_reservation(quay, customer=guest, party_size=9, created_at=booked)

    assert "booked 23 days ahead · party of 9" in page_of(bob, row)


def test_it_is_silent_unless_the_group_wants_it(bob, quay, guest):
    quay.group.no_show_hints = False
    quay.group.save()
    missed_once(quay, guest)

    assert "Worth a call" not in page_of(bob, make_reservation(quay, customer=guest))


def test_it_is_silent_where_arrivals_are_not_marked(bob, quay, guest):
    ArrivalTracking.objects.update(marked=0)
    missed_once(quay, guest)

    assert "Worth a call" not in page_of(bob, make_reservation(quay, customer=guest))


@pytest.mark.parametrize(
    "fields",
    [{"status": "CANCELED"}, {"meal_status": "ARRIVED"}, {"meal_at": NOW - timedelta(hours=1)}],
)
def test_it_is_silent_once_there_is_nothing_to_call_about(bob, quay, guest, fields):
    missed_once(quay, guest)

    assert "Worth a call" not in page_of(bob, make_reservation(quay, customer=guest, **fields))


def test_it_never_names_a_percentage(bob, quay, guest):
    missed_once(quay, guest)
    page = page_of(bob, make_reservation(quay, customer=guest))

    assert "%" not in page.split("Worth a call")[1].split("</section>")[0]
