"""What the bookings of an erased guest keep, and what their export holds."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.urls import reverse

from customers import personal_data
from customers.privacy import erasure
from customers.testing import make_customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Priority, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from outbox.models import Intent
from partner import schemas
from partner.payloads import reading
from reservations.actions import CANCEL, CREATE, UPDATE
from reservations.models import Reservation
from reservations.testing import DINNER, make_intent, make_reservation
from restaurants.testing import sign_in

State = Intent.State
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
    erasure.erase(guest, actor=None, now=NOW)


def test_it_works(guest, booking):
    erase(guest)
    booking.refresh_from_db()

    assert (booking.customer_note, booking.restaurant_note) == ("", "")
    assert "Nuts" not in booking.raw
    assert (booking.party_size, booking.meal_at, booking.status) == (2, DINNER, "RECORDED")
    assert [change.field for change in Change.objects.all()] == ["party_size"]


def test_an_odd_answer_that_was_kept_aside_goes_too(guest, booking):
    wanted = EntityRef("reservation", booking.pk, EntityLocation())
    sync_requests.request([wanted], priority=Priority.EVENT, now=NOW)
    SyncRequest.objects.update(evidence="<html>Nuts!", state=SyncRequest.State.PARKED)
    erasure.erase(guest, actor=None, now=NOW)

    assert SyncRequest.objects.get(uuid=booking.pk).evidence == ""


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
    entity, drift = reading.read(schemas.ReservationPayload, payload)
    answer = SimpleNamespace(
        entity=entity, payload=payload, raw=json.dumps(payload), drift=drift, started_at=NOW
    )
    intent = EntityRef("reservation", booking.pk, EntityLocation(restaurant_uuid=quay.uuid))
    sync_requests.request([intent], priority=Priority.EVENT, now=NOW)
    (claim,) = sync_requests.claim(limit=1, now=NOW)
    store.settle([ReadResult(claim, answer, None, NOW)], now=NOW)
    row = Reservation.objects.get(pk=booking.pk)

    assert row.party_size == 3
    assert row.customer_note == ""
    assert "Nuts" not in row.raw
    assert not Change.objects.filter(field="customer_note").exists()


def test_what_was_sent_from_here_is_forgotten_too(quay, guest, booking):
    payload = {"party_size": 2, "customer": {"email": "zoe@example.org"}, "customer_note": "Nuts!"}
    make_intent(quay, action=CREATE, result_uuid=booking.pk, payload=payload, state=State.DONE)
    erase(guest)

    assert Intent.objects.get().payload == {"party_size": 2}


def test_the_bookings_of_others_are_left_alone(quay, guest, harbour):
    other = make_reservation(quay, customer=make_customer(harbour), customer_note="Window")
    erase(guest)
    other.refresh_from_db()

    assert other.customer_note == "Window"


def test_the_export_holds_bookings_changes_and_intents(quay, guest, booking, harbour):
    make_intent(quay, uuid=booking.pk, payload={"party_size": 2})
    make_reservation(quay, customer=make_customer(harbour), raw='{"customerNote": "Neighbour"}')
    (held,) = erasure.collect(guest)["bookings"]

    assert held["booking"]["customerNote"] == "Nuts!"
    assert len(held["changes"]) == 2
    assert held["sent"][0]["sent"] == {"party_size": 2}


def test_the_retention_clock_counts_from_the_last_booking(guest, booking):
    assert personal_data.last_seen([guest.pk]) == {guest.pk: DINNER}


def test_who_has_booked_since_is_passed_over(guest, booking, harbour):
    other = make_customer(harbour)
    both = [guest.pk, other.pk]

    assert personal_data.maybe_unseen(both, since=DINNER) == [other.pk]
    assert personal_data.maybe_unseen(both, since=DINNER + timedelta(seconds=1)) == both


class TestSentChanges:
    """Intents carry a name, an address and notes."""

    @pytest.fixture
    def submit(self, quay):
        def submit(place=quay, state=State.HELD, **data):
            who = {"email": "Zoe@example.org", "first_name": "Zoë", "last_name": "Lefèvre"}
            meal = {"meal_date": "2026-01-17T20:00:00+01:00", "party_size": 2}
            payload = meal | {"customer": who | data, "customer_note": "Nuts!"}
            return make_intent(place, action=CREATE, uuid=None, payload=payload, state=state)

        return submit

    @pytest.fixture
    def guest(self, harbour):
        return make_customer(
            harbour,
            email="zoe@example.org",
            first_name="Zoë",
            last_name="Lefèvre",
            phone_e164="+33612345678",
        )

    def test_it_works(self, guest, submit):
        intent = submit()
        erase(guest)
        intent.refresh_from_db()

        assert intent.state == State.WITHDRAWN
        assert intent.payload.keys() == {"meal_date", "party_size"}

    @pytest.mark.parametrize("state", [State.REFUSED, State.WITHDRAWN, State.ASKS, State.DONE])
    def test_one_that_led_to_no_booking_we_know_forgets(self, guest, submit, state):
        intent = submit(state=state)
        erase(guest)
        intent.refresh_from_db()

        assert "customer" not in intent.payload

    def test_a_number_tells_too(self, guest, submit):
        intent = submit(email="other@example.org", phone="+33612345678")
        erase(guest)
        intent.refresh_from_db()

        assert "customer" not in intent.payload

    def test_another_of_the_family_keeps_theirs(self, guest, submit, harbour):
        make_customer(harbour, email="zoe@example.org", first_name="Paul")
        intent = submit(first_name="Paul")
        erase(guest)
        intent.refresh_from_db()

        assert (intent.state, intent.payload["customer"]["first_name"]) == (State.HELD, "Paul")

    def test_another_group_keeps_theirs(self, guest, submit, cellar):
        intent = submit(cellar)
        erase(guest)
        intent.refresh_from_db()

        assert intent.state == State.HELD

    def test_a_new_time_still_leaves_without_the_note(self, quay, guest):
        booking = make_reservation(quay, customer=guest)
        payload = {
            "changes": {"party_size": 3, "restaurant_note": "Zoë's table"},
            "base": {"party_size": 2, "restaurant_note": "Zoë"},
        }
        intent = make_intent(
            quay, action=UPDATE, uuid=booking.pk, payload=payload, state=State.HELD
        )
        erase(guest)
        intent.refresh_from_db()

        assert intent.state == State.HELD
        assert intent.payload == {"changes": {"party_size": 3}, "base": {"party_size": 2}}

    def test_a_note_alone_is_withdrawn(self, quay, guest):
        booking = make_reservation(quay, customer=guest)
        payload = {"changes": {"restaurant_note": "Zoë"}, "base": {"restaurant_note": ""}}
        intent = make_intent(
            quay, action=UPDATE, uuid=booking.pk, payload=payload, state=State.WAITING
        )
        erase(guest)
        intent.refresh_from_db()

        assert (intent.state, intent.payload) == (State.WITHDRAWN, {"changes": {}, "base": {}})

    def test_a_cancellation_still_leaves_without_its_reason(self, quay, guest):
        booking = make_reservation(quay, customer=guest)
        intent = make_intent(
            quay, action=CANCEL, uuid=booking.pk, state=State.HELD, reason="Zoë is ill"
        )
        erase(guest)
        intent.refresh_from_db()

        assert (intent.state, intent.reason) == (State.HELD, "")

    @pytest.mark.parametrize("state", [State.HELD, State.DONE, State.ASKS])
    def test_the_page_of_the_intent_says_why_it_is_empty(self, bob, guest, submit, state):
        intent = submit(state=state)
        erase(guest)
        page = sign_in(bob).get(reverse("reservations:sent_change", args=[intent.key]))

        assert page.status_code == 200
        assert "The guest was erased here" in page.text

    def test_the_export_holds_what_led_to_no_booking(self, guest, submit):
        submit(state=State.REFUSED)
        submit(email="neighbour@example.org", last_name="Neighbour")
        (held,) = erasure.collect(guest)["bookings"]

        assert held["booking"] is None
        assert [intent["sent"]["customer"]["last_name"] for intent in held["sent"]] == ["Lefèvre"]
