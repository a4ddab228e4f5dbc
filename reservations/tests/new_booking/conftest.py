"""The service as a new booking asks it."""

from datetime import timedelta

import pytest
import time_machine

from partner.testing import FakeTransport, speak_through
from reservations.testing import DINNER
from reservations.tests.new_booking.steps import MENU, TIME, slot


@pytest.fixture
def before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def api(db):
    transport = FakeTransport(
        list_party_sizes=(200, [2, 4, 9]),
        list_availabilities=(200, [{"date": "2026-01-17", "hasNormalStock": True}]),
        list_timeslots=(200, [slot(TIME), slot("2026-01-17T12:00:00+01:00")]),
        list_offers=(200, [{"uuid": str(MENU), "name": "Tasting menu", "price": 65}]),
    )
    speak_through(transport)
    return transport
