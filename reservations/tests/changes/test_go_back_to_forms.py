"""A form that was sent before: a double click is one change, and an undone one is not forgotten."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine

from outbox.models import Intent
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
TIME = "2026-01-17T20:00:00+01:00"
UNDONE_BEFORE = "This form was sent before and undone. Nothing was sent now"


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def row(quay):
    return make_reservation(quay, meal_date_text=TIME)


def cancel(user, row, key):
    address = f"/reservations/{row.uuid}/cancel/"
    return sign_in(user).post(address, {"key": key}, follow=True).content.decode()


def test_it_works(bob, row):
    key = uuid4()
    cancel(bob, row, key)
    sign_in(bob).post(f"/reservations/changes/{key}/undo/")

    assert UNDONE_BEFORE in cancel(bob, row, key)
    assert Intent.objects.get().state == Intent.State.WITHDRAWN


def test_a_double_click_gets_no_warning(bob, row):
    key = uuid4()
    cancel(bob, row, key)

    assert UNDONE_BEFORE not in cancel(bob, row, key)
    assert Intent.objects.get().state == Intent.State.HELD
