"""What the calls of an erased guest keep, and what their export holds."""

from datetime import UTC, datetime

import pytest

from customers.privacy import erasure
from customers.testing import make_customer
from phone.models import Call, Event
from phone.receiver import recording
from phone.receiver.events import CallEvent
from phone.testing import make_call, make_system

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)
NUMBER = "+33612345678"


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, phone=NUMBER, phone_e164=NUMBER)


def test_it_works(quay, guest):
    call = make_call(quay, number=NUMBER, caller_id="0612345678")
    erasure.erase(guest, actor=None, now=NOW)
    call.refresh_from_db()

    assert (call.number, call.caller_id) == ("", "")


def test_a_number_that_somebody_else_has_too_stays(quay, harbour, guest):
    make_customer(harbour, secondary_phone_e164=NUMBER)
    call = make_call(quay, number=NUMBER)
    erasure.erase(guest, actor=None, now=NOW)
    call.refresh_from_db()

    assert call.number == NUMBER


def test_another_group_s_guest_with_the_number_protects_nothing(quay, hill, guest):
    make_customer(hill, phone_e164=NUMBER)
    call = make_call(quay, number=NUMBER)
    erasure.erase(guest, actor=None, now=NOW)
    call.refresh_from_db()

    assert call.number == ""


def test_calls_to_another_group_keep_their_number(cellar, guest):
    call = make_call(cellar, number=NUMBER)
    erasure.erase(guest, actor=None, now=NOW)
    call.refresh_from_db()

    assert call.number == NUMBER


def test_the_export_holds_the_calls(quay, guest):
    """With when it was answered and ended: how long somebody waited and talked is about them."""
    facts = {"caller_id": "0612345678", "answered_at": NOW, "ended_at": NOW}
    make_call(quay, number=NUMBER, incoming_at=None, began_at=NOW, **facts)
    make_call(quay, number="+33699999999")
    (held,) = erasure.collect(guest)["calls"]
    moment = NOW.isoformat()

    assert held == {
        "at": moment,
        "restaurant": "Quay",
        "number": NUMBER,
        "caller_id": "0612345678",
        "answered_by": "",
        "answered_at": moment,
        "ended_at": moment,
    }


def test_the_export_holds_no_calls_to_another_group(cellar, guest):
    make_call(cellar, number=NUMBER)

    assert erasure.collect(guest)["calls"] == []


@pytest.mark.parametrize("column", ["phone_e164", "secondary_phone_e164"])
def test_the_export_leaves_out_a_number_that_somebody_else_has_too(quay, harbour, guest, column):
    own = "+33699999999"
    type(guest).objects.update(secondary_phone_e164=own)
    make_customer(harbour, **{column: NUMBER})
    make_call(quay, number=NUMBER)
    make_call(quay, number=own)

    assert [held["number"] for held in erasure.collect(guest)["calls"]] == [own]


class TestNamedByTheService:
    """The service knew whose number rang; the profile has another one by now."""

    OLD = "+33699999999"

    @pytest.fixture
    def call(self, quay, guest):
        return make_call(quay, number=self.OLD, caller_id="0699999999", service_guest=guest.pk)

    def test_it_is_exported_and_erased(self, guest, call):
        assert [held["number"] for held in erasure.collect(guest)["calls"]] == [self.OLD]

        erasure.erase(guest, actor=None, now=NOW)
        call.refresh_from_db()
        assert (call.number, call.caller_id, call.service_guest) == ("", "", None)

    def test_other_calls_from_the_number_stay(self, quay, guest, call):
        other = make_call(quay, number=self.OLD)
        erasure.erase(guest, actor=None, now=NOW)
        other.refresh_from_db()

        assert other.number == self.OLD

    def test_a_number_that_is_somebody_else_s_by_now_stays(self, harbour, guest, call):
        make_customer(harbour, phone_e164=self.OLD)
        assert erasure.collect(guest)["calls"] == []

        erasure.erase(guest, actor=None, now=NOW)
        call.refresh_from_db()
        assert (call.number, call.service_guest) == (self.OLD, None)


class TestEventsAfterwards:
    """The telephone system may report the end of a call, number included, after the erasure."""

    @pytest.fixture
    def post(self, quay):
        system = make_system()

        def post(event=Event.INCOMING, number=NUMBER):
            fields = {"call_id": "42", "restaurant": quay.uuid, "line": "", "answered_by": ""}
            call_event = CallEvent(event=event, number=number, at=NOW, **fields)
            return recording.record(call_event, system=system, now=NOW)

        return post

    @pytest.mark.parametrize("event", Event)
    def test_no_event_brings_the_number_back(self, guest, post, event):
        post()
        erasure.erase(guest, actor=None, now=NOW)
        post(event)
        call = Call.objects.get()

        assert (call.number, call.caller_id) == ("", "")
        assert event in call.events

    def test_a_call_that_nobody_erased_gets_its_number_later(self, guest, post):
        post(number="")
        erasure.erase(guest, actor=None, now=NOW)

        assert post(Event.ANSWERED, number="+33699999999").number == "+33699999999"
