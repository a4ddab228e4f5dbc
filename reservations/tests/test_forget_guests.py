"""What the bookings of an erased guest keep, and what their export holds."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from customers import holdings, privacy
from customers.testing import make_customer
from mirror import queue, store
from mirror.kinds import Hint, Wanted
from mirror.models import Change, Priority
from mirror.store import Outcome
from outbox.models import Intent
from partner import reading, schemas
from reservations.models import Reservation
from reservations.testing import DINNER, make_reservation, make_wish

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


@pytest.fixture
def booking(quay, guest):
    raw = json.dumps({"partySize": 2, "customerNote": "Nuts!", "restaurantNote": "Zoë's table"})
    notes = {"customer_note": "Nuts!", "restaurant_note": "Zoë's table"}
    booking = make_reservation(quay, customer=guest, raw=raw, **notes)
    Change.objects.create(
        kind="reservation",
        uuid=booking.pk,
        version=2,
        seen_at=NOW,
        field="customer_note",
        after="N",
    )
    Change.objects.create(
        kind="reservation", uuid=booking.pk, version=2, seen_at=NOW, field="party_size", after="2"
    )
    return booking


def erase(guest):
    privacy.erase(guest, actor=None, now=NOW)


def test_it_works(guest, booking):
    erase(guest)
    booking.refresh_from_db()

    assert (booking.customer_note, booking.restaurant_note) == ("", "")
    assert "Nuts" not in booking.raw
    assert (booking.party_size, booking.meal_at, booking.status) == (2, DINNER, "RECORDED")
    assert [change.field for change in Change.objects.all()] == ["party_size"]


def test_reading_the_booking_again_brings_no_note_back(quay, guest, booking):
    erase(guest)
    payload = {
        "reservationUuid": str(booking.pk),
        "restaurantUuid": str(quay.uuid),
        "mealDate": "2026-01-17T20:00:00+01:00",
        "partySize": 3,
        "status": "RECORDED",
        "customerUuid": str(guest.pk),
        "customerNote": "Nuts, again!",
    }
    entity, drift = reading.read(schemas.Reservation, payload)
    answer = SimpleNamespace(
        entity=entity, payload=payload, raw=json.dumps(payload), drift=drift, started_at=NOW
    )
    wish = Wanted("reservation", booking.pk, Hint(restaurant_uuid=quay.uuid))
    queue.request([wish], priority=Priority.EVENT, now=NOW)
    (claim,) = queue.claim(limit=1, now=NOW)
    store.settle([Outcome(claim, answer, None, NOW)], now=NOW)
    row = Reservation.objects.get(pk=booking.pk)

    assert row.party_size == 3
    assert row.customer_note == ""
    assert "Nuts" not in row.raw
    assert not Change.objects.filter(field="customer_note").exists()


def test_what_was_sent_from_here_is_forgotten_too(quay, guest, booking):
    payload = {"party_size": 2, "customer": {"email": "zoe@example.org"}, "customer_note": "Nuts!"}
    make_wish(quay, uuid=booking.pk, payload=payload, state=Intent.State.DONE)
    erase(guest)

    assert Intent.objects.get().payload == {"party_size": 2}


def test_the_bookings_of_others_are_left_alone(quay, guest, harbour):
    other = make_reservation(quay, customer=make_customer(harbour), customer_note="Window")
    erase(guest)
    other.refresh_from_db()

    assert other.customer_note == "Window"


def test_the_export_holds_bookings_changes_and_wishes(quay, guest, booking, harbour):
    make_wish(quay, uuid=booking.pk, payload={"party_size": 2})
    make_reservation(quay, customer=make_customer(harbour), raw='{"customerNote": "Neighbour"}')
    (held,) = privacy.collect(guest)["bookings"]

    assert held["booking"]["customerNote"] == "Nuts!"
    assert len(held["changes"]) == 2
    assert held["sent"][0]["sent"] == {"party_size": 2}


def test_the_retention_clock_counts_from_the_last_booking(guest, booking):
    assert holdings.last_seen([guest.pk]) == {guest.pk: DINNER}
