"""The way out: every intent ends as done, refused, withdrawn or a question, and is sent once."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from live.models import Announcement
from mirror.models import SyncRequest
from mirror.processes import clock_jumps, heartbeat
from outbox import engine, verification
from outbox.models import Intent
from outbox.registry import Found, Look
from outbox.tests.steps import CREATED, state_of, work
from outbox.transitions import LEASE, TURN, renew_lease
from partner import errors
from partner.models import Connection

pytestmark = pytest.mark.django_db
State = Intent.State


def test_it_works(service, submit):
    intent = submit()
    work()

    assert state_of(intent) == State.DONE
    assert intent.answer == '{"ok": true}'


def test_the_same_form_sent_twice_is_one_intent(service, submit):
    key = uuid4()
    submit(key=key)
    submit(key=key)
    work()

    assert len(service.sent) == 1


def test_a_held_intent_leaves_after_its_time(service, submit):
    intent = submit(hold=timedelta(seconds=8))
    work()
    assert state_of(intent) == State.HELD

    work(after=timedelta(seconds=9))
    assert state_of(intent) == State.DONE


def test_a_held_intent_leaves_soon_after_a_clock_that_ran_ahead_is_right_again(service, submit):
    now = timezone.now()
    heartbeat.start_anew()
    with time_machine.travel(now + timedelta(days=1), tick=False):
        intent = submit(hold=timedelta(seconds=8))
    clock_jumps.follow(now=now)

    work(after=timedelta(seconds=9))

    assert state_of(intent) == State.DONE


def test_a_held_intent_can_be_withdrawn(service, submit):
    intent = submit(hold=timedelta(seconds=8))

    assert engine.withdraw(intent, now=timezone.now())
    work(after=timedelta(seconds=9))
    assert state_of(intent) == State.WITHDRAWN
    assert service.sent == []


def test_what_has_left_cannot_be_withdrawn(service, submit):
    intent = submit()
    work()

    assert not engine.withdraw(intent, now=timezone.now())


def test_what_never_left_is_sent_later(service, submit):
    service.answers = [errors.NotSent(retry_after=1)]
    intent = submit()
    work()
    assert state_of(intent) == State.WAITING
    assert intent.can_be_withdrawn

    work(after=timedelta(minutes=2))
    assert state_of(intent) == State.DONE


def test_without_a_connection_it_waits_and_leaves_when_there_is_one(service, submit):
    Connection.objects.update(state=Connection.State.PAUSED)
    intent = submit()
    work()
    assert state_of(intent) == State.WAITING
    assert "The connection is paused: nothing is sent or read." in intent.sentence
    assert intent.can_be_withdrawn

    Connection.objects.update(state=Connection.State.ACTIVE)
    work(after=timedelta(minutes=2))
    assert state_of(intent) == State.DONE


def test_without_a_connection_a_look_is_put_off(service, submit):
    service.found = Look(Found.DONE, CREATED)
    intent = unclear(submit)
    Connection.objects.update(state=Connection.State.PAUSED)
    work()
    assert state_of(intent) == State.CHECKING

    Connection.objects.update(state=Connection.State.ACTIVE)
    work(after=timedelta(minutes=2))
    assert state_of(intent) == State.DONE


class TestARefusedKey:
    """The service refuses our key everywhere: nothing leaves until it ends, or is replaced."""

    @pytest.fixture
    def waiting(self, service, submit):
        service.answers = [errors.AuthSuspect(retry_after=8000)]
        rows = [submit(), submit()]
        work()
        assert [state_of(row) for row in rows] == [State.WAITING] * 2
        return rows

    def test_the_first_that_leaves_with_a_new_one_takes_the_others_along(self, waiting, submit):
        fresh = submit()
        work()

        assert [state_of(row) for row in (fresh, *waiting)] == [State.DONE] * 3

    def test_a_new_one_is_noticed_within_a_minute(self, service, waiting):
        assert len(service.sent) == 1

        work(after=timedelta(seconds=61))
        assert [state_of(row) for row in waiting] == [State.DONE] * 2

    def test_while_it_is_refused_one_intent_asks_for_all(self, service, waiting):
        service.answers = [errors.AuthSuspect(retry_after=7900)]
        work(after=timedelta(seconds=61))

        assert len(service.sent) == 2


def test_a_refusal_ends_it_with_a_sentence_and_a_next_step(service, submit):
    service.answers = [errors.Refused(status=400, code="NO_AVAILABILITY")]
    intent = submit()
    work()

    assert state_of(intent) == State.REFUSED
    assert intent.problem == "NO_AVAILABILITY"
    assert intent.sentence


def test_a_refusal_that_says_it_is_true_already_is_done(service, submit):
    service.answers = [errors.Conflict(status=409, code="DOUBLE_CANCELLATION")]
    service.found = Look(Found.DONE)
    intent = submit("cancel")
    work()

    assert state_of(intent) == State.DONE


def test_an_unclear_end_is_looked_at_and_found(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.DONE, CREATED)
    intent = submit("create")
    work()

    assert state_of(intent) == State.DONE
    assert intent.result_uuid == CREATED
    assert len(service.sent) == 1


def test_a_change_that_did_not_happen_is_sent_again_after_three_looks(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.NOT_DONE)
    intent = submit("note")
    for seconds in (1, 20, 120, 130):
        work(after=timedelta(seconds=seconds))

    assert state_of(intent) == State.DONE
    assert (service.looks, len(service.sent)) == (3, 2)


def test_a_creation_is_never_repeated_without_a_person(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.NOT_DONE)
    intent = submit("create")
    for seconds in (1, 20, 120, 300):
        work(after=timedelta(seconds=seconds))

    assert state_of(intent) == State.ASKS
    assert len(service.sent) == 1


def test_what_is_read_before_the_request_and_makes_no_sense_is_read_again(service, submit):
    service.answers = [errors.Malformed(method="GET")]
    intent = submit()
    work()
    assert state_of(intent) == State.WAITING
    assert intent.can_be_withdrawn

    work(after=timedelta(minutes=2))
    assert state_of(intent) == State.DONE


def test_a_person_may_have_it_sent_again(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.NOT_DONE)
    intent = submit("create")
    for seconds in (1, 20, 120):
        work(after=timedelta(seconds=seconds))
    intent.refresh_from_db()

    assert engine.try_again(intent, now=timezone.now())
    assert Announcement.objects.latest("pk").version == intent.version
    work()
    assert state_of(intent) == State.DONE


def test_a_worker_that_died_while_sending_leaves_a_question_not_a_repeat(service, submit):
    service.found = Look(Found.DONE)
    intent = submit()
    engine.claim(now=timezone.now() + timedelta(seconds=1))

    engine.work(now=timezone.now() + LEASE + timedelta(seconds=2))
    assert state_of(intent) == State.DONE
    assert service.sent == []


def unclear(submit):
    """A creation that may have happened: it has to be looked up in the restaurant's list."""
    intent = submit("create")
    Intent.objects.filter(pk=intent.pk).update(state=State.CHECKING, uuid=None)
    return intent


