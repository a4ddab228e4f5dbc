"""Whatever happens to a change, its rows are locked in one order: change, request, booking.

What stores a read booking holds its request while it locks the booking. Whoever held the booking
and waited for the request would stop both, and PostgreSQL would end one of them.
"""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from outbox import engine, transitions, verification
from outbox.models import Intent
from partner import errors
from reservations import actions
from reservations.models import Reservation
from reservations.testing import make_intent, make_reservation

ORDER = [model._meta.db_table for model in (Intent, SyncRequest, Reservation)]
LOCKS = re.compile(
    r'^(?:UPDATE|INSERT INTO|DELETE FROM) "(\w+)"|FROM "(\w+)".* FOR (?:NO KEY )?UPDATE'
)
State = Intent.State

pytestmark = pytest.mark.django_db


def submit(intent):
    fields = {"uuid": intent.uuid, "restaurant": intent.restaurant, "payload": {}, "actor": None}
    engine.submit(actions.CANCEL, key=uuid4(), kind="reservation", **fields)


def withdraw(intent):
    assert engine.withdraw(intent, now=timezone.now())


def send_again(intent):
    assert engine.try_again(intent, now=timezone.now())


def answer(intent):
    engine.answer(intent, message={})


def refuse(intent):
    verification.refuse(intent, errors.Refused(code="X"))


def end(intent):
    transitions.close(intent, State.DONE)


def ask_a_person(intent):
    transitions.close(intent, State.ASKS)


@pytest.mark.parametrize(
    ("state", "step"),
    [
        (State.DONE, submit),
        (State.WAITING, withdraw),
        (State.SENDING, refuse),
        (State.SENDING, end),
        (State.CHECKING, ask_a_person),
        (State.ASKS, send_again),
        (State.REFUSED, answer),
    ],
)
def test_the_change_then_the_request_then_the_booking(quay, harbour, state, step):
    row = make_reservation(quay)
    intent = make_intent(quay, uuid=row.uuid, state=state, problem="X")
    place = EntityLocation(harbour.uuid, quay.uuid)
    request = [EntityRef("reservation", row.uuid, place)]
    sync_requests.request(request, priority=Priority.EVENT, now=timezone.now())

    with CaptureQueriesContext(connection) as queries:
        step(intent)

    found = [match[1] or match[2] for one in queries if (match := LOCKS.search(one["sql"]))]
    first = dict.fromkeys(table for table in found if table in ORDER)
    assert list(first) == [table for table in ORDER if table in first]
    assert {ORDER[0], ORDER[2]} <= first.keys()
