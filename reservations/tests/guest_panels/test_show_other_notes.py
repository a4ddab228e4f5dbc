"""An allergy that was written into another booking of the guest is a question on both pages."""

from datetime import timedelta

import pytest

from customers.allergies.mentions import findings_in
from customers.note_decisions.deciding import DecisionSubject, decide
from customers.note_decisions.decisions import digest_in
from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.time_machine(DINNER - timedelta(hours=2), tick=False),
]
ASKS = "In other bookings, ask the guest:"
NUTS = "Allergic to nuts, by the way"


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


@pytest.fixture
def tonight(quay, guest):
    return make_reservation(quay, customer=guest)


@pytest.fixture
def last_month(quay, guest):
    return make_reservation(
        quay, customer=guest, meal_at=DINNER - timedelta(days=30), customer_note=NUTS
    )


def page_of(user, row):
    return sign_in(user).get(row.get_absolute_url()).text


def decide_about(row, guest, outcome, *, user):
    """That the note about nuts is confirmed or dismissed, for a booking or for the guest."""
    subject = DecisionSubject(row.pk, guest.group, is_of_guest=row == guest)
    [finding] = findings_in(NUTS)
    decide(subject, digest_in(NUTS, finding), outcome, user=user)


def test_it_works(bob, tonight, last_month):
    page = page_of(bob, tonight)

    assert ASKS in page
    assert "<b>Nuts</b>" in page
    assert last_month.get_absolute_url() in page


def test_the_page_of_the_guest_has_it_too(bob, guest, last_month):
    page = page_of(bob, guest)

    assert "In bookings, ask the guest:" in page, "tonight's is among them"
    assert "<b>Nuts</b>" in page


def test_what_the_booking_or_the_guest_says_is_not_repeated(bob, quay, harbour, last_month):
    again = make_reservation(quay, customer=last_month.customer, customer_note="nut allergy")
    tagged = make_customer(harbour, allergies_and_intolerances=["nuts"])
    make_reservation(quay, customer=tagged, meal_at=last_month.meal_at, customer_note=NUTS)
    other = make_reservation(quay, customer=tagged)

    assert ASKS not in page_of(bob, again)
    assert ASKS not in page_of(bob, other)


def test_it_stands_once_for_several_bookings(bob, quay, guest, tonight, last_month):
    make_reservation(
        quay,
        customer=guest,
        meal_at=DINNER - timedelta(days=60),
        restaurant_note="no nuts, allergy",
    )

    assert page_of(bob, tonight).count("<b>Nuts</b>") == 1


def test_a_hint_of_another_booking_is_none(bob, quay, guest, tonight):
    before = DINNER - timedelta(days=30)
    make_reservation(quay, customer=guest, meal_at=before, customer_note="no onions please")

    assert ASKS not in page_of(bob, tonight)


def test_a_later_booking_says_nothing_of_an_earlier_one(bob, tonight, last_month):
    assert ASKS not in page_of(bob, last_month)


def test_notes_of_other_guests_do_not_count(bob, quay, harbour, tonight):
    make_reservation(
        quay,
        customer=make_customer(harbour),
        meal_at=DINNER - timedelta(days=30),
        customer_note=NUTS,
    )

    assert ASKS not in page_of(bob, tonight)


@pytest.mark.parametrize("is_of_guest", [False, True])
def test_a_dismissed_reading_is_gone_here_too(bob, guest, tonight, last_month, is_of_guest):
    decide_about(guest if is_of_guest else last_month, guest, "d", user=bob)

    assert ASKS not in page_of(bob, tonight)


def test_a_reading_dismissed_in_one_booking_stands_in_another(bob, quay, guest, last_month):
    before = make_reservation(
        quay, customer=guest, meal_at=DINNER - timedelta(days=60), customer_note=NUTS
    )
    decide_about(last_month, guest, "d", user=bob)

    assert before.get_absolute_url() in page_of(bob, guest)


def test_the_booking_s_own_decision_comes_before_the_guest_s(bob, guest, tonight, last_month):
    decide_about(last_month, guest, "c", user=bob)
    decide_about(guest, guest, "d", user=bob)

    assert ASKS in page_of(bob, tonight)


def test_it_takes_the_right_to_health_data(bob, tonight, last_month, without_right):
    without_right("customers.view_health")

    assert ASKS not in page_of(bob, tonight)


def test_a_restaurant_out_of_reach_tells_nothing(bob, loft, guest, tonight):
    make_reservation(loft, customer=guest, meal_at=DINNER - timedelta(days=30), customer_note=NUTS)

    assert ASKS not in page_of(bob, tonight)
