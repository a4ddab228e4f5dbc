"""A full evening travels in few bytes: behind the bar the signal is weak."""

import gc
from datetime import timedelta

import pytest
import time_machine

from customers.models import Customer
from customers.testing import new_customer
from reservations.models import Reservation
from reservations.testing import DINNER, new_reservation
from restaurants.testing import sign_in

CARDS = 300
MOST_BYTES = 60_000
FIRST = ("Anna", "Björn", "Chloé", "Đức", "Émilie", "Farid", "Greta", "Hugo", "Inés", "João")
LAST = ("Rossi", "Le Guen", "Wiśniewska", "Brückner", "Okafor", "d'Aubigny", "Nguyễn", "Sørensen")
NOTES = ("", "Window table, please", "Birthday", "Two high chairs", "Arriving from the theatre")


@pytest.fixture
def full_evening(harbour, quay):
    """Nobody quite like another, so that the page does not pack better than in life."""
    guests = [
        new_customer(
            harbour,
            first_name=FIRST[n % 10],
            last_name=f"{LAST[n % 8]}-{n}",
            allergies_and_intolerances=["nuts"] if n % 9 == 0 else [],
            is_vip=n % 11 == 0,
        )
        for n in range(CARDS)
    ]
    Customer.objects.bulk_create(guests)
    Reservation.objects.bulk_create(
        new_reservation(
            quay,
            customer=guest,
            meal_at=DINNER + timedelta(minutes=15 * (n % 20) - 120),
            party_size=1 + n % 8,
            customer_note=NOTES[n % 5],
        )
        for n, guest in enumerate(guests)
    )


@pytest.mark.parametrize("zoom", ["arrivals", "list"])
def test_it_works(full_evening, bob, zoom):
    with time_machine.travel(DINNER, tick=False):
        packed = sign_in(bob).get(
            "/", {"zoom": zoom, "whole": 1}, headers={"Accept-Encoding": "gzip"}
        )

    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.context["board"].picked) == CARDS
    assert len(packed.content) <= MOST_BYTES


def test_it_leaves_nothing_behind_that_grows_with_the_evening(full_evening, bob):
    client = sign_in(bob)

    def left_behind(day):
        with time_machine.travel(DINNER, tick=False):
            page = client.get(f"/?zoom=list&whole=1&day={day:%Y-%m-%d}")
        del page.context  # the client of the tests keeps what was drawn
        return gc.collect()

    left_behind(DINNER)  # what is learnt once
    # The least of three: a thread that another test has left behind leaves something, too.
    full = min(left_behind(DINNER) for _ in range(3))

    assert full < left_behind(DINNER + timedelta(7)) + CARDS
