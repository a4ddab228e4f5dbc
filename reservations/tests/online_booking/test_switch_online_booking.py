"""Close or open online booking for the slots of a day."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine

from outbox.models import Intent
from partner.models import Token
from partner.testing import connection
from reservations import actions
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

CLOSED = {"day": "2026-01-17", "start": "19:00", "end": "21:30"}


@pytest.fixture(autouse=True)
def _connection(db):
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        connection()
        yield


def look(user, place, **params):
    return sign_in(user).get("/reservations/availability/", {"scope": place.uuid} | params)


def send(user, place, **fields):
    known = CLOSED | {"key": uuid4(), "is_open": "no"}
    return sign_in(user).post(f"/reservations/availability/?scope={place.uuid}", known | fields)


def text_of(response):
    return response.content.decode()


def test_it_works(alice, quay):
    send(alice, quay)

    submit = Intent.objects.get()
    assert (submit.action, submit.uuid) == (actions.OVERRIDE, quay.uuid)
    assert submit.payload == {
        "day": "2026-01-17",
        "start_time": "19:00",
        "end_time": "21:30",
        "is_open": False,
    }


def test_staff_may_not(bob, quay):
    assert look(bob, quay).status_code == 403
    assert send(bob, quay).status_code == 403


def test_restaurants_of_others_are_out_of_reach(charlie, quay):
    send(charlie, quay)

    assert not Intent.objects.filter(restaurant=quay).exists()


def test_the_direction_is_required(alice, quay):
    assert send(alice, quay, is_open="").status_code == 422
    assert not Intent.objects.exists()


def test_bookings_inside_come_first(alice, quay):
    make_reservation(quay, party_size=7)
    make_reservation(quay, party_size=9, meal_at=DINNER + timedelta(hours=3))
    make_reservation(quay, party_size=8, status="CANCELED")
    page = text_of(look(alice, quay, **CLOSED))

    assert "1 booking inside" in page
    assert "20:00 · 7" in page


def test_the_last_time_is_not_before_the_first(alice, quay):
    assert send(alice, quay, start="21:30", end="19:00").status_code == 422


def test_most_of_a_day_is_typed_out(alice, quay):
    assert send(alice, quay, start="12:00", end="21:30").status_code == 422
    assert send(alice, quay, start="12:00", end="21:30", typed="2026-01-17").status_code == 302


def test_what_was_sent_is_listed(alice, quay):
    send(alice, quay)

    assert "Sat 17 Jan 2026, 19:00–21:30" in text_of(look(alice, quay))


class TestWithoutScope:
    @pytest.fixture(autouse=True)
    def _narrow(self, _connection):
        Token.objects.update(scopes="svc-restaurant")

    def test_it_says_what_is_missing(self, alice, quay):
        assert "override-availabilities" in text_of(look(alice, quay))

    def test_nothing_is_sent(self, alice, quay):
        send(alice, quay)

        assert not Intent.objects.exists()
