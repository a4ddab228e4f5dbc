"""The receiver of the telephone system: who may post, and what becomes of each event."""

import codecs
import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from live.models import Announcement
from phone.models import Call, PhoneSystem
from phone.testing import NUMBER, TOKEN, make_system

LIFE = ["incoming", "answered", "ended"]


@pytest.fixture
def tell(client, cast):
    """Post one event of a call at the Quay."""
    make_system()

    def post(event="incoming", *, token=TOKEN, body=None, **fields):
        known = {"call_id": "42", "event": event, "number": NUMBER}
        known["restaurant"] = str(cast.quay.uuid)
        raw = json.dumps(known | fields) if body is None else body
        return client.post(f"/phone/calls/?token={token}", raw, "application/json")

    return post


class TestReceiveCalls:
    def test_it_works(self, tell, quay):
        response = tell(number="01 99 00 12 34")

        call = Call.objects.get()
        assert response.status_code == 200
        assert response.json() == {"data": {"call": str(call.uuid), "outcome": "ringing"}}
        assert (call.restaurant, call.number) == (quay, NUMBER)
        assert call.caller_id == "01 99 00 12 34"

    @pytest.mark.parametrize("token", ["", "wrong", "x" * 600, f"{TOKEN}&token={TOKEN}"])
    def test_without_the_token_it_is_404(self, tell, token):
        assert tell(token=token).status_code == 404
        assert not Call.objects.exists()

    def test_it_is_404_before_the_address_was_made(self, client, cast):
        assert client.post(f"/phone/calls/?token={TOKEN}").status_code == 404

    def test_an_old_token_works_until_its_end(self, tell):
        system = PhoneSystem.objects.get()
        system.rotate(now=timezone.now())
        assert tell().status_code == 200

        PhoneSystem.objects.update(previous_expires_at=timezone.now() - timedelta(seconds=1))
        assert tell(event="ended").status_code == 404

    def test_it_needs_no_sign_in_and_answers_no_look(self, client, cast):
        assert client.get(f"/phone/calls/?token={TOKEN}").status_code == 405

    def test_the_token_is_not_stored_in_the_clear(self, tell):
        system = PhoneSystem.objects.get()

        assert TOKEN not in (system.token_hash, system.previous_hash)
        assert "token" not in PhoneSystem.objects.values().get()["token_hash"]

    def test_neither_token_nor_number_reaches_a_log(self, tell, log_lines):
        tell()
        tell(body=b"{")

        assert TOKEN not in log_lines()
        assert "99001234" not in log_lines()

    def test_a_large_body_is_refused(self, tell):
        assert tell(body=b"x" * 17_000).status_code == 413

    @pytest.mark.parametrize(
        "fields",
        [
            {"call_id": ""},
            {"call_id": "x" * 200},
            {"event": "transferred"},
            {"restaurant": "no-uuid"},
            {"restaurant": "99999999-0000-4000-8000-000000000001"},
            {"at": "yesterday"},
            {"number": {"e164": NUMBER}},
        ],
    )
    def test_what_is_wrong_is_answered_in_words(self, tell, fields):
        response = tell(**fields)

        assert response.status_code == 400
        assert response.json()["error"]
        assert not Call.objects.exists()

    @pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 9000])
    def test_what_is_no_event_is_refused(self, tell, body):
        assert tell(body=body).status_code == 400

    def test_text_that_no_database_takes_is_mended(self, tell):
        assert tell(answered_by="\ud800 \x00").status_code == 200

    def test_a_byte_order_mark_is_no_part_of_the_body(self, tell, quay):
        event = {"call_id": "42", "event": "incoming", "restaurant": str(quay.uuid)}

        assert tell(body=codecs.BOM_UTF8 + json.dumps(event).encode()).status_code == 200

    def test_a_form_is_read_too(self, client, cast, tell):
        form = {"call_id": "7", "event": "incoming", "number": NUMBER, "line": "x"}
        cast.quay.phone = "x"
        cast.quay.save()

        response = client.generic(
            "POST",
            f"/phone/calls/?token={TOKEN}",
            "&".join(f"{name}={value}".replace("+", "%2B") for name, value in form.items()),
            "application/x-www-form-urlencoded",
        )

        assert response.status_code == 200
        assert Call.objects.get().number == NUMBER

    def test_the_service_s_own_spelling_is_read_too(self, tell, quay):
        body = {
            "callId": "d2b7c4b8-5a9e-4f0f-9c39-8f2a1d6e7b55",
            "callCallerId": "0199001234",
            "callPhoneNumber": NUMBER,
            "callCurrentStatus": "SONNERIE",
            "callDateMillis": str(int(timezone.now().timestamp() * 1000)),
            "marketplaceID": str(quay.uuid),
        }
        tell(body=json.dumps(body))

        call = Call.objects.get()
        assert str(call.uuid) == body["callId"]
        assert (call.number, call.outcome) == (NUMBER, "ringing")

    @pytest.mark.parametrize("form", ["{}", "{}.0"])
    def test_milliseconds_may_be_a_number_of_either_form(self, tell, form):
        now = timezone.now().replace(microsecond=0)
        at = form.format(int(now.timestamp() * 1000))

        assert tell(at=json.loads(at)).status_code == 200
        assert Call.objects.get().began_at == now

    def test_the_line_names_the_restaurant(self, tell, loft):
        loft.phone = "(212) 555-0123"
        loft.save()

        assert tell(restaurant="", line="+1 212 555 0123").status_code == 200
        assert Call.objects.get().restaurant == loft

    def test_a_call_at_an_unnamed_place_is_refused(self, tell):
        assert tell(restaurant="").status_code == 400

    def test_later_events_need_not_name_the_place(self, tell):
        tell()

        assert tell(event="ended", restaurant="", number="").status_code == 200
        assert Call.objects.get().ended_at

    @pytest.mark.parametrize("number", ["", "anonymous", "102"])
    def test_a_hidden_number_is_a_call_too(self, tell, number):
        tell(number=number)

        call = Call.objects.get()
        assert call.is_hidden
        assert call.caller_id == number


