"""The intents about reservations: what leaves, and how an unknown end is found out."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from outbox import engine, verification
from outbox.models import Intent
from outbox.pages import rows_of
from partner.http.transport import Lost
from partner.testing import recorded
from reservations import actions
from reservations.actions.cancelling import HOLD
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.testing import make_reservation
from reservations.tests.sending import (
    NEW,
    OTHER,
    TIME,
    after,
    api,
    book,
    booked,
    page_of,
    reservation,
    submit,
    work,
    work_until_settled,
)
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures


class TestBook:
    def test_it_works(self, api, submit):
        api.reply("create_reservation", (200, booked()))
        intent = book(submit)
        work()

        assert after(intent).state == State.DONE
        assert intent.result_uuid == NEW
        assert intent.sentence == "Confirmed."

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ({"partySize": 2}, "other values: Fri 4 Dec, 20:15, party of 2. Tell the guest"),
            ({"mealDate": "2099-12-04T22:45:00+01:00"}, "Fri 4 Dec, 22:45, party of 4."),
            ({"customerNote": None}, "did not take over the note"),
            ({"customerNote": "VIP. No  purée."}, "Confirmed."),
            ({"mealDate": "2099-12-04T19:15:00Z"}, "Confirmed."),
            ({"mealDate": None, "partySize": None}, "Confirmed."),
            ({"status": "CANCELED", "partySize": 2}, "no table."),
        ],
    )
    def test_a_booking_is_not_called_confirmed_as_it_is_not(self, api, submit, bob, answer, words):
        note = "No pure\u0301e"  # as a Mac writes it
        api.reply("create_reservation", (200, booked(customerNote=note) | answer))
        intent = book(submit, customer_note=note)
        work()
        make_reservation(intent.restaurant, uuid=NEW)
        page = sign_in(bob).get(f"/reservations/changes/{intent.key}/").text
        is_as_sent = words in ("Confirmed.", "no table.")

        assert words in f"{after(intent).sentence} {intent.next_step}"
        assert ("Booked, but not as sent" in page) is not is_as_sent
        assert is_as_sent or ("Confirmed" not in page and "notice--good" not in page)

    def test_a_request_is_not_called_confirmed(self, api, submit):
        api.reply("create_reservation", (200, booked(status="REQUESTED")))
        intent = book(submit)
        work()

        assert "not confirmed" in after(intent).sentence

    @pytest.mark.parametrize("status", [None, ""])
    def test_a_booking_without_a_status_is_booked_and_not_called_confirmed(
        self, api, submit, status
    ):
        api.reply("create_reservation", (200, booked(status=status)))
        intent = book(submit)
        work()

        assert (after(intent).state, intent.result_uuid) == (State.DONE, NEW)
        assert "did not say yet" in intent.sentence

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"data": {"id": 1}},
            {"status": "RECORDED"},
            {"reservationUuid": None, "status": "RECORDED"},
            {"reservationUuid": str(NEW), "restaurantUuid": OTHER, "status": "RECORDED"},
        ],
        ids=str,
    )
    def test_an_answer_that_names_no_booking_of_ours_is_looked_for(self, api, submit, answer):
        api.reply("create_reservation", (200, answer))
        api.reply("list_reservations", page_of())
        intent = book(submit)
        work_until_settled()

        assert after(intent).state == State.ASKS
        assert len(api.sent("create_reservation")) == 1

    def test_an_answer_that_names_the_booking_of_another_intent_is_looked_for(self, api, submit):
        api.reply("create_reservation", (200, booked()))
        api.reply("list_reservations", page_of())
        first, second = book(submit), book(submit)
        work_until_settled()

        assert after(first).state == State.DONE
        assert after(second).state == State.ASKS

    @pytest.mark.parametrize(
        "text",
        ["2099-12-04T20:15:00+01:00", "2099-12-04T19:15:00Z", "2099-12-04T20:15:00.000+01:00"],
    )
    def test_the_time_of_the_slot_returns_byte_for_byte(self, api, submit, text):
        api.reply("create_reservation", 200)
        book(submit, meal_date=text)
        work()

        assert api.bodies("create_reservation")[0]["mealDate"] == text

    def test_what_is_not_to_change_is_not_sent(self, api, submit):
        api.reply("create_reservation", 200)
        book(submit, customer_note="", restaurant_note="", offer_uuid=None)
        work()

        body = api.bodies("create_reservation")[0]
        assert body.keys() == {"mealDate", "partySize", "customer"}
        assert "optins" not in body["customer"]

    def test_a_refusal_has_its_sentence(self, api, submit):
        api.reply("create_reservation", (400, {"data": {"code": "NO_AVAILABILITY"}}))
        intent = book(submit)
        work()

        assert after(intent).state == State.REFUSED
        assert "no room" in intent.sentence

    def test_a_past_time_never_leaves(self, api, submit):
        intent = book(submit, meal_date="2020-01-01T20:00:00+01:00")
        work()

        assert after(intent).state == State.REFUSED
        assert api.requests == []

    def test_creations_do_not_wait_for_each_other(self, api, submit):
        api.reply("create_reservation", 200)
        held = submit(actions.CREATE, hold=timedelta(hours=1), meal_date=TIME)
        intent = book(submit)
        work()

        assert after(held).state == State.HELD
        assert after(intent).state == State.DONE


class TestChange:
    base = {"meal_date": TIME, "party_size": 4, "restaurant_note": "Cake"}  # noqa: RUF012  # read only

    @pytest.fixture
    def change(self, submit):
        def change(*, base=None, **changes):
            payload = {"changes": changes, "base": base or self.base}
            return submit(actions.UPDATE, uuid=NEW, **payload)

        return change

    def there_is(self, api, **fields):
        api.reply("get_reservation", reservation(**{"restaurantNote": "Cake"} | fields))
        api.reply("update_reservation", 200)

    @pytest.mark.parametrize("status", ["RECORDED", ""])
    def test_it_works(self, api, change, status):
        self.there_is(api)
        answer = recorded("update_reservation") | {"status": status, "partySize": 5}
        api.reply("update_reservation", (200, answer))
        intent = change(party_size=5)
        work()

        assert after(intent).state == State.DONE
        assert api.bodies("update_reservation") == [{"mealDate": TIME, "partySize": 5}]
        assert Intent.objects.get().sentence == ""

    @pytest.mark.parametrize(
        ("status", "tone", "words"),
        [
            ("REQUESTED", "warn", "Asked, not confirmed"),
            ("CANCELED", "bad", "Saved, but the booking is cancelled"),
            ("REFUSED", "bad", "Saved, but the booking is refused"),
            ("PENDING", "warn", "The service answered: Pending."),
        ],
    )
    def test_a_change_that_leaves_no_confirmed_booking_is_not_called_saved_alone(
        self, api, change, status, tone, words
    ):
        self.there_is(api)
        answer = recorded("update_reservation") | {"status": status, "partySize": 5}
        api.reply("update_reservation", (200, answer))
        intent = change(party_size=5)
        make_reservation(intent.restaurant, uuid=NEW)
        work()
        page = sign_in(intent.actor).get(f"/reservations/changes/{intent.key}/").text

        assert after(intent).state == State.DONE
        assert words in page
        assert f"notice--{tone}" in page
        assert "Saved<" not in page
        assert rows_of([after(intent)], intent.actor)[0].tone == "warn"

    def test_a_note_on_a_cancelled_booking_is_no_failure(self, api, change):
        """It was red, though somebody had written it there on purpose, and it was saved."""
        self.there_is(api)
        answer = {"status": "CANCELED", "restaurantNote": "Two cakes"}
        api.reply("update_reservation", (200, recorded("update_reservation") | answer))
        intent = change(restaurant_note="Two cakes")
        make_reservation(intent.restaurant, uuid=NEW)
        work()
        page = sign_in(intent.actor).get(f"/reservations/changes/{intent.key}/").text

        assert "Saved, but the booking is cancelled" in page
        assert "notice--warn" in page
        assert "notice--bad" not in page

    def test_a_note_is_sent_only_when_it_changed(self, api, change):
        self.there_is(api)
        change(restaurant_note="Two cakes")
        work()

        body = api.bodies("update_reservation")[0]
        assert body == {"mealDate": TIME, "partySize": 4, "restaurantNote": "Two cakes"}

    def test_no_note_clears_it(self, api, change):
        self.there_is(api)
        change(restaurant_note=None)
        work()

        assert api.bodies("update_reservation")[0]["restaurantNote"] is None

    def test_it_stops_when_someone_else_was_faster(self, api, change):
        self.there_is(api, mealDate="2099-12-04T20:30:00+01:00")
        intent = change(party_size=5)
        work()

        assert after(intent).state == State.REFUSED
        assert intent.problem == CHANGED_MEANWHILE
        assert "20:30" in intent.sentence
        assert api.sent("update_reservation") == []

    @pytest.mark.parametrize(
        ("there", "words"),
        [
            ("2099-12-04T20:30:00+01:00", "now 20:30, 4 people"),
            ("2099-12-04T18:15:00.000Z", "now 19:15, 4 people"),
            ("2099-12-05T20:15:00+01:00", "now Sat 5 Dec, 20:15, 4 people"),
            ("2099-12-04T23:30:00Z", "now Sat 5 Dec, 00:30, 4 people"),
            ("2099-12-05T20:15:00", "now Sat 5 Dec, 20:15, 4 people"),
        ],
    )
    def test_it_names_the_local_time_and_another_day(self, api, change, there, words):
        self.there_is(api, mealDate=there)
        intent = change(party_size=5)
        work()

        assert words in after(intent).sentence

    def test_another_day_stands_in_the_readers_language(self, api, change):
        self.there_is(api, mealDate="2099-12-05T20:15:00+01:00")
        intent = after(change(party_size=5))
        work()

        with translation.override("fr"):
            assert "maintenant sam 5 déc, 20:15, 4 personnes" in after(intent).sentence

    def test_a_newer_note_does_not_stop_a_move(self, api, change):
        self.there_is(api, restaurantNote="Window")
        intent = change(party_size=5)
        work()

        assert after(intent).state == State.DONE
        assert api.bodies("update_reservation") == [{"mealDate": TIME, "partySize": 5}]

    def test_a_note_goes_with_the_time_that_a_colleague_gave(self, api, change):
        self.there_is(api, mealDate="2099-12-04T20:30:00+01:00")
        change(restaurant_note="Two cakes")
        work()

        assert api.bodies("update_reservation")[0]["mealDate"] == "2099-12-04T20:30:00+01:00"

    def test_two_notes_do_not_overwrite_each_other(self, api, change):
        self.there_is(api, restaurantNote="Window")
        intent = change(restaurant_note="Two cakes")
        work()

        assert after(intent).problem == CHANGED_MEANWHILE

    def test_an_unclear_end_is_found(self, api, change):
        self.there_is(api)
        api.reply("update_reservation", Lost())
        found = reservation(partySize=5, status="REQUESTED")
        api.reply("get_reservation", [reservation(restaurantNote="Cake"), found])
        intent = change(party_size=5)
        work()

        assert (after(intent).state, "not confirmed" in intent.sentence) == (State.DONE, True)

    @pytest.mark.parametrize(
        ("before", "then", "times"),
        [
            ("Cake", "Two\r\ncakes, no pure\u0301e", 1),
            ("Cake", "Cake", 2),
            ("Two cakes, no purée", "Two cakes, no purée", 2),  # only a line break was to change
        ],
    )
    def test_a_note_whose_answer_got_lost_is_found_however_it_is_kept(
        self, api, change, before, then, times
    ):
        looks = [reservation(restaurantNote=then)] * 4
        api.reply("get_reservation", [reservation(restaurantNote=before), *looks])
        api.reply("update_reservation", [Lost(), 200])
        base = self.base | {"restaurant_note": before}
        intent = change(base=base, restaurant_note="Two\ncakes, no purée ")
        work_until_settled()

        assert (after(intent).state, len(api.sent("update_reservation"))) == (State.DONE, times)

    def test_what_did_not_happen_is_sent_again(self, api, change):
        self.there_is(api)
        api.reply("update_reservation", [Lost(), 200])
        intent = change(party_size=5)
        work_until_settled()

        assert after(intent).state == State.DONE
        assert len(api.sent("update_reservation")) == 2

    def test_what_a_third_person_changed_meanwhile_is_a_question(self, api, change):
        self.there_is(api)
        api.reply("update_reservation", Lost())
        elsewhere = [reservation(partySize=7)] * 3
        api.reply("get_reservation", [reservation(restaurantNote="Cake"), *elsewhere])
        intent = change(party_size=5)
        work_until_settled()

        assert after(intent).state == State.ASKS

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"data": {"partySize": 5}},
            {"reservationUuid": OTHER, "partySize": 5},
            {"reservationUuid": str(NEW), "partySize": 4},
        ],
        ids=str,
    )
    def test_an_answer_that_says_otherwise_is_no_confirmation(self, api, change, answer):
        self.there_is(api)
        api.reply("update_reservation", (200, answer))
        intent = change(party_size=5)
        for _sending in range(verification.MOST_SENDINGS):
            work_until_settled()

        assert after(intent).state == State.ASKS
        assert len(api.sent("update_reservation")) == verification.MOST_SENDINGS

    def test_a_note_that_comes_back_trimmed_is_confirmed(self, api, change):
        self.there_is(api)
        trimmed = {"reservationUuid": str(NEW), "restaurantNote": "Two cakes"}
        api.reply("update_reservation", (200, trimmed))
        intent = change(restaurant_note="Two\ncakes ")
        work()

        assert after(intent).state == State.DONE

    def test_what_shows_late_was_ours_and_not_a_colleagues(self, api, change):
        """Three looks saw nothing of it, and then it is there: no “your change was not sent”."""
        api.reply("update_reservation", [Lost(), 200])
        before, then = reservation(restaurantNote="Cake"), reservation(partySize=5)
        api.reply("get_reservation", [before] * 4 + [then] * 4)
        intent = change(party_size=5)
        work_until_settled()

        assert after(intent).state == State.DONE

    def test_an_answer_about_another_booking_is_not_compared(self, api, change):
        api.reply("get_reservation", [(200, {}), reservation(restaurantNote="Cake")])
        api.reply("update_reservation", 200)
        intent = change(restaurant_note=None)
        work()
        assert after(intent).state == State.WAITING
        assert api.sent("update_reservation") == []

        work(after=60)
        assert after(intent).state == State.DONE


class TestCancel:
    def test_it_works(self, api, submit):
        api.reply("cancel_reservation", 200)
        intent = submit(actions.CANCEL, uuid=NEW, hold=HOLD)
        work()
        assert api.requests == []

        work(after=9)
        assert after(intent).state == State.DONE

    def test_undone_in_time_it_never_leaves(self, api, submit):
        intent = submit(actions.CANCEL, uuid=NEW, hold=HOLD)
        engine.withdraw(intent, now=timezone.now())
        work(after=9)

        assert api.requests == []

    def test_cancelled_already_is_done(self, api, submit):
        api.reply("cancel_reservation", 409)
        api.reply("get_reservation", reservation(status="CANCELED"))
        intent = submit(actions.CANCEL, uuid=NEW)
        work()

        assert after(intent).state == State.DONE
        assert intent.sentence == "This booking is already cancelled."

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"data": {"status": "CANCELED"}},
            {"status": "CANCELED"},
            {"reservationUuid": OTHER, "status": "CANCELED"},
            {"reservationUuid": str(NEW), "status": "RECORDED"},
        ],
        ids=str,
    )
    def test_an_answer_that_does_not_say_so_is_looked_at(self, api, submit, answer):
        api.reply("cancel_reservation", (200, answer))
        api.reply("get_reservation", reservation())
        intent = submit(actions.CANCEL, uuid=NEW)
        for _sending in range(verification.MOST_SENDINGS):
            work_until_settled()

        assert after(intent).state == State.ASKS

    def test_another_cancelled_booking_is_no_proof(self, api, submit):
        api.reply("cancel_reservation", Lost())
        other = reservation(reservationUuid=OTHER, status="CANCELED")
        api.reply("get_reservation", other)
        intent = submit(actions.CANCEL, uuid=NEW)
        work_until_settled()

        assert after(intent).state == State.CHECKING

    def test_an_unclear_end_is_found(self, api, submit):
        api.reply("cancel_reservation", Lost())
        api.reply("get_reservation", reservation(status="CANCELED"))
        intent = submit(actions.CANCEL, uuid=NEW)
        work()

        assert after(intent).state == State.DONE
