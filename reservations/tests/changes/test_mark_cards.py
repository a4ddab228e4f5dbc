"""A booking whose change is under way, was refused or needs a decision is marked on every board."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from customers.testing import make_customer
from live.models import Announcement
from outbox import engine, verification
from outbox.models import Intent
from partner import errors
from reservations import actions
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.changes.day_marks import changes_of_day
from reservations.changes.pages.summaries import ChangeSummary
from reservations.models import Reservation
from reservations.testing import DINNER, LONG_AGO, make_intent, make_reservation
from restaurants.testing import make_group, make_restaurant, sign_in

DAY = "2026-01-17"
MARK = 'data-change="'
ZOOMS = ["arrivals", "stays", "list"]
State = Intent.State

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(DINNER - timedelta(minutes=20), tick=False):
        yield


@pytest.fixture
def row(quay, harbour):
    return make_reservation(quay, customer=make_customer(harbour, last_name="Rossi"))


def board(user, zoom="list", day=DAY):
    return sign_in(user).get("/", {"day": day, "zoom": zoom, "whole": "1"}).content.decode()


def card(user, row, zoom="list"):
    address = f"/reservations/{row.uuid}/card/"
    return sign_in(user).get(address, {"day": DAY, "zoom": zoom}).content.decode()


def make_change(row, state, *, restaurant=None, **fields):
    known = {"uuid": row.uuid, "state": state, "created_at": timezone.now()}
    known |= {"problem": "NO_AVAILABILITY"} if state == State.REFUSED else {}
    return make_intent(restaurant or row.restaurant, **known | fields)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.HELD, "Change under way"),
        (State.WAITING, "Change under way"),
        (State.SENDING, "Change under way"),
        (State.CHECKING, "Change under way"),
        (State.REFUSED, "Change refused"),
        (State.ASKS, "Change to decide"),
    ],
)
@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_change_that_is_not_done_is_marked(bob, row, zoom, state, words):
    make_change(row, state)
    assert words in board(bob, zoom)
    assert words in card(bob, row, zoom)


@pytest.mark.parametrize("state", [State.DONE, State.WITHDRAWN])
def test_one_that_is_settled_is_not(bob, row, state):
    make_change(row, state)
    assert MARK not in board(bob)


TO_FOUR = {"changes": {"party_size": 4}, "base": {"party_size": 2}}
TO_NINE_PM = {"changes": {"meal_date": "2026-01-17T21:00:00+01:00"}, "base": {}}
BY_THE_WINDOW = {"changes": {"restaurant_note": "By the window"}, "base": {}}
DONE_BUT_NOT_READ = [
    (actions.UPDATE, TO_FOUR),
    (actions.UPDATE, TO_NINE_PM),
    (actions.UPDATE, BY_THE_WINDOW),
    (actions.CANCEL, {}),
]


class TestDone:
    """The service has confirmed it, and the copy shows the booking as it was until it is read."""

    @pytest.fixture(params=DONE_BUT_NOT_READ, ids=["size", "time", "note", "cancel"])
    def change(self, row, request):
        action, payload = request.param
        known = {"action": action, "payload": payload, "ended_at": timezone.now()}
        return make_change(row, State.DONE, **known)

    def test_it_works(self, bob, row, change):
        assert "Change under way" in board(bob)
        assert "Change under way" in card(bob, row)

    def test_until_the_booking_was_read(self, bob, row, change):
        later = change.ended_at + timedelta(seconds=1)
        Reservation.objects.filter(pk=row.pk).update(read_at=later)

        assert MARK not in board(bob)

    def test_what_it_changed_is_shown_already(self, bob, row, change):
        shown = {
            "party_size": 4,
            "meal_date_text": "2026-01-17T20:00:00+00:00",
            "restaurant_note": "By the window",
        }
        shown |= {"status": "CANCELED"} if change.action == actions.CANCEL else {}
        Reservation.objects.filter(pk=row.pk).update(**shown)

        assert MARK not in board(bob)

    def test_its_words_were_redacted(self, bob, change):
        Intent.objects.update(payload={})

        assert ("Change under way" in board(bob)) == (change.action == actions.CANCEL)


def test_also_on_another_day_than_today(bob, quay):
    later = make_reservation(quay, meal_at=DINNER + timedelta(days=3))
    make_change(later, State.REFUSED)
    assert "Change refused" in board(bob, day="2026-01-20")
    assert "Change refused" not in board(bob)


def test_a_refusal_is_outdated_by_a_later_change(bob, row):
    make_change(row, State.REFUSED, created_at=LONG_AGO)
    make_change(row, State.DONE)
    assert MARK not in board(bob)


def test_not_by_one_that_was_undone(bob, row):
    make_change(row, State.REFUSED, created_at=LONG_AGO)
    make_change(row, State.WITHDRAWN)
    assert "Change refused" in board(bob)


def test_a_question_is_not(bob, row):
    make_change(row, State.ASKS, created_at=LONG_AGO)
    make_change(row, State.WAITING)
    assert "Change to decide" in board(bob)


def test_a_change_that_met_a_colleagues_needs_a_decision(bob, row):
    make_change(row, State.REFUSED, problem=CHANGED_MEANWHILE)
    assert "Change to decide" in board(bob)


def test_a_booking_that_has_moved_to_another_restaurant_takes_its_marks_along(bob, harbour, row):
    former = make_restaurant(harbour, "Former")
    make_change(row, State.REFUSED, restaurant=former)
    assert "Change refused" in board(bob)
    assert "Change refused" in card(bob, row)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there.")
def test_changes_are_found_by_the_bookings_of_the_day(quay):
    """Of a restaurant there are more and more refusals that nobody has answered."""
    with CaptureQueriesContext(connection) as queries:
        changes_of_day(DINNER.date(), [quay.pk])
    [query] = queries
    with connection.cursor() as cursor:
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()

    assert "INDEX intent_about (kind=? AND uuid=?)" in plan[0][3]


def test_a_uuid_of_another_account_marks_nothing(bob, row):
    elsewhere = make_restaurant(make_group("Elsewhere"), "Elsewhere")
    make_change(row, State.REFUSED, restaurant=elsewhere)
    assert MARK not in board(bob)


def test_a_refusal_that_somebody_has_taken_note_of_is_marked_no_more(bob, row):
    refused = make_change(row, State.REFUSED)
    client = sign_in(bob)
    drawer = client.get(f"/reservations/{row.uuid}/")
    assert "Understood" in drawer.content.decode()

    page = client.post(f"/reservations/changes/{refused.key}/keep/", follow=True).content.decode()

    assert "Understood" not in page
    assert MARK not in board(bob)
    assert 'data-state="refused"' in page  # what became of it can still be read


def test_who_may_not_see_the_restaurant_cannot_take_note(charlie, row):
    refused = make_change(row, State.REFUSED)
    answer = sign_in(charlie).post(f"/reservations/changes/{refused.key}/keep/")

    assert answer.status_code == 404
    refused.refresh_from_db()
    assert refused.problem


def test_without_the_right_nobody_takes_note(bob, row, without_right):
    without_right("reservations.change_reservation")
    refused = make_change(row, State.REFUSED)
    answer = sign_in(bob).post(f"/reservations/changes/{refused.key}/keep/")

    assert answer.status_code == 403
    refused.refresh_from_db()
    assert refused.problem


def test_what_marks_no_booking_is_not_taken_note_of(bob, quay):
    fields = {"action": actions.OVERRIDE, "kind": "availability", "uuid": quay.uuid}
    refused = make_intent(quay, state=State.REFUSED, problem="X", **fields)

    assert not ChangeSummary(refused).can_be_acknowledged


@pytest.mark.parametrize("step", ["undo", "again", "keep"])
@pytest.mark.parametrize("action", ["review.reply", "phone.milestone"])
@pytest.mark.parametrize("state", [State.HELD, State.ASKS, State.REFUSED])
def test_what_needs_another_right_is_not_decided_here(bob, quay, action, state, step):
    """Open screens know the key of each change of the restaurant."""
    intent = make_intent(quay, state=state, problem="X", action=action, kind="other")
    answer = sign_in(bob).post(f"/reservations/changes/{intent.key}/{step}/")

    assert answer.status_code == 404
    intent.refresh_from_db()
    assert (intent.state, intent.problem) == (state, "X")


class TestOpenScreens:
    """What turns on a card is announced with a version of its own, so that each screen reads it."""

    def turn(self, row, step):
        """The versions that were announced of the booking while the step was taken."""
        Announcement.objects.all().delete()
        step()
        announced = Announcement.objects.filter(kind="reservation", uuid=row.uuid)
        return list(announced.values_list("version", flat=True))

    def submit(self, row):
        fields = {"uuid": row.uuid, "restaurant": row.restaurant, "payload": {}, "actor": None}
        return engine.submit(actions.CANCEL, key=uuid4(), kind="reservation", **fields)

    def test_a_change_that_is_stored(self, row):
        before = row.version
        assert self.turn(row, lambda: self.submit(row)) == [before + 1]
        assert Reservation.objects.get(pk=row.pk).version == before + 1

    def test_one_that_is_withdrawn(self, row):
        intent = self.submit(row)
        assert self.turn(row, lambda: engine.withdraw(intent, now=timezone.now()))

    def test_one_that_is_refused(self, row):
        intent = self.submit(row)
        assert self.turn(row, lambda: verification.refuse(intent, errors.Refused(code="X")))

    def test_one_that_is_sent_again_by_a_person(self, row):
        intent = make_change(row, State.ASKS)
        assert self.turn(row, lambda: engine.try_again(intent, now=timezone.now()))

    def test_a_refusal_that_somebody_has_answered(self, row):
        intent = make_change(row, State.REFUSED)
        assert self.turn(row, lambda: engine.answer(intent, message={}))
