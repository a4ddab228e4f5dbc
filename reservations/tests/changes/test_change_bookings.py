"""Changes of one booking: change, note, cancel, undo, and the outcome of each intent."""

import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, speak_through
from reservations import actions
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.changes.forms import pack_snapshot, state_of
from reservations.changes.views import apply_again
from reservations.testing import DINNER, make_intent, make_reservation
from restaurants.testing import sign_in

TIME = "2026-01-17T20:00:00+01:00"
LATER = "2026-01-17T20:30:00+01:00"
State = Intent.State


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def row(quay):
    return make_reservation(quay, meal_date_text=TIME, party_size=4, restaurant_note="Cake")


def slot(text, **changes):
    known = {"datetime": text, "offers": None, "hasNormalStock": True}
    rules = {"hasPaymentGuaranteeRequirement": False, "guaranteeRequirementList": []}
    return known | rules | changes


@pytest.fixture
def api(db):
    guarded = [{"guaranteeType": "imprint", "amount": 20, "minimumPartySize": 4}]
    transport = FakeTransport(
        list_timeslots=(
            200,
            [
                slot(TIME),
                slot(LATER),
                slot("2026-01-17T21:00:00+01:00", guaranteeRequirementList=guarded),
                slot("2026-01-17T12:00:00+01:00"),
            ],
        )
    )
    speak_through(transport)
    return transport


def look(user, row, verb="", query="", **headers):
    return sign_in(user).get(f"/reservations/{row.uuid}/{verb}{query}", headers=headers)


def send(user, row, verb, **fields):
    known = {"key": uuid4(), "seen": pack_snapshot(row)}
    return sign_in(user).post(f"/reservations/{row.uuid}/{verb}/", known | fields)


def text_of(response):
    return response.content.decode()


@pytest.mark.parametrize("verb", ["change", "note", "cancel"])
class TestReach:
    def test_it_works(self, api, bob, row, verb):
        assert look(bob, row, f"{verb}/").status_code == 200

    def test_outsiders_find_nothing(self, charlie, row, verb):
        assert look(charlie, row, f"{verb}/").status_code == 404

    def test_without_the_right_it_is_closed(self, bob, row, verb, without_right):
        without_right("reservations.change_reservation")

        assert look(bob, row, f"{verb}/").status_code == 403

    def test_the_drawer_gets_only_its_part(self, api, bob, row, verb):
        page = text_of(look(bob, row, f"{verb}/", HX_Request="true", HX_Target="drawer-body"))

        assert "<html" not in page
        assert "Back to the booking" in page

    def test_its_title_is_there_once(self, api, bob, row, verb):
        """Its own page shows it above the card; a drawer, or the page of the booking, does not."""
        own = f"http://testserver/reservations/{row.uuid}/{verb}/?size=4"
        booking = f"http://testserver/reservations/{row.uuid}/"
        shown = {
            "own page": look(bob, row, f"{verb}/"),
            "in place on it": look(bob, row, f"{verb}/", HX_Request="true", HX_Current_URL=own),
            "in place on the booking's": look(
                bob, row, f"{verb}/", HX_Request="true", HX_Current_URL=booking
            ),
        }
        titles = re.compile(r"<h[12][^>]*>(?:Change booking|Team note|Cancel booking)</h[12]>")

        assert {where: len(titles.findall(text_of(page))) for where, page in shown.items()} == {
            "own page": 1,
            "in place on it": 0,
            "in place on the booking's": 1,
        }


