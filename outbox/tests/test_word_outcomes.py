"""What an intent says of itself: what was done, what was not, and what happens next."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from outbox import engine, registry, verification
from outbox.models import Intent, next_step_of, say_error
from outbox.registry import Found, Look
from outbox.tests.steps import state_of, work
from partner import errors
from partner.wording.names import OPENS_SETUP

pytestmark = pytest.mark.django_db
State = Intent.State
TWICE = errors.Conflict(status=409, code="DOUBLE_CANCELLATION")


def test_a_waiting_change_invites_nobody_to_send_it_again(service, submit):
    service.answers = [errors.Busy(retry_after=1)]
    intent = submit()
    work()

    assert state_of(intent) == State.WAITING
    assert intent.next_step == "It is tried again by itself."


@pytest.mark.parametrize("kind", [errors.Retryable, *errors.Retryable.__subclasses__()])
def test_no_waiting_change_does(kind):
    assert "Try again" not in next_step_of(say_error(kind()))


@pytest.mark.parametrize(
    "kind", ["auth_suspect", "credentials_refused", "not_ours", "missing_scope"]
)
def test_what_may_still_happen_sends_nobody_elsewhere_to_do_it_twice(kind):
    """The reader has no Setup; once the key works again the change leaves by itself."""
    message, now = {"code": "", "kind": kind, "is_read": False}, timezone.now()
    left = (State.WAITING, State.CHECKING, State.ASKS, State.REFUSED)
    ends = [(State.WAITING, None), *((one, now) for one in left)]
    token = OPENS_SETUP.set(lambda: False)
    steps = [Intent(state=one, sent_at=at, message=message).next_step for one, at in ends]
    OPENS_SETUP.reset(token)

    assert "undo it here first" in steps[0]
    assert all("may have gone through: look in" in step for step in steps[1:4])
    assert steps[4].startswith("Do it in")


def test_a_read_is_tried_again_by_a_person():
    assert errors.Busy().next_step == "Try again in a moment."


def test_a_change_that_has_left_before_and_waits_promises_nothing(service, submit):
    service.answers = [errors.Ambiguous(status=500), errors.NotSent(retry_after=1)]
    service.found = Look(Found.UNPROVEN)
    intent = submit()
    work()
    work(after=timedelta(seconds=5))

    assert state_of(intent) == State.WAITING
    assert intent.sentence == "The service cannot be reached."


def test_what_is_refused_here_says_that_nothing_was_changed_and_what_to_do(service, submit):
    service.answers = [errors.InvalidRequest(field="meal_date", sentence="It is in the past.")]
    intent = submit()
    work()

    assert state_of(intent) == State.REFUSED
    assert intent.sentence == "It is in the past. Nothing was changed."
    assert intent.next_step == "Correct what was entered."


def test_what_nobody_entered_is_not_to_be_corrected(service, submit):
    service.answers = [errors.InvalidRequest(field="call", sentence="This call is long over.")]
    intent = submit()
    work()

    assert state_of(intent) == State.REFUSED
    assert intent.sentence == "This call is long over. Nothing was changed."
    assert intent.next_step == ""


class TestTrueAlready:
    """A refusal that means that it is so: by another's doing, or by a sending of ours."""

    def test_by_another(self, service, submit):
        service.answers = [TWICE]
        service.found = Look(Found.DONE)
        intent = submit("cancel")
        work()

        assert state_of(intent) == State.DONE
        assert intent.sentence == "This booking is already cancelled."

    def test_by_us(self, service, submit):
        service.answers = [errors.Ambiguous(status=500), TWICE]
        service.found = Look(Found.NOT_DONE)
        intent = submit("cancel")
        for seconds in (1, 20):
            work(after=timedelta(seconds=seconds))
        found = iter([Look(Found.NOT_DONE), Look(Found.DONE)])
        entries = registry.ACTIONS.entries
        entries[:] = [replace(one, look=lambda *_of: next(found)) for one in entries]
        work(after=timedelta(seconds=100))

        assert state_of(intent) == State.DONE
        assert intent.sentence == "Found: it went through."
        assert len(service.sent) == 2

    def test_what_the_record_denies_is_not_done(self, service, submit):
        service.answers = [TWICE]
        service.found = Look(Found.NOT_DONE)
        intent = submit("cancel")
        work()

        assert state_of(intent) == State.CHECKING

    def test_what_cannot_be_read_is_read_later(self, service, submit):
        service.answers = [TWICE]
        service.looks_refused = [errors.Unavailable(status=503)]
        service.found = Look(Found.DONE)
        intent = submit("cancel")
        work()
        assert state_of(intent) == State.CHECKING

        work(after=timedelta(minutes=1))
        assert state_of(intent) == State.DONE


@pytest.mark.parametrize("action", ["note", "create"])
def test_what_left_once_without_effect_is_not_called_unsent(service, submit, action):
    service.is_confirmed = False
    service.found = Look(Found.NOT_DONE)
    intent = submit(action)
    for _step in range(40):
        work(after=timedelta(minutes=2))
    assert state_of(intent) == State.ASKS
    engine.try_again(intent, now=timezone.now())
    assert engine.withdraw(intent, now=timezone.now())

    assert registry.state_word(intent) == "Undone, not sent again"


def test_what_never_left_was_not_sent(service, submit):
    intent = submit(hold=timedelta(seconds=8))
    engine.withdraw(intent, now=timezone.now())

    assert registry.state_word(intent) == "Undone, nothing was sent"


class TestFaultyLook:
    @pytest.fixture
    def intent(self, service, submit):
        service.answers = [errors.Ambiguous(status=500)]
        return submit("create")

    def test_it_ends_in_a_question(self, service, intent):
        service.looks_refused = [ZeroDivisionError()] * 50
        for minutes in range(20):
            work(after=timedelta(minutes=2 * minutes))

        assert (state_of(intent), intent.problem) == (State.ASKS, verification.UNSURE)
        assert service.looks == verification.MOST_FAULTS

    def test_one_fault_decides_nothing(self, service, intent):
        service.looks_refused = [ZeroDivisionError()]
        service.found = Look(Found.DONE)
        work()
        assert state_of(intent) == State.CHECKING

        work(after=timedelta(minutes=2))
        assert state_of(intent) == State.DONE

    @pytest.mark.parametrize("lost", [InterfaceError(), OperationalError()])
    def test_a_database_that_is_away_is_no_fault_of_a_look(self, service, intent, lost):
        service.looks_refused = [lost]
        with pytest.raises(type(lost)):
            work()
        intent.refresh_from_db()
        assert (intent.state, intent.looks) == (State.CHECKING, 0)

        service.found = Look(Found.DONE)
        work(after=timedelta(minutes=2))
        assert state_of(intent) == State.DONE