def test_looks_at_one_list_take_turns(service, submit):
    first, second = unclear(submit), unclear(submit)
    now = timezone.now()

    assert (looking := engine.claim(now=now)) == first
    assert looking
    assert engine.claim(now=now) is None
    engine.step(looking)
    assert engine.claim(now=now) == second


def test_a_look_that_died_holds_up_the_others_for_seconds_only(service, submit):
    _first, second = unclear(submit), unclear(submit)
    now = timezone.now()
    engine.claim(now=now)

    assert engine.claim(now=now + TURN) == second


def test_a_look_that_takes_longer_than_a_turn_keeps_it(service, submit, time_machine):
    """It renews its lease before each page and each booking that it reads."""
    unclear(submit), unclear(submit)
    time_machine.move_to(timezone.now(), tick=False)
    looking = engine.claim(now=timezone.now())
    assert looking
    for _read in range(20):
        time_machine.shift(TURN - timedelta(seconds=1))
        renew_lease(looking)
        assert engine.claim(now=timezone.now()) is None


def test_a_list_that_was_refused_is_left_alone_for_a_moment(service, submit):
    first, second = unclear(submit), unclear(submit)
    service.looks_refused = [errors.Unavailable(status=500)]
    assert (looking := engine.claim(now=timezone.now()))
    engine.step(looking)
    assert state_of(first) == State.CHECKING

    now = timezone.now()
    assert engine.claim(now=now) is None
    assert engine.claim(now=now + verification.REST) in (first, second)


def test_intents_about_one_entity_leave_in_their_order(service, submit):
    uuid = uuid4()
    first = submit(uuid=uuid, hold=timedelta(seconds=8))
    second = submit(uuid=uuid)
    work()
    assert service.sent == []

    work(after=timedelta(seconds=9))
    assert service.sent == [first.key, second.key]


def test_intents_about_others_do_not_wait(service, submit):
    submit(hold=timedelta(seconds=8))
    other = submit()
    work()

    assert service.sent == [other.key]


def test_what_it_was_about_is_read_again_at_once_for_the_person(service, submit, bob):
    intent = submit()
    work()

    row = SyncRequest.objects.get(uuid=intent.uuid)
    assert (row.priority, row.actor) == (0, bob)


def test_what_was_created_is_read(service, submit):
    submit("create")
    work()

    assert SyncRequest.objects.filter(uuid=CREATED).exists()


def test_screens_hear_of_every_step(service, submit):
    intent = submit()
    work()

    lines = Announcement.objects.filter(kind="intent", uuid=intent.key)
    assert lines.count() == 2


def test_outsiders_see_nothing_of_it(service, submit, charlie, alice):
    submit()

    assert not Intent.objects.visible_to(charlie).exists()
    assert Intent.objects.visible_to(alice).exists()


def test_a_foreign_answer_to_the_read_before_sending_only_delays_it(service, submit):
    service.answers = [errors.Foreign(method="GET")]
    intent = submit()
    work()

    assert state_of(intent) == State.WAITING
    work(after=timedelta(minutes=1))
    assert state_of(intent) == State.DONE


def test_a_look_that_was_answered_with_something_else_decides_nothing(service, submit):
    service.answers = [errors.Ambiguous()]
    service.looks_refused = [errors.Foreign(method="GET")]
    service.found = Look(Found.DONE)
    intent = submit("create")
    work()
    assert state_of(intent) == State.CHECKING

    work(after=timedelta(minutes=1))
    assert state_of(intent) == State.DONE
    assert len(service.sent) == 1
