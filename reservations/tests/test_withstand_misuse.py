"""What a hurried, forgetful or hostile person can send, and what comes of it."""

from datetime import timedelta
from urllib.parse import quote
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from outbox.models import Intent
from partner.testing import FULL_SCOPES, FakeTransport, speak_through
from reservations.testing import DINNER, make_intent, make_reservation
from reservations.tests.new_booking.steps import GUEST, TIME, send, slot, text_of
from restaurants.testing import sign_in

FAR = ["9999-12-31", "0001-01-01", "2026-02-30", "yesterday", ""]
UNRESTRICTED = f"{FULL_SCOPES} svc-restaurant:unrestricted-reservations"


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def answers(db):
    return FakeTransport(
        list_party_sizes=(200, [2, 4]),
        list_availabilities=(200, [{"date": "2026-01-17", "hasNormalStock": True}]),
        list_timeslots=(200, [slot(TIME)]),
        list_offers=(200, []),
        override_availability=200,
    )


@pytest.fixture
def api(answers):
    speak_through(answers)
    return answers


class TestBooking:
    def test_a_forged_restaurant_is_not_replaced_by_another(self, api, bob, quay, cellar):
        assert send(bob, quay, state={"scope": cellar.uuid}).status_code == 404
        assert not Intent.objects.exists()

    def test_a_restaurant_that_one_left_meanwhile_is_not_replaced(self, api, alice, quay, loft):
        alice.memberships.all().delete()

        assert send(alice, quay).status_code == 403

    @pytest.mark.parametrize("size", ["0", "-1", "1000", "4.5", "four", ""])
    def test_a_size_out_of_range_is_not_sent(self, api, bob, quay, size):
        assert send(bob, quay, state={"size": size}).status_code == 422
        assert not Intent.objects.exists()

    @pytest.mark.parametrize("day", FAR)
    def test_no_day_breaks_a_page(self, api, alice, quay, harbour, day):
        client = sign_in(alice)
        for address in (
            f"/?day={day}",
            f"/reservations/new/?scope={quay.uuid}&size=2&day={day}",
            f"/reservations/new/anywhere/?group={harbour.uuid}&size=2&day={day}",
            f"/reservations/requests/?day={day}",
        ):
            assert client.get(address).status_code == 200, address

    def test_a_forged_time_is_not_sent(self, api, bob, quay):
        forged = quote("2026-01-17T03:00:00+01:00", safe="")

        assert send(bob, quay, state={"slot": forged}).status_code == 422
        assert not Intent.objects.exists()

    def test_a_forged_offer_is_not_sent(self, api, bob, quay):
        api.reply("list_offers", (200, []))
        assert send(bob, quay, state={"offer": uuid4()}).status_code == 422

    def test_a_foreign_site_sends_nothing(self, api, bob, quay):
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        answer = client.post(
            f"/reservations/new/?scope={quay.uuid}&size=4&slot={quote(TIME)}",
            GUEST | {"step": "confirm", "key": uuid4()},
        )

        assert answer.status_code == 403
        assert not Intent.objects.exists()

    def test_without_a_session_it_leads_to_the_sign_in(self, api, quay):
        answer = Client().post("/reservations/new/", GUEST | {"step": "confirm", "key": uuid4()})

        assert answer.status_code == 302
        assert "/accounts/login/" in answer.headers["Location"]
        assert not Intent.objects.exists()

    @pytest.mark.parametrize("key", ["", "1", "../../etc"])
    def test_a_form_without_a_key_is_not_sent(self, api, bob, quay, key):
        assert send(bob, quay, key=key).status_code == 422

    def test_somebody_elses_key_is_not_their_intent(self, api, bob, alice, quay):
        key = uuid4()
        send(alice, quay, key=key)
        send(bob, quay, key=key, email="other@example.com")

        assert Intent.objects.count() == 1
        assert Intent.objects.get().actor == alice

    def test_a_time_that_the_night_skips_does_not_exist(self, answers, bob, quay):
        speak_through(answers, scopes=UNRESTRICTED)
        skipped = {"free": "on", "slot": "", "day": "2026-03-28", "want": "02:30"}

        assert send(bob, quay, state=skipped).status_code == 422

    def test_a_time_that_the_night_repeats_is_its_first_showing(self, answers, bob, quay):
        speak_through(answers, scopes=UNRESTRICTED)
        repeated = {"free": "on", "slot": "", "day": "2026-10-24", "want": "02:30"}
        send(bob, quay, state=repeated)

        assert Intent.objects.get().payload["meal_date"] == "2026-10-25T02:30:00+02:00"


class TestSwitch:
    def send(self, user, place, **data):
        known = {"key": uuid4(), "day": "2026-01-18", "start": "19:00", "end": "20:00"}
        address = f"/reservations/availability/?scope={place.uuid}"
        return sign_in(user).post(address, known | {"is_open": "no"} | data)

    def test_a_forged_restaurant_closes_no_other(self, api, alice, quay, cellar):
        assert self.send(alice, cellar).status_code == 404
        assert not Intent.objects.exists()

    @pytest.mark.parametrize("day", [*FAR, "2026-01-10"])
    def test_a_day_that_is_over_or_nowhere_is_not_sent(self, api, alice, quay, day):
        assert self.send(alice, quay, day=day).status_code == 422
        assert not Intent.objects.exists()

    def test_neither_open_nor_closed_is_not_sent(self, api, alice, quay):
        assert self.send(alice, quay, is_open="").status_code == 422


class TestPermissions:
    @pytest.mark.parametrize("verb", ["undo", "again", "keep"])
    def test_intents_of_others_are_not_there(self, charlie, quay, verb):
        intent = make_intent(quay, state=Intent.State.ASKS)

        assert (
            sign_in(charlie).post(f"/reservations/changes/{intent.key}/{verb}/").status_code == 404
        )
        intent.refresh_from_db()
        assert intent.state == Intent.State.ASKS

    @pytest.mark.parametrize("verb", ["undo", "again", "keep"])
    def test_what_is_over_stays_as_it_is(self, bob, quay, verb):
        row = make_reservation(quay)
        intent = make_intent(quay, uuid=row.uuid, state=Intent.State.DONE)
        sign_in(bob).post(f"/reservations/changes/{intent.key}/{verb}/")

        intent.refresh_from_db()
        assert intent.state == Intent.State.DONE

    def test_a_form_that_comes_twice_is_no_conflict_with_itself(self, api, bob, quay):
        row = make_reservation(quay, meal_date_text=TIME, restaurant_note="Old")
        client = sign_in(bob)
        page = text_of(client.get(f"/reservations/{row.uuid}/note/"))
        seen = page.split('name="seen" value="')[1].split('"')[0]
        data = {"key": uuid4(), "seen": seen, "note": "New"}
        client.post(f"/reservations/{row.uuid}/note/", data)
        row.restaurant_note = "New"
        row.save(update_fields=["restaurant_note"])

        assert client.post(f"/reservations/{row.uuid}/note/", data).status_code == 302
        assert Intent.objects.count() == 1
