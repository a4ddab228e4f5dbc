"""A booking that somebody else moved to another day meanwhile: the refusal names that day."""

from datetime import date
from uuid import uuid4

import pytest
import time_machine

from reservations.changes.forms import pack_snapshot
from reservations.testing import make_reservation
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
EVENING = "2026-12-05T20:00:00+01:00"
LATER = "2026-12-05T20:30:00+01:00"


@time_machine.travel("2026-12-05T12:00:00Z", tick=False)
def test_it_works(bob, quay):
    row = make_reservation(quay, meal_date_text=EVENING, service_day=date(2026, 12, 5))
    form = {"key": uuid4(), "seen": pack_snapshot(row), "slot": LATER, "size": 4}
    row.service_day, row.meal_date_text = date(2026, 12, 6), EVENING.replace("-05T", "-06T")
    row.save()
    page = sign_in(bob).post(f"/reservations/{row.uuid}/change/", form).content.decode()

    assert "it is now Sun 6 Dec, " in page
