"""What stays of the changes that were sent for an erased guest."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from customers.privacy import erasure
from customers.testing import make_customer
from outbox.models import Intent
from reservations.actions import CANCEL, CREATE, UPDATE
from reservations.personal_data import LINES
from reservations.testing import make_intent, make_reservation
from restaurants.testing import sign_in

State = Intent.State


NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)


def erase(guest):
    erasure.erase(guest, actor=None, now=NOW)


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

    def test_so_does_being_picked(self, guest, submit):
        """The colleague chose the guest and typed the address that the guest has now."""
        intent = submit(email="new@example.org", last_name="L.")
        Intent.objects.update(payload=intent.payload | {"guest": str(guest.pk)})
        assert erasure.collect(guest)["bookings"][0]["sent"]

        erase(guest)
        intent.refresh_from_db()
        assert (intent.state, intent.payload.keys()) == (
            State.WITHDRAWN,
            {"meal_date", "party_size"},
        )

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

    def test_the_export_says_why_a_booking_was_cancelled(self, quay, guest):
        booking = make_reservation(quay, customer=guest)
        make_intent(quay, uuid=booking.pk, state=State.DONE, reason="Zoë is ill")
        held = erasure.collect(guest)["bookings"]

        assert held[0]["sent"][0]["reason"] == "Zoë is ill"
        assert ("1 › Sent 1 › Reason", "Zoë is ill") in list(LINES.of(held))
