"""The final milestone also gives access to the whole group: the worker that reports it may die."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from outbox.verification import UNSURE
from partner.errors import Ambiguous
from partner.testing import FakeTransport, speak_through
from phone.actions import REPORT_MILESTONE
from phone.milestones import FINAL

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = (200, {"statusCode": 200})
OF_TRANSACTIONS = ("SAVEPOINT", "RELEASE", "ROLLBACK")


class Killed(BaseException):
    """What no code answers, as a process that ends answers nothing."""


class KillsAt:
    """Ends the worker in place of the statement of this number."""

    def __init__(self, number):
        self.left = number

    def __call__(self, execute, sql, params, many, context):
        if not sql.startswith(OF_TRANSACTIONS):
            self.left -= 1
            if self.left == 0:
                raise Killed
        return execute(sql, params, many, context)


@pytest.fixture
def submit(quay, dora):
    def submit(status=FINAL):
        return engine.submit(
            REPORT_MILESTONE,
            key=uuid4(),
            kind="milestone",
            uuid=quay.uuid,
            restaurant=quay,
            payload={"status": status},
            actor=dora,
        )

    return submit


def speak(answer):
    transport = FakeTransport(report_integration_status=answer)
    speak_through(transport)
    return transport


def number_of(transport):
    return len(transport.sent("report_integration_status"))


def work_for_hours():
    """The workers after the restart, until no lease and no pause is left."""
    for minutes in range(1, 120, 10):
        engine.work(now=timezone.now() + timedelta(minutes=minutes))


def dies_at(number):
    """Whether the worker got as far as this statement."""
    try:
        with connection.execute_wrapper(KillsAt(number)):
            engine.work(now=timezone.now() + timedelta(seconds=1))
    except Killed:
        return True
    return False


def test_a_worker_that_dies_at_any_statement_reports_it_once_or_leaves_it_to_a_person(submit):
    transport = speak(GOOD)
    submit("LeadReceived")
    work_for_hours()  # there is a token from here on
    number, ends, has_died = 0, [], True
    while has_died:
        number += 1
        before, intent = number_of(transport), submit()
        has_died = dies_at(number)
        sent_first = number_of(transport) - before
        work_for_hours()
        intent.refresh_from_db()
        sent = number_of(transport) - before
        ends.append((intent.state, intent.problem, sent_first))

        if intent.state == Intent.State.DONE:
            assert sent == 1
        else:
            assert (intent.state, intent.problem, sent) == (Intent.State.ASKS, UNSURE, sent_first)
            intent.delete()

    unsure = [sent for state, _problem, sent in ends if state == Intent.State.ASKS]
    assert (Intent.State.DONE, "", 0) in ends  # died before it may have left
    assert {0, 1} == set(unsure)  # died before the call and after it
    assert ends[-1] == (Intent.State.DONE, "", 1)


def test_a_worker_that_dies_in_the_call_reports_it_again_when_a_person_decides_so(submit):
    def die(_request):
        raise Killed

    transport, intent = speak([die, GOOD]), submit()
    with pytest.raises(Killed):
        engine.work(now=timezone.now() + timedelta(seconds=1))
    work_for_hours()
    intent.refresh_from_db()

    assert (intent.state, number_of(transport)) == (Intent.State.ASKS, 1)
    assert engine.try_again(intent, now=timezone.now())
    work_for_hours()
    intent.refresh_from_db()
    assert (intent.state, number_of(transport)) == (Intent.State.DONE, 2)


@pytest.mark.parametrize(("status", "number"), [("HardwareInTransit", 2), (FINAL, 1)])
def test_only_an_earlier_milestone_is_sent_again_by_itself(submit, status, number):
    transport, intent = speak([Ambiguous(code="LOST"), GOOD]), submit(status)
    work_for_hours()
    intent.refresh_from_db()

    assert number_of(transport) == number
    assert (intent.state == Intent.State.DONE) is (status != FINAL)