class TestChange:
    def test_it_works(self, bob, row):
        answer = send(bob, row, "change", slot=LATER, size=5)

        intent = Intent.objects.get()
        assert answer.status_code == 302
        assert intent.action == actions.UPDATE
        assert intent.payload["changes"] == {"meal_date": LATER, "party_size": 5}
        assert intent.payload["base"]["meal_date"] == TIME

    def test_a_form_sent_twice_is_one_intent(self, bob, row):
        key = uuid4()
        send(bob, row, "change", slot=LATER, size=4, key=key)
        send(bob, row, "change", slot=LATER, size=4, key=key)

        assert Intent.objects.count() == 1

    def test_the_difference_is_shown_before_it_is_sent(self, api, bob, row):
        page = text_of(look(bob, row, "change/", "?size=5&slot=2026-01-17T20:30:00%2B01:00"))

        assert "<del>4</del>" in page
        assert "<ins>Sat 17 Jan 2026, 20:30</ins>" in page

    def test_another_day_without_a_time_confirms_nothing(self, api, bob, row):
        api.reply("list_timeslots", (200, [slot("2026-01-18T20:00:00+01:00")]))
        page = text_of(look(bob, row, "change/", "?size=6&day=2026-01-18"))

        assert "Nothing changes before you choose a time on this day." in page
        assert "Confirm the change" not in page

    def test_a_time_of_another_day_can_be_sent_again_after_a_refusal(self, bob, row, api):
        """The form that confirms names no day: that of its time is meant."""
        seen = pack_snapshot(row)
        row.party_size = 5
        row.save()
        page = send(bob, row, "change", seen=seen, slot="2026-01-18T20:00:00+01:00", size=4)

        assert "Apply mine again" in text_of(page)

    def test_a_time_after_midnight_that_the_day_lists_is_of_that_day(self, api, bob, row):
        night = "2026-01-18T00:30:00+01:00"
        api.reply("list_timeslots", (200, [slot(night)]))
        query = "?" + urlencode({"size": 4, "day": "2026-01-17", "slot": night})

        assert "Confirm the change" in text_of(look(bob, row, "change/", query))

    @pytest.mark.parametrize("text", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
    def test_a_time_at_the_end_of_the_calendar_breaks_nothing(self, api, bob, row, text):
        assert look(bob, row, "change/", "?" + urlencode({"slot": text})).status_code == 200

    def test_the_size_alone_changes_on_the_day_of_the_booking(self, api, bob, row):
        page = text_of(look(bob, row, "change/", "?size=6&day=2026-01-17"))

        assert "Nothing changes before" not in page
        assert "Confirm the change" in page

    def test_a_booking_without_a_date_needs_a_time_first(self, api, bob, quay):
        row = make_reservation(quay, meal_at=None, meal_date_text="", party_size=4)

        assert "Nothing changes before" in text_of(look(bob, row, "change/", "?day=2026-01-18"))

    def test_guarded_times_are_explained_and_no_links(self, api, bob, row):
        page = text_of(look(bob, row, "change/"))

        assert "slot=2026-01-17T20%3A30" in page
        assert "slot=2026-01-17T21%3A00" not in page
        assert "Card imprint of 20 EUR" in page

    def test_a_time_leads_to_its_own_page_wherever_the_picker_is_shown(self, api, bob, row):
        page = text_of(look(bob, row, "change/", HX_Request="true", HX_Target="drawer-body"))

        assert f'hx-get="/reservations/{row.uuid}/change/?size=4' in page

    def test_past_times_are_left_out(self, api, bob, row):
        assert "12:00" not in text_of(look(bob, row, "change/"))

    def test_a_time_that_passed_meanwhile_is_not_sent(self, bob, row):
        answer = send(bob, row, "change", slot="2026-01-17T12:00:00+01:00", size=4)

        assert answer.status_code == 422
        assert not Intent.objects.exists()

    def test_nothing_different_is_not_sent(self, api, bob, row):
        assert send(bob, row, "change", slot=TIME, size=4).status_code == 422

    def test_someone_elses_change_is_shown_first(self, api, bob, row):
        before = pack_snapshot(row)
        row.party_size = 6
        row.save()
        answer = send(bob, row, "change", slot=LATER, size=4, seen=before)

        assert answer.status_code == 422
        assert "Changed meanwhile" in text_of(answer)
        assert "Apply mine again" in text_of(answer)
        assert not Intent.objects.exists()

    def test_a_service_that_is_down_is_a_sentence(self, api, bob, row):
        api.reply("list_timeslots", (503, {"message": "Service Unavailable"}))

        assert "unavailable" in text_of(look(bob, row, "change/"))


class TestNote:
    def test_it_works(self, bob, row):
        send(bob, row, "note", note="Two\r\ncakes")

        assert Intent.objects.get().payload["changes"] == {"restaurant_note": "Two\ncakes"}

    def test_an_emptied_note_is_cleared(self, bob, row):
        send(bob, row, "note", note=" ")

        assert Intent.objects.get().payload["changes"] == {"restaurant_note": None}

    def test_three_thousand_characters_fit_whatever_the_line_ends(self, bob, row):
        assert send(bob, row, "note", note="a\r\n" * 1500).status_code == 302
        assert send(bob, row, "note", note="a" * 3001).status_code == 422

    def test_a_note_that_was_changed_meanwhile_is_shown(self, bob, row):
        before = pack_snapshot(row)
        row.restaurant_note = "Window"
        row.save()
        answer = send(bob, row, "note", note="Two cakes", seen=before)

        assert "Window" in text_of(answer)
        assert "Two cakes" in text_of(answer)

    def test_a_forged_form_is_refused(self, bob, row):
        assert send(bob, row, "note", note="x", seen="forged").status_code == 422


class TestCancel:
    def test_it_works(self, bob, row):
        send(bob, row, "cancel", reason="Guest called")

        intent = Intent.objects.get()
        assert intent.state == State.HELD
        assert intent.not_before - intent.created_at == timedelta(seconds=8)
        assert intent.reason == "Guest called"

    def test_it_says_what_a_cancellation_is(self, bob, row):
        assert "cancelled by the restaurant" in text_of(look(bob, row, "cancel/"))

    def test_the_booking_shows_it_with_undo(self, bob, row):
        send(bob, row, "cancel")
        page = text_of(look(bob, row))

        assert "Held, can be undone" in page
        assert "Undo" in page

    def test_what_is_over_has_no_button(self, bob, quay):
        row = make_reservation(quay, status="CANCELED", meal_date_text=TIME)

        assert "nothing can be changed any more" in text_of(look(bob, row))


class TestUndo:
    def undo(self, user, intent):
        return sign_in(user).post(f"/reservations/changes/{intent.key}/undo/")

    def test_it_works(self, bob, quay):
        intent = make_intent(quay, state=State.HELD)
        self.undo(bob, intent)

        intent.refresh_from_db()
        assert intent.state == State.WITHDRAWN

    def test_the_address_of_a_page_from_before_an_upgrade_works(self, bob, quay):
        intent = make_intent(quay, state=State.HELD)
        sign_in(bob).post(f"/reservations/wishes/{intent.key}/undo/", follow=True)

        intent.refresh_from_db()
        assert intent.state == State.WITHDRAWN

    def test_what_has_left_stays(self, bob, quay):
        intent = make_intent(quay, state=State.SENDING)
        self.undo(bob, intent)

        intent.refresh_from_db()
        assert intent.state == State.SENDING

    def test_outsiders_find_nothing(self, charlie, quay):
        assert self.undo(charlie, make_intent(quay)).status_code == 404

    def test_without_the_right_it_is_closed(self, bob, quay, without_right):
        without_right("reservations.change_reservation")

        assert self.undo(bob, make_intent(quay)).status_code == 403


class TestAgain:
    def again(self, user, intent):
        return sign_in(user).post(f"/reservations/changes/{intent.key}/again/")

    def test_it_works(self, bob, quay):
        intent = make_intent(quay, state=State.ASKS)
        self.again(bob, intent)

        intent.refresh_from_db()
        assert intent.state == State.WAITING

    def test_what_is_about_a_booking_out_of_reach_leads_to_its_own_page(self, bob, quay):
        intent = make_intent(quay, state=State.ASKS)

        assert self.again(bob, intent).headers["Location"] == f"/reservations/changes/{intent.key}/"

    @pytest.mark.parametrize("state", [State.ASKS, State.HELD, State.WAITING])
    def test_the_form_on_its_page_carries_the_token(self, bob, quay, state):
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        page = text_of(client.get(f"/reservations/changes/{make_intent(quay, state=state).key}/"))
        form = page[page.index("<article") : page.index("</article>")]

        assert 'name="csrfmiddlewaretoken"' in form

    def test_what_is_done_is_not_repeated(self, bob, quay):
        intent = make_intent(quay, state=State.DONE)
        self.again(bob, intent)

        intent.refresh_from_db()
        assert intent.state == State.DONE

    def test_a_stopped_change_goes_on_top_of_the_colleagues(self, bob, row):
        payload = {"changes": {"party_size": 5}, "base": {"party_size": 2, "meal_date": TIME}}
        known = {"action": actions.UPDATE, "uuid": row.uuid, "state": State.REFUSED}
        intent = make_intent(row.restaurant, payload=payload, problem=CHANGED_MEANWHILE, **known)
        self.again(bob, intent)
        self.again(bob, intent)

        new = Intent.objects.get(state=State.WAITING)
        assert new.payload == {"changes": {"party_size": 5}, "base": state_of(row)}

    def test_one_whose_guest_was_erased_meanwhile_is_not_sent(self, bob, row):
        payload = {"changes": {"restaurant_note": "Zoë is ill"}, "base": {}}
        known = {"action": actions.UPDATE, "uuid": row.uuid, "state": State.REFUSED}
        before = make_intent(row.restaurant, payload=payload, problem=CHANGED_MEANWHILE, **known)
        engine.redact(engine.locked(Intent.objects.all()), now=timezone.now())
        request: Any = SimpleNamespace(user=bob)
        apply_again(request, before)

        assert Intent.objects.get().payload == {"changes": {}, "base": {}}


class TestSentChanges:
    def test_it_works(self, bob, row):
        make_intent(row.restaurant, uuid=row.uuid, state=State.DONE, message={"text": "Confirmed."})

        assert "Confirmed." in text_of(look(bob, row, "changes/"))

    def test_outsiders_find_nothing(self, charlie, row):
        assert look(charlie, row, "changes/").status_code == 404

    def test_a_question_offers_to_try_again(self, bob, row):
        make_intent(row.restaurant, uuid=row.uuid, state=State.ASKS)

        assert "Try again" in text_of(look(bob, row, "changes/"))

    def test_a_refusal_for_lack_of_tables_leads_to_other_times(self, bob, row):
        intent = {"state": State.REFUSED, "problem": "NO_AVAILABILITY"}
        make_intent(row.restaurant, uuid=row.uuid, **intent)

        assert "Other times" in text_of(look(bob, row, "changes/"))

    @pytest.mark.parametrize("problem", ["NO_AVAILABILITY", "INVALID_PARTY_SIZE"])
    def test_a_refusal_leads_nowhere_once_the_meal_has_begun(self, bob, row, problem):
        """Its form could only answer that nothing but the note can still be changed."""
        row.meal_at = timezone.now() - timedelta(minutes=5)
        row.save()
        payload = {"changes": {"party_size": 9}, "base": {"party_size": 2}}
        intent = {"state": State.REFUSED, "problem": problem, "payload": payload}
        make_intent(row.restaurant, uuid=row.uuid, action=actions.UPDATE, **intent)
        html = look(bob, row, "changes/").content.decode()

        assert "Other times" not in html
        assert "Correct it" not in html
        assert "Understood" in html
