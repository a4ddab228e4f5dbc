"""The rows of the pulse are drawn once for the same numbers, and never shown for others."""

from datetime import timedelta

import pytest
import time_machine

from customers.note_decisions.deciding import DecisionSubject, decide
from customers.note_decisions.decisions import digest_of
from customers.testing import make_customer
from reservations.models import ArrivalTracking, Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=14)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def row(quay, harbour):
    ArrivalTracking.objects.create(restaurant=quay, bookings=100, marked=90, measured_at=NOW)
    guest = make_customer(harbour, is_vip=True, allergies_and_intolerances=["nuts"])
    return make_reservation(quay, customer=guest, party_size=4)


@pytest.fixture
def look(alice, row):
    """The row of the Quay, and what stands in it, as Alice sees it."""

    def quay(user=alice, name="Quay", **address):
        page = sign_in(user).get("/", {"zoom": "pulse", "day": "2026-01-17"} | address)
        found = {one.name: one for one in page.context["pulse"].rows}[name]
        assert f"<b>{found.covers}</b>" in page.content.decode()
        return found

    return quay


def test_it_works(look):
    quay = look()

    assert (quay.covers, quay.bookings, quay.late, quay.vips, quay.allergies) == (4, 1, 0, 1, 1)
    assert [cell[:3] for cell in quay.cells] == [(20 * 60, 4, 5)]


def test_covers_change_with_the_booking(look, row):
    look()
    Reservation.objects.filter(pk=row.pk).update(party_size=9)

    assert look().covers == 9


def test_a_cancelled_booking_takes_no_seats(look, row):
    look()
    Reservation.objects.filter(pk=row.pk).update(status="CANCELED")

    assert (look().covers, look().bookings, look().cells) == (0, 0, ())


def test_somebody_becomes_late_by_the_clock_alone(look, clock):
    assert look().late == 0

    clock.shift(timedelta(minutes=2))
    assert look().late == 1


def test_requests_are_counted_apart(look, row):
    look()
    Reservation.objects.filter(pk=row.pk).update(status="REQUESTED")

    assert (look().requests, look().covers) == (1, 0)


def test_who_sits_is_in_house_and_who_left_is_not(look, row):
    Reservation.objects.filter(pk=row.pk).update(meal_status="SEATED")
    assert look().in_house == 4

    Reservation.objects.filter(pk=row.pk).update(meal_status="LEFT")
    assert (look().in_house, look().covers) == (0, 4)


def test_the_marks_of_guests_change_without_their_bookings(look, row):
    look()
    type(row.customer).objects.filter(pk=row.customer_id).update(is_vip=False, has_allergies=False)

    assert (look().vips, look().allergies) == (0, 0)


def test_allergies_are_counted_for_those_who_may_see_them(look, without_right):
    assert look().allergies == 1
    without_right("customers.view_health")

    assert look().allergies == 0


def test_a_renamed_restaurant_has_its_new_name(look, quay):
    look()
    Restaurant.objects.filter(pk=quay.pk).update(name="Pier", colour="#00ff00")

    assert look(name="Pier").colour == "#00ff00"


def test_the_numbers_are_those_of_the_bookings_one_by_one(look, alice, quay, loft, harbour):
    """The pulse lets the database add up; the list adds up what it has read."""
    for number, status in enumerate(["RECORDED", "REQUESTED", "CANCELED", "NO_SHOW", "NEW"] * 3):
        place = (quay, loft)[number % 2]
        at = DINNER + timedelta(minutes=20 * number - 150)
        size = (None, 1, 3, 5, 8, 60)[number % 6]
        came = ("", "SEATED", "LEFT")[number % 3] if status == "RECORDED" else ""
        make_reservation(place, meal_at=at, party_size=size, status=status, meal_status=came)
    client = sign_in(alice)
    pulse, listed = (
        client.get("/", {"zoom": zoom, "day": "2026-01-17"}).context["evening"]
        for zoom in ("pulse", "list")
    )

    assert pulse.tiles == listed.tiles
    assert [(s.minutes, s.bookings, s.covers) for s in pulse.slots] == [
        (s.minutes, s.bookings, s.covers) for s in listed.slots
    ]


class TestNotes:
    """Allergies that stand in notes only, in columns of their own."""

    def test_the_three_certainties_are_never_added_up(self, look, row, quay, harbour):
        Reservation.objects.filter(pk=row.pk).update(customer_note="Coeliac")
        make_reservation(quay, restaurant_note="no onions please")
        make_reservation(quay, customer=make_customer(harbour, notes="Allergic to fish"))
        found = look()

        assert (found.allergies, found.noted, found.maybe) == (1, 2, 1)

    def test_they_are_shown_to_those_who_may_see_them(self, look, row, without_right):
        Reservation.objects.filter(pk=row.pk).update(customer_note="Coeliac")
        assert look().noted == 1

        without_right("customers.view_health")
        assert look().noted == 0

    def test_a_cancelled_booking_counts_no_more(self, look, row):
        Reservation.objects.filter(pk=row.pk).update(customer_note="Coeliac", status="CANCELED")

        assert look().noted == 0

    def test_what_was_dismissed_counts_no_more(self, look, row, bob, harbour):
        Reservation.objects.filter(pk=row.pk).update(customer_note="Coeliac")
        digest = digest_of("Coeliac", "gluten", "stated", False)
        decide(DecisionSubject(row.pk, harbour, is_of_guest=False), digest, "d", user=bob)

        assert look().noted == 0