class TestKeepOneCall:
    def test_a_duplicate_changes_nothing(self, tell):
        tell()
        before = Call.objects.values().get()
        tell()

        assert Call.objects.values().get() == before
        assert Announcement.objects.filter(kind="call").count() == 1

    @pytest.mark.parametrize("order", list(itertools.permutations(LIFE)))
    def test_any_order_makes_the_same_call(self, tell, order):
        at = {"incoming": "19:00:00", "answered": "19:00:05", "ended": "19:02:10"}
        day = timezone.now().date()
        for event in (*order, *order):
            clock = f"{day}T{at[event]}+00:00"
            moment = datetime.fromisoformat(clock)
            near = abs(moment - timezone.now()) < timedelta(hours=12)
            tell(event=event, at=clock if near else "")

        call = Call.objects.get()
        assert call.outcome == "answered"
        assert call.events == LIFE

    def test_it_says_how_long_they_spoke(self, tell):
        start = timezone.now().replace(microsecond=0)
        tell(event="ended", at=(start + timedelta(seconds=130)).isoformat())
        tell(event="answered", at=(start + timedelta(seconds=5)).isoformat())
        tell(event="incoming", at=start.isoformat())

        call = Call.objects.get()
        assert call.began_at == start
        assert call.talk == timedelta(seconds=125)

    def test_missed_and_hung_up_is_missed(self, tell):
        tell(event="ended")
        tell(event="missed")

        assert Call.objects.get().outcome == "missed"

    def test_an_end_alone_says_nothing_of_an_answer(self, tell):
        tell()
        tell(event="ended")

        assert Call.objects.get().outcome == "ended"

    def test_a_wild_clock_is_not_believed(self, tell):
        tell(at="1999-01-01T00:00:00+00:00")

        assert timezone.now() - Call.objects.get().began_at < timedelta(minutes=1)

    def test_milliseconds_are_an_instant(self, tell):
        moment = timezone.now().replace(microsecond=0)
        tell(at=str(int(moment.timestamp() * 1000)))

        assert Call.objects.get().began_at == moment.astimezone(UTC)

    def test_a_number_that_comes_later_is_kept(self, tell):
        tell(number="")
        tell(event="answered", answered_by="Léa")

        call = Call.objects.get()
        assert (call.number, call.answered_by) == (NUMBER, "Léa")

    def test_open_screens_hear_of_it(self, tell, quay):
        tell()

        line = Announcement.objects.get(kind="call")
        assert (line.uuid, line.version) == (Call.objects.get().uuid, 1)
        assert line.restaurant_id == quay.pk
