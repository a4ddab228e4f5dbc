"""Two accounts with changes to send: what stops one of them holds up its own changes only."""

from uuid import uuid4

import pytest
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from outbox.tests.steps import state_of, work
from partner import errors, testing
from restaurants.models import Group

pytestmark = pytest.mark.django_db
State = Intent.State


@pytest.fixture
def elsewhere(service, submit, cellar):
    """A change at a restaurant of the other account."""
    other = testing.connection(name="Second")
    Group.objects.filter(pk=cellar.group_id).update(connection=other)
    cellar.refresh_from_db()

    def submit_elsewhere() -> Intent:
        return engine.submit(
            "note",
            key=uuid4(),
            kind="reservation",
            uuid=uuid4(),
            restaurant=cellar,
            payload={},
            actor=None,
        )

    return submit_elsewhere


def test_an_open_circuit_keeps_the_changes_of_its_own_account_only(service, submit, elsewhere):
    service.answers = [errors.CircuitOpen(retry_after=30)]
    stopped, waiting, other = submit(), submit(), elsewhere()

    work()

    assert [state_of(one) for one in (stopped, waiting, other)] == [
        *(State.WAITING, State.WAITING, State.DONE)
    ]


def test_what_leaves_again_wakes_its_own_account_only(service, submit, elsewhere):
    service.answers = [errors.CircuitOpen(retry_after=30), errors.CircuitOpen(retry_after=30)]
    stopped, other = submit(), elsewhere()
    work()

    fresh = elsewhere()
    work()

    assert [state_of(one) for one in (stopped, other, fresh)] == [
        *(State.WAITING, State.DONE, State.DONE)
    ]


def test_the_next_to_leave_is_of_an_account_at_which_no_call_is_under_way(submit, elsewhere):
    submit(), submit()
    other = elsewhere()
    engine.claim(now=timezone.now())  # another worker has begun with the first

    assert engine.claim(now=timezone.now()) == other
