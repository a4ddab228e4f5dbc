"""An answer that confirms nothing: it is checked, sent again or a person decides."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from outbox import engine, registry, verification
from outbox.models import Intent
from outbox.registry import Found, Look
from outbox.tests.steps import CREATED, state_of, work
from partner import errors

pytestmark = pytest.mark.django_db
State = Intent.State


def test_an_answer_that_confirms_nothing_is_treated_like_a_lost_one(service, submit):
    service.is_confirmed = False
    service.found = Look(Found.DONE, CREATED)
    intent = submit("create")
    work()

    assert (state_of(intent), intent.result_uuid) == (State.DONE, CREATED)
    assert intent.answer == ""
    assert (service.looks, len(service.sent)) == (1, 1)


class TestUnproven:
    """Nothing that can be read proves it either way, and sending it twice does no harm."""

    @pytest.fixture
    def unproven(self, service, submit):
        service.answers = [errors.Ambiguous(status=500)]
        service.found = Look(Found.UNPROVEN)
        intent = submit("note")
        work()
        return intent

    def test_it_is_sent_again_within_seconds(self, service, unproven):
        assert state_of(unproven) == State.WAITING

        work(after=timedelta(seconds=5))
        assert state_of(unproven) == State.DONE
        assert (service.looks, len(service.sent)) == (1, 2)

    def test_it_may_have_left_and_cannot_be_withdrawn(self, service, unproven):
        assert not engine.withdraw(unproven, now=timezone.now())
        assert not Intent.objects.get().can_be_withdrawn

    def test_not_even_after_a_sending_that_did_not_leave(self, service, unproven):
        service.answers = [errors.NotSent(retry_after=1)]
        work(after=timedelta(seconds=5))

        assert state_of(unproven) == State.WAITING
        assert not engine.withdraw(unproven, now=timezone.now())

    def test_a_refusal_is_a_refusal_and_promises_nothing_of_the_first_sending(
        self, service, unproven
    ):
        service.answers = [errors.Refused(status=400, code="NO_AVAILABILITY")]
        work(after=timedelta(seconds=5))

        assert state_of(unproven) == State.REFUSED
        assert unproven.sentence == "There is no room for this booking."


@pytest.mark.parametrize("found", [Found.NOT_DONE, Found.UNPROVEN])
def test_what_is_never_confirmed_becomes_a_question(service, submit, found):
    service.is_confirmed = False
    service.found = Look(found)
    intent = submit("note")
    for _step in range(40):
        work(after=timedelta(minutes=2))

    assert state_of(intent) == State.ASKS
    assert len(service.sent) == verification.MOST_SENDINGS
    assert intent.sentence
    assert intent.next_step


def test_what_may_be_there_is_not_called_missing(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    intent = submit("create")
    for seconds in (1, 20, 120):
        work(after=timedelta(seconds=seconds))

    assert state_of(intent) == State.ASKS
    assert intent.sentence == "We cannot tell whether it went through."


class TestRepeatedCreation:
    @pytest.fixture
    def missing(self, service, submit):
        service.answers = [errors.Ambiguous(status=500)]
        service.found = Look(Found.NOT_DONE)
        intent = submit("create")
        for seconds in (1, 20, 120):
            work(after=timedelta(seconds=seconds))
        assert state_of(intent) == State.ASKS
        return intent

    def repeat(self, intent):
        assert engine.try_again(intent, now=timezone.now())
        work()

    @pytest.mark.parametrize(
        ("found", "state", "sendings"),
        [
            (Found.DONE, State.DONE, 1),
            (Found.UNSURE, State.ASKS, 1),
            (Found.NOT_DONE, State.DONE, 2),
        ],
    )
    def test_it_is_looked_for_once_more(self, service, missing, found, state, sendings):
        service.found = Look(found, CREATED)
        self.repeat(missing)

        assert (state_of(missing), len(service.sent)) == (state, sendings)

    def test_a_person_who_reads_that_it_may_be_there_decides(self, service, missing):
        service.found = Look(Found.UNSURE)
        self.repeat(missing)
        assert len(service.sent) == 1

        self.repeat(Intent.objects.get())
        assert len(service.sent) == 2

    def test_what_cannot_be_looked_for_waits(self, service, missing):
        service.looks_refused = [errors.Unavailable(status=503)]
        self.repeat(missing)

        assert (state_of(missing), len(service.sent)) == (State.WAITING, 1)


class TestRefusedAfterALostAnswer:
    """It may mean our own first sending: “Nothing was changed” needs a look that shows it."""

    @pytest.fixture(params=["create", "note"])
    def lost(self, request, service, submit):
        """A person has the creation sent again, a change leaves by itself."""
        service.answers = [errors.Ambiguous(status=500)]
        service.found = Look(Found.NOT_DONE)
        intent = submit(request.param)
        for seconds in (1, 20):
            work(after=timedelta(seconds=seconds))
        service.answers = [errors.Conflict(status=409, code="DOUBLE_BOOKING")]
        return intent

    def resend(self, service, intent, *looks):
        """The last of three looks finds nothing, nor does the one before a creation is repeated."""
        found = iter([Look(Found.NOT_DONE)] * (2 if intent.action == "create" else 1) + [*looks])

        def look(_client, _intent):
            if isinstance(one := next(found), Exception):
                raise one
            return one

        entries = registry.ACTIONS.entries
        entries[:] = [replace(one, look=look) for one in entries]
        work(after=timedelta(seconds=120))
        if intent.action == "create":
            assert engine.try_again(Intent.objects.get(), now=timezone.now())
            work()
        assert len(service.sent) == 2

    @pytest.mark.parametrize(
        ("found", "state"),
        [
            (Found.DONE, State.DONE),
            (Found.NOT_DONE, State.REFUSED),
            (Found.UNSURE, State.ASKS),
        ],
    )
    def test_what_is_found_decides(self, service, lost, found, state):
        self.resend(service, lost, Look(found, CREATED))

        assert state_of(lost) == state
        assert ("Nothing was changed" in lost.sentence) == (found is Found.NOT_DONE)

    @pytest.mark.parametrize(
        "error",
        [errors.Unavailable(status=503), errors.Foreign(method="GET"), errors.Malformed()],
        ids=str,
    )
    def test_what_cannot_be_looked_up_now_is_looked_up_later(self, service, lost, error):
        self.resend(service, lost, error, error, Look(Found.DONE, CREATED))
        assert state_of(lost) == State.CHECKING
        assert "Nothing was changed" not in lost.sentence

        for minutes in (1, 2):
            work(after=timedelta(minutes=minutes))
        assert (state_of(lost), lost.result_uuid) == (State.DONE, CREATED)

    def test_what_can_never_be_looked_up_is_a_question(self, service, lost):
        self.resend(service, lost, errors.MissingScope(status=403))

        assert state_of(lost) == State.ASKS
        assert lost.sentence == "Our key lacks the right for this."


@pytest.mark.parametrize(
    ("found", "state"),
    [(Found.DONE, State.DONE), (Found.NOT_DONE, State.REFUSED), (Found.UNSURE, State.ASKS)],
)
def test_a_refusal_of_what_a_person_had_sent_again_is_looked_up(service, submit, found, state):
    """Somebody has read that it may be there, and decides without having found it."""
    service.answers = [errors.Ambiguous(status=500)]
    intent = submit("create")
    for seconds in (1, 20, 120):
        work(after=timedelta(seconds=seconds))
    assert state_of(intent) == State.ASKS
    service.answers = [errors.Conflict(status=409, code="DOUBLE_BOOKING")]
    service.found = Look(found, CREATED)
    engine.try_again(intent, now=timezone.now())
    work()

    assert (state_of(intent), len(service.sent)) == (state, 2)
    assert ("Nothing was changed" in intent.sentence) == (found is Found.NOT_DONE)
