"""A booking whose answer got lost: found, or a question, and never booked twice."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from customers.testing import make_customer
from outbox import engine
from outbox.models import Intent
from partner.http.transport import Lost
from partner.testing import recorded
from reservations import actions
from reservations.models import Reservation
from reservations.testing import make_reservation
from reservations.tests.sending import (
    GUEST,
    NEW,
    OTHER,
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

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures


class TestFindBooking:
    """After a lost answer the list is the only witness."""

    @pytest.fixture
    def lost(self, api, submit):
        api.reply("create_reservation", Lost())
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        return book(submit)

    def test_it_works(self, api, lost):
        api.reply("get_reservation", reservation())
        work()

        assert after(lost).state == State.DONE
        assert lost.result_uuid == NEW
        assert len(api.sent("create_reservation")) == 1

    @pytest.mark.parametrize(
        ("there", "state"),
        [
            ({}, State.DONE),
            ({"createdAt": "2026-01-01T00:00:00Z"}, State.REFUSED),
            ({"reservationChannel": "Offline"}, State.ASKS),
        ],
        ids=str,
    )
    def test_a_clash_with_itself_is_no_refusal(self, api, submit, there, state):
        """A gateway repeated the request after the service had booked."""
        api.reply("create_reservation", (409, {"data": {"code": "DOUBLE_BOOKING"}}))
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        api.reply("get_reservation", reservation(**there))
        intent = book(submit)
        work()

        assert after(intent).state == state
        assert intent.result_uuid == (NEW if state == State.DONE else None)

    def test_a_clash_with_a_twin_that_is_looked_for_is_not_taken_for_it(self, api, submit):
        """The list shows late what the first made: somebody has booked it again meanwhile."""
        api.reply("create_reservation", [Lost(), (409, {"data": {"code": "DOUBLE_BOOKING"}})])
        api.reply("list_reservations", [page_of()] * 2 + [page_of(NEW)] * 4)
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        api.reply("get_reservation", reservation())
        first, second = book(submit), book(submit)
        work_until_settled()

        assert (after(first).state, first.result_uuid) == (State.DONE, NEW)
        assert after(second).state == State.ASKS

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

    def test_the_booking_of_another_intent_is_not_taken_for_it(self, api, lost):
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

    def test_a_list_that_counts_too_many_shows_it_all_the_same(self, api, lost):
        status, named = page_of(NEW)
        api.reply("list_reservations", (status, named | {"totalCount": 3}))
        api.reply("get_reservation", reservation())
        work()

        assert after(lost).state == State.DONE
        assert lost.result_uuid == NEW

    def test_and_never_proves_that_it_is_missing(self, api, lost):
        status, named = page_of(other := uuid4())
        api.reply("list_reservations", (status, named | {"totalCount": 3}))
        old = {"reservationUuid": str(other), "createdAt": "2026-01-01T00:00:00Z"}
        api.reply("get_reservation", reservation(**old))
        work_until_settled()

        assert after(lost).state == State.ASKS
        assert "cannot tell" in lost.sentence
        assert len(api.sent("create_reservation")) == 1

    @pytest.mark.parametrize(
        "changed",
        [
            {"partySize": 5},
            {"mealDate": "2099-12-04T20:30:00+01:00"},
            {"status": "CANCELED"},
            {"status": "NO_SHOW"},
            {"reservationChannel": "Offline"},
            {"createdAt": None},
            {"customerUuid": None},
        ],
        ids=str,
    )
    def test_one_that_may_have_been_changed_since_is_never_called_missing(self, api, lost, changed):
        api.reply("get_reservation", reservation(**changed))
        work_until_settled()

        assert after(lost).state == State.ASKS
        assert "cannot tell" in lost.sentence
        assert "safe" not in lost.sentence

    @pytest.mark.parametrize(
        ("minutes", "changed"),
        [
            *((minutes, {}) for minutes in (3, 10, 5 * 60, 23 * 60)),
            (10, {"partySize": 5}),
            (10, {"mealDate": "2099-12-04T20:30:00+01:00"}),
            (10, {"reservationChannel": "Offline"}),
            (10, {"status": "CANCELED"}),
            (23 * 60, {"partySize": 5, "reservationChannel": "Offline"}),
            (23 * 60, {"customerUuid": None}),
        ],
        ids=str,
    )
    def test_a_clock_that_is_slow_or_of_another_zone_never_calls_it_missing(
        self, api, lost, minutes, changed
    ):
        """Where it reads “safe to try again”, a person books the table twice."""
        created = lost.created_at - timedelta(minutes=minutes)
        api.reply("get_reservation", reservation(createdAt=created.isoformat(), **changed))
        work_until_settled()

        assert (after(lost).state, lost.problem) == (State.ASKS, "unsure")
        assert "safe" not in lost.sentence

    @pytest.mark.parametrize(
        "other",
        [
            {"guest": {"email": "x@example.com", "phone": "+33199009999"}},
            {"booking": {"partySize": 5, "mealDate": "2099-12-04T20:30:00+01:00"}},
            {"minutes": 25 * 60},
        ],
        ids=str,
    )
    def test_an_older_booking_that_cannot_be_it_leaves_no_question(self, api, lost, other):
        """Every booking of the last hours would be one, for whoever looks after an outage."""
        created = lost.created_at - timedelta(minutes=other.get("minutes", 60))
        guest = {"email": GUEST["email"]} | other.get("guest", {})
        api.reply("get_customer", (200, recorded("get_customer") | guest))
        booking = {"createdAt": created.isoformat()} | other.get("booking", {})
        api.reply("get_reservation", reservation(**booking))
        work_until_settled()

        assert after(lost).state == State.ASKS
        assert "safe to try again" in lost.sentence

    @pytest.mark.parametrize("minutes", [1, -10, -5 * 60])
    def test_a_clock_that_is_fast_finds_it(self, api, lost, minutes):
        created = lost.created_at - timedelta(minutes=minutes)
        api.reply("get_reservation", reservation(createdAt=created.isoformat()))
        work()

        assert (after(lost).state, lost.result_uuid) == (State.DONE, NEW)

    def test_the_list_of_what_was_written_begins_a_day_before(self, api, lost):
        """To a slow clock a booking of the first minutes of a day is one of the day before."""
        api.reply("get_reservation", reservation())
        work()

        [written] = [one.path for one in api.sent("list_reservations") if "updatedDate" in one.path]
        day = (lost.created_at - timedelta(days=1, minutes=2)).astimezone(UTC).date()
        assert f"startDate={day}&" in written

    def test_a_time_without_an_offset_is_the_restaurants_own(self, api, lost):
        api.reply("get_reservation", reservation(mealDate="2099-12-04T20:15:00"))
        work()

        assert after(lost).state == State.DONE

    def test_an_old_copy_of_the_guest_is_no_proof_of_another_guest(self, api, lost, harbour):
        uuid = recorded("get_customer")["customerUuid"]
        guest = make_customer(harbour, uuid=uuid, email="old@example.com")
        api.reply("get_reservation", reservation(customerUuid=str(guest.uuid)))
        work()

        assert after(lost).state == State.DONE

    def test_a_guest_of_whom_only_the_number_fits_is_a_question(self, api, lost):
        other = {"email": "x@example.com", "phone": GUEST["phone"]}
        api.reply("get_customer", (200, recorded("get_customer") | other))
        api.reply("get_reservation", reservation())
        work_until_settled()

        assert "cannot tell" in after(lost).sentence

    def test_a_guest_whom_the_key_may_not_read_is_a_question(self, api, lost):
        """It ended in “our key lacks the right”, with every look, and could never be settled."""
        api.reply("get_customer", (403, {"message": "Forbidden"}))
        api.reply("get_reservation", reservation())
        work_until_settled()

        assert (after(lost).state, lost.problem) == (State.ASKS, "unsure")
        engine.try_again(lost, now=timezone.now())
        api.reply("create_reservation", (200, booked(reservationUuid=OTHER)))
        work()
        assert (after(lost).state, str(lost.result_uuid)) == (State.DONE, OTHER)

    def test_what_is_read_of_something_else_is_read_again(self, api, lost):
        api.reply("get_reservation", [(200, {}), reservation()])
        work()
        assert after(lost).state == State.CHECKING

        work(after=60)
        assert after(lost).state == State.DONE

    def test_the_booking_of_a_twin_that_is_being_sent_is_not_taken(self, api, lost, submit):
        api.reply("get_reservation", reservation())
        twin = book(submit)
        Intent.objects.filter(pk=twin.pk).update(
            state=State.SENDING, lease_until=timezone.now() + timedelta(hours=1)
        )
        work()

        assert after(lost).state == State.CHECKING

    def test_it_is_looked_for_once_more_before_it_is_repeated(self, api, lost):
        api.reply("list_reservations", page_of())
        work_until_settled()
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_reservation", reservation())
        engine.try_again(after(lost), now=timezone.now())
        work()

        assert after(lost).state == State.DONE
        assert lost.result_uuid == NEW
        assert len(api.sent("create_reservation")) == 1

    def test_a_refusal_of_the_repetition_does_not_hide_the_first_booking(self, api, lost):
        api.reply("create_reservation", [Lost(), 409])
        # Three looks and the one before the repetition see nothing of it: two lists each.
        api.reply("list_reservations", [page_of()] * 8 + [page_of(NEW)] * 2)
        api.reply("get_reservation", reservation())
        work_until_settled()
        engine.try_again(after(lost), now=timezone.now())
        work()

        assert after(lost).state == State.DONE
        assert lost.result_uuid == NEW

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

    @pytest.mark.parametrize("is_repeated", [False, True])
    def test_a_look_that_reads_many_new_bookings_keeps_its_intent(
        self, api, lost, time_machine, is_repeated
    ):
        """At three seconds each they take longer than a lease."""
        if is_repeated:
            api.reply("list_reservations", page_of())
            work_until_settled()
            engine.try_again(after(lost), now=timezone.now())
        taken = []
        time_machine.move_to(timezone.now() + timedelta(seconds=1))

        def slow(request):
            time_machine.shift(timedelta(seconds=3))
            taken.append(engine.claim(now=timezone.now()))
            return 404 if request.target != NEW else reservation()

        api.reply("list_reservations", page_of(*(uuid4() for _ in range(20)), NEW))
        api.reply("get_reservation", slow)
        work()

        assert taken == [None] * 21
        assert (after(lost).state, lost.result_uuid) == (State.DONE, NEW)

    @pytest.mark.parametrize("payload", [{}, {"message": "Service temporarily unavailable"}])
    def test_an_answer_about_something_else_is_looked_up(self, api, submit, payload):
        api.reply("create_reservation", (200, payload))
        api.reply("list_reservations", page_of(NEW))
        api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
        api.reply("get_reservation", reservation())
        intent = book(submit)
        work_until_settled()

        assert (after(intent).state, intent.result_uuid) == (State.DONE, NEW)
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
