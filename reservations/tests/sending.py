"""Intents about reservations, the service that they are sent to, and the workers' part."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from outbox import engine
from partner.testing import FakeTransport, recorded, speak_through
from reservations import actions
from reservations.actions import booking

OTHER = "0b7c2a2e-5f0c-4b53-8b7e-3d1f9a6c2f40"  # some other booking or restaurant
NEW = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
QUAY = "11111111-0000-4000-8000-000000000011"
TIME = "2099-12-04T20:15:00+01:00"
GUEST = {
    "email": "jo.martin@example.com",
    "first_name": "Jo",
    "last_name": "Martin",
    "locale": "fr_FR",
    "civility": "mx",
    "phone": "+33199001234",
}


@pytest.fixture
def api(db):
    transport = FakeTransport()
    speak_through(transport)
    return transport


@pytest.fixture
def submit(quay, bob):
    def submit(action, *, uuid=None, kind="reservation", hold=timedelta(0), **payload):
        return engine.submit(
            action,
            key=uuid4(),
            kind=kind,
            uuid=uuid,
            restaurant=quay,
            payload=payload,
            actor=bob,
            hold=hold,
        )

    return submit


def book(submit, **changes):
    known = {"meal_date": TIME, "party_size": 4, "customer": GUEST}
    return submit(actions.CREATE, **known | changes)


def work(*, after=0):
    engine.work(now=timezone.now() + timedelta(seconds=1 + after))


def work_until_settled():
    for seconds in (0, 20, 120, 300):
        work(after=seconds)


def after(intent):
    intent.refresh_from_db()
    return intent


def page_of(*uuids):
    return (
        200,
        {"data": [str(u) for u in uuids], "totalCount": len(uuids), "page": 1, "limit": 10_000},
    )


def reservation(**changes):
    now = datetime.now(UTC).isoformat()
    known = {
        "reservationUuid": str(NEW),
        "mealDate": TIME,
        "partySize": 4,
        "restaurantNote": None,
        "reservationChannel": booking.CHANNEL,
        "createdAt": now,
        "updatedAt": now,
        "status": "RECORDED",
    }
    return (200, recorded("get_reservation") | known | changes)


def booked(**changes):
    """The answer to the creation of `book`."""
    here = {"restaurantUuid": QUAY, "mealDate": TIME}
    return recorded("create_reservation") | here | changes
