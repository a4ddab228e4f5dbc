"""The wishes about reservations: what leaves, and how an unknown end is found out."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from customers.testing import make_customer
from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, recorded, speak_through
from partner.transport import Lost
from reservations import actions
from reservations.actions import booking
from reservations.actions.cancelling import HOLD
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.models import Reservation
from reservations.testing import make_reservation

pytestmark = pytest.mark.django_db
State = Intent.State
NEW = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
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
def wish(quay, bob):
    def wish(action, *, uuid=None, kind="reservation", hold=timedelta(0), **payload):
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

    return wish


def book(wish, **changes):
    known = {"meal_date": TIME, "party_size": 4, "customer": GUEST}
    return wish(actions.CREATE, **known | changes)


def work(*, after=0):
    engine.work(now=timezone.now() + timedelta(seconds=1 + after))


def work_until_settled():
    for seconds in (0, 20, 120, 300):
        work(after=seconds)


def after(intent):
    intent.refresh_from_db()
    return intent


def page_of(*uuids):
    return (200, {"data": [str(u) for u in uuids], "totalCount": len(uuids), "page": 1, "limit": 1})


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


class TestBook:
    def test_it_works(self, api, wish):
        api.reply("create_reservation", 200)
        intent = book(wish)
        work()

        assert after(intent).state == State.DONE
        assert intent.result_uuid == NEW
        assert intent.sentence == "Confirmed."

    def test_a_request_is_not_called_confirmed(self, api, wish, quay):
        facts = {"restaurantUuid": str(quay.uuid), "status": "REQUESTED"}
        api.reply("create_reservation", (200, recorded("create_reservation") | facts))
        intent = book(wish)
        work()

        assert "not confirmed" in after(intent).sentence

    @pytest.mark.parametrize(
        "text",
        ["2099-12-04T20:15:00+01:00", "2099-12-04T19:15:00Z", "2099-12-04T20:15:00.000+01:00"],
    )
    def test_the_time_of_the_slot_returns_byte_for_byte(self, api, wish, text):
        api.reply("create_reservation", 200)
        book(wish, meal_date=text)
        work()

        assert api.bodies("create_reservation")[0]["mealDate"] == text

    def test_what_is_not_wished_is_not_sent(self, api, wish):
        api.reply("create_reservation", 200)
        book(wish, customer_note="", restaurant_note="", offer_uuid=None)
        work()

        body = api.bodies("create_reservation")[0]
        assert body.keys() == {"mealDate", "partySize", "customer"}
        assert "optins" not in body["customer"]

    def test_a_refusal_has_its_sentence(self, api, wish):
        api.reply("create_reservation", (400, {"data": {"code": "NO_AVAILABILITY"}}))
        intent = book(wish)
        work()

        assert after(intent).state == State.REFUSED
        assert "no room" in intent.sentence

    def test_a_past_time_never_leaves(self, api, wish):
        intent = book(wish, meal_date="2020-01-01T20:00:00+01:00")
        work()

        assert after(intent).state == State.REFUSED
        assert api.requests == []

    def test_creations_do_not_wait_for_each_other(self, api, wish):
        api.reply("create_reservation", 200)
        held = wish(actions.CREATE, hold=timedelta(hours=1), meal_date=TIME)
        intent = book(wish)
        work()

        assert after(held).state == State.HELD
        assert after(intent).state == State.DONE


class TestFindBooking:
    """After a lost answer the list is the only witness."""

    @pytest.fixture
    def lost(self, api, wish):
        api.reply("create_reservation", Lost())
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        return book(wish)

    def test_it_works(self, api, lost):
        api.reply("get_reservation", reservation())
        work()

        assert after(lost).state == State.DONE
        assert lost.result_uuid == NEW
        assert len(api.sent("create_reservation")) == 1

    def test_our_copy_of_the_guest_is_enough(self, api, lost, harbour):
        guest = make_customer(harbour, email="JO.martin@example.com")
        api.reply("get_reservation", reservation(customerUuid=str(guest.uuid)))
        work()

        assert after(lost).state == State.DONE
        assert api.sent("get_customer") == []

    @pytest.mark.parametrize(
        "other",
        [
            {"partySize": 5},
            {"mealDate": "2099-12-04T20:30:00+01:00"},
            {"reservationChannel": "Booking Module"},
            {"createdAt": "2026-01-01T00:00:00Z"},
        ],
    )
    def test_another_booking_is_not_taken_for_it(self, api, lost, other):
        api.reply("get_reservation", reservation(**other))
        work_until_settled()

        assert after(lost).state == State.ASKS
        assert len(api.sent("create_reservation")) == 1

    def test_another_guest_is_not_taken_for_it(self, api, lost):
        api.reply("get_customer", (200, recorded("get_customer") | {"email": "x@example.com"}))
        api.reply("get_reservation", reservation())
        work_until_settled()

        assert after(lost).state == State.ASKS

    def test_another_spelling_of_the_moment_is_the_same(self, api, lost):
        api.reply("get_reservation", reservation(mealDate="2099-12-04T19:15:00Z"))
        work()

        assert after(lost).state == State.DONE

    def test_the_booking_of_another_wish_is_not_taken_for_it(self, api, lost):
        Intent.objects.filter(pk=engine_row(lost, result_uuid=NEW).pk).update(state=State.DONE)
        api.reply("get_reservation", reservation())
        work_until_settled()

        assert after(lost).state == State.ASKS

    def test_what_was_known_before_is_not_read_again(self, api, lost, quay):
        make_reservation(quay, uuid=NEW)
        work()

        assert api.sent("get_reservation") == []

    def test_nothing_found_three_times_is_a_question(self, api, lost):
        api.reply("list_reservations", page_of())
        work_until_settled()

        assert after(lost).state == State.ASKS
        assert "safe to try again" in lost.sentence

    def test_a_list_that_leaves_out_what_is_known_is_no_witness(self, api, lost, quay):
        meal = datetime(2099, 12, 4, 19, 15, tzinfo=UTC)
        for _booking in range(30):
            make_reservation(quay, meal_at=meal)
        api.reply("list_reservations", page_of())
        work_until_settled()
        assert after(lost).state == State.CHECKING

        api.reply("list_reservations", page_of(NEW, *(row.pk for row in Reservation.objects.all())))
        api.reply("get_reservation", reservation())
        work_until_settled()
        assert (after(lost).state, lost.result_uuid) == (State.DONE, NEW)

    @pytest.mark.parametrize("payload", [{}, {"message": "Service temporarily unavailable"}])
    def test_an_answer_about_something_else_is_looked_up(self, api, wish, payload):
        api.reply("create_reservation", (200, payload))
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        api.reply("get_reservation", reservation())
        booked = book(wish)
        work_until_settled()

        assert (after(booked).state, booked.result_uuid) == (State.DONE, NEW)
        assert len(api.sent("create_reservation")) == 1

    def test_a_look_answered_with_something_else_decides_nothing(self, api, lost):
        api.reply("get_reservation", (200, {"message": "Service temporarily unavailable"}))
        work_until_settled()
        assert after(lost).state == State.CHECKING

        api.reply("get_reservation", reservation())
        work_until_settled()
        assert after(lost).state == State.DONE


def engine_row(like, **fields):
    fields |= {"not_before": like.not_before, "created_at": like.created_at, "payload": {}}
    return Intent.objects.create(
        action=actions.CREATE, kind="reservation", restaurant=like.restaurant, **fields
    )


class TestChange:
    base = {"meal_date": TIME, "party_size": 4, "restaurant_note": "Cake"}  # noqa: RUF012  # read only

    @pytest.fixture
    def change(self, wish):
        def change(*, base=None, **changes):
            payload = {"changes": changes, "base": base or self.base}
            return wish(actions.UPDATE, uuid=NEW, **payload)

        return change

    def there_is(self, api, **fields):
        api.reply("get_reservation", reservation(**{"restaurantNote": "Cake"} | fields))
        api.reply("update_reservation", 200)

    def test_it_works(self, api, change):
        self.there_is(api)
        intent = change(party_size=5)
        work()

        assert after(intent).state == State.DONE
        assert api.bodies("update_reservation") == [{"mealDate": TIME, "partySize": 5}]

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
        api.reply("get_reservation", [reservation(restaurantNote="Cake"), reservation(partySize=5)])
        intent = change(party_size=5)
        work()

        assert after(intent).state == State.DONE

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


class TestCancel:
    def test_it_works(self, api, wish):
        api.reply("cancel_reservation", 200)
        intent = wish(actions.CANCEL, uuid=NEW, hold=HOLD)
        work()
        assert api.requests == []

        work(after=9)
        assert after(intent).state == State.DONE

    def test_undone_in_time_it_never_leaves(self, api, wish):
        intent = wish(actions.CANCEL, uuid=NEW, hold=HOLD)
        engine.withdraw(intent, now=timezone.now())
        work(after=9)

        assert api.requests == []

    def test_cancelled_already_is_done(self, api, wish):
        api.reply("cancel_reservation", 409)
        intent = wish(actions.CANCEL, uuid=NEW)
        work()

        assert after(intent).state == State.DONE

    def test_an_unclear_end_is_found(self, api, wish):
        api.reply("cancel_reservation", Lost())
        api.reply("get_reservation", reservation(status="CANCELED"))
        intent = wish(actions.CANCEL, uuid=NEW)
        work()

        assert after(intent).state == State.DONE


class TestOverride:
    @pytest.fixture
    def switch(self, wish, quay):
        def switch(*, is_open=False, end="21:30"):
            payload = {"day": "2099-12-04", "start_time": "19:00", "end_time": end}
            return wish(
                actions.OVERRIDE, kind="availability", uuid=quay.uuid, is_open=is_open, **payload
            )

        return switch

    def test_it_works(self, api, switch):
        api.reply("override_availability", 200)
        intent = switch()
        work()

        assert after(intent).state == State.DONE
        assert api.bodies("override_availability")[0]["isOpen"] is False

    def test_the_day_stays_the_restaurants_own(self, api, switch):
        api.reply("override_availability", 200)
        switch(is_open=True, end=None)
        work()

        body = api.bodies("override_availability")[0]
        assert body == {"date": str(date(2099, 12, 4)), "startTime": "19:00", "isOpen": True}

    @pytest.mark.parametrize(("slots", "sendings"), [([], 1), (None, 2)])
    def test_an_unclear_end_is_looked_at_in_the_slots(self, api, switch, slots, sendings):
        api.reply("override_availability", [Lost(), 200])
        api.reply("list_timeslots", (200, recorded("list_timeslots") if slots is None else slots))
        intent = switch()
        work_until_settled()

        assert after(intent).state == State.DONE
        assert len(api.sent("override_availability")) == sendings
