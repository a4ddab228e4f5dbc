"""What is reported about calls, and what is looked up about callers."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from customers.privacy import erasure
from customers.testing import make_customer
from mirror.models import SyncRequest
from outbox import engine
from outbox.models import Intent
from partner.http.transport import Lost
from partner.testing import FakeTransport, speak_through
from phone.calls import checking
from phone.models import Call, PhoneSystem
from phone.receiver.events import read
from phone.receiver.recording import record
from phone.testing import NUMBER, make_call
from restaurants.testing import sign_in

NOON = datetime(2026, 12, 4, 19, 15, tzinfo=UTC)
GUEST = "e0d0c0f5-0c3a-4a45-9a7c-5a1b3c2d4e5f"
NOBODY = (
    404,
    {"statusCode": 404, "error": "Not Found", "data": {"code": "PHONE_NUMBER_NOT_FOUND"}},
)


@pytest.fixture
def service(db):
    """The service takes every report, and knows nobody."""
    transport = FakeTransport(report_call=(200, {"status": 200}), find_customer_by_phone=NOBODY)
    speak_through(transport)
    return transport


@pytest.fixture
def tell(quay):
    def event_data(event="incoming", *, now=NOON, **fields):
        body = {"call_id": "42", "event": event, "number": NUMBER, "restaurant": str(quay.uuid)}
        raw = json.dumps(body | fields).encode()
        return record(read(raw, content_type="application/json"), system=PhoneSystem(), now=now)

    return event_data


def send_all():
    engine.work(now=timezone.now())


def test_the_list_of_sent_changes_says_which_step_and_no_number(service, tell, dora):
    tell()
    page = sign_in(dora).get("/setup/outbox/").content.decode()

    assert "Report a call" in page
    assert "Ringing" in page
    assert NUMBER not in page


class TestReportCalls:
    def test_it_works(self, service, tell, quay):
        call = tell()
        send_all()

        assert service.bodies("report_call") == [
            {
                "callId": str(call.uuid),
                "callCallerId": "0199001234",
                "callCallerIdValidPhone": True,
                "callPhoneNumber": NUMBER,
                "callCurrentStatus": "incoming",
                "callDateMillis": "1796411700000",
                "marketplaceID": str(quay.uuid),
            }
        ]
        assert Intent.objects.get().state == Intent.State.DONE

    def test_an_answer_without_content_is_one(self, service, tell):
        service.reply("report_call", (204, b""))
        tell()
        send_all()

        assert Intent.objects.get().state == Intent.State.DONE

    def test_a_foreign_number_is_written_as_it_is_dialled_here(self, service, tell):
        tell(number="+44 20 7946 0018")
        send_all()

        body = service.bodies("report_call")[0]
        assert body["callCallerId"] == "00442079460018"
        assert body["callPhoneNumber"] == "+442079460018"

    @pytest.mark.parametrize(("number", "fields"), [("", "anonymous"), ("102", "102")])
    def test_a_hidden_number_is_reported_as_not_valid(self, service, tell, number, fields):
        tell(number=number)
        send_all()

        body = service.bodies("report_call")[0]
        assert body["callCallerId"] == fields
        assert body["callCallerIdValidPhone"] is False
        assert "callPhoneNumber" not in body

    def test_each_event_is_reported_once_and_in_order(self, service, tell):
        for event in ("incoming", "incoming", "answered", "ended", "answered"):
            tell(event)
        send_all()

        words = [body["callCurrentStatus"] for body in service.bodies("report_call")]
        assert words == ["incoming", "answered", "ended"]

    def test_what_comes_too_late_does_not_open_the_call_again(self, service, tell):
        for event in ("ended", "answered", "incoming"):
            tell(event)
        send_all()

        words = [body["callCurrentStatus"] for body in service.bodies("report_call")]
        assert words == ["ended"]

    def test_the_intent_holds_no_number(self, service, tell):
        tell()

        assert "99001234" not in str(Intent.objects.values().get())

    def test_a_lost_answer_is_sent_again(self, service, tell):
        service.reply("report_call", [Lost(), (200, {"status": 200})])
        tell()
        for _look in range(5):
            Intent.objects.filter(state__in=Intent.OPEN).update(not_before=NOON, lease_until=None)
            Intent.objects.update(not_before=timezone.now())
            send_all()

        assert Intent.objects.get().state == Intent.State.DONE
        assert len(service.sent("report_call")) == 2

    @pytest.mark.parametrize(
        "answer", [{}, {"data": {}}, {"status": 500}, {"message": "Service Unavailable"}], ids=str
    )
    def test_an_answer_without_a_good_status_of_its_own_is_no_yes(self, service, tell, answer):
        service.reply("report_call", [(200, answer), (200, {"status": 200})])
        tell()
        send_all()
        assert Intent.objects.get().state != Intent.State.DONE

        for _step in range(2):
            Intent.objects.update(not_before=timezone.now())
            send_all()
        assert Intent.objects.get().state == Intent.State.DONE
        assert len(service.sent("report_call")) == 2

    def test_without_the_right_nothing_is_reported(self, tell):
        speak_through(FakeTransport(), scopes="svc-restaurant:customers")
        tell()

        assert not Intent.objects.exists()
        assert Call.objects.exists()

    def test_without_a_connection_calls_are_kept_all_the_same(self, tell):
        assert tell().outcome == "ringing"

    def test_a_call_of_this_morning_is_not_reported_at_night(self, service, tell):
        tell()
        Intent.objects.update(created_at=timezone.now() - timedelta(hours=3))
        send_all()

        assert Intent.objects.get().state == Intent.State.REFUSED
        assert service.requests == []

    def test_a_forgotten_call_is_not_reported(self, service, tell):
        tell()
        Call.objects.all().delete()
        send_all()

        assert Intent.objects.get().state == Intent.State.REFUSED


class TestAskAboutCallers:
    def test_it_works(self, service, quay):
        call = make_call(quay, began_at=NOON)
        service.reply("find_customer_by_phone", (200, {
            "customerUuid": GUEST, "phone": NUMBER, "nextReservationsList": [],
        }))  # fmt: skip
        checking.check_callers(now=NOON)

        call.refresh_from_db()
        assert call.service == Call.Service.KNOWN
        assert str(call.service_guest) == GUEST
        assert call.version == 2
        assert service.requests[0].path.endswith("/phone/%2B33199001234")

    def test_a_guest_it_knows_better_is_read(self, service, quay):
        make_call(quay, began_at=NOON)
        service.reply("find_customer_by_phone", (200, {
            "customerUuid": GUEST, "phone": NUMBER, "nextReservationsList": [
                {"reservationUuid": GUEST, "mealDate": None, "status": "RECORDED"}],
        }))  # fmt: skip
        checking.check_callers(now=NOON)

        assert set(SyncRequest.objects.values_list("kind", flat=True)) == {
            "customer",
            "reservation",
        }

    def test_nobody_is_an_answer(self, service, quay):
        call = make_call(quay, began_at=NOON)
        checking.check_callers(now=NOON)

        call.refresh_from_db()
        assert call.service == Call.Service.UNKNOWN

    def test_a_fault_leaves_the_call_as_it_is(self, service, quay):
        service.reply("find_customer_by_phone", (403, {"message": "Forbidden"}))
        call = make_call(quay, began_at=NOON)
        checking.check_callers(now=NOON)

        call.refresh_from_db()
        assert call.service == Call.Service.SILENT

    def test_each_caller_is_looked_up_once(self, service, quay):
        make_call(quay, began_at=NOON)
        checking.check_callers(now=NOON)
        checking.check_callers(now=NOON)

        assert len(service.sent("find_customer_by_phone")) == 1

    def test_events_that_come_meanwhile_look_nobody_up_again(self, service, quay):
        """A telephone system sends several events for a call, often within a second."""

        def answer_late(request):
            checking.check_callers(now=NOON)
            return NOBODY

        service.reply("find_customer_by_phone", answer_late)
        first = make_call(quay, began_at=NOON)
        second = make_call(quay, began_at=NOON, number="+33199005678")
        checking.check_callers(now=NOON)

        assert len(service.sent("find_customer_by_phone")) == 2
        for call in (first, second):
            call.refresh_from_db()
            assert call.service == Call.Service.UNKNOWN

    def test_a_guest_erased_meanwhile_is_not_noted(self, service, quay, harbour):
        guest = make_customer(harbour, uuid=GUEST, phone_e164=NUMBER)
        call = make_call(quay, began_at=NOON)

        def answer_late(request):
            erasure.erase(guest, actor=None, now=NOON)
            return (200, {"customerUuid": GUEST, "phone": NUMBER, "nextReservationsList": []})

        service.reply("find_customer_by_phone", answer_late)
        checking.check_callers(now=NOON)

        call.refresh_from_db()
        assert (call.number, call.service_guest) == ("", None)

    def test_one_that_could_not_begin_is_looked_up_later(self, service, quay):
        service.reply("find_customer_by_phone", [RuntimeError("a thread that ends"), NOBODY])
        call = make_call(quay, began_at=NOON)
        with pytest.raises(RuntimeError):
            checking.check_callers(now=NOON)
        checking.check_callers(now=NOON)

        call.refresh_from_db()
        assert call.service == Call.Service.UNKNOWN

    def test_hidden_numbers_are_not_looked_up(self, service, quay):
        make_call(quay, began_at=NOON, number="")
        checking.check_callers(now=NOON)

        assert service.requests == []
