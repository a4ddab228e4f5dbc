"""A record that the service does not know any more is marked gone, however many events it has."""

from datetime import timedelta
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import retry_schedule, store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db

BEFORE = NOW - timedelta(days=1)


@pytest.fixture
def deleted(service):
    """A guest whose copy is a day old; the service answers 404 since."""
    uuid = uuid4()
    service.guests = {uuid: "Maria"}
    announce(service, uuid, at=BEFORE)
    service.guests.clear()
    return uuid


def announce(service, uuid, *, at):
    """An event, and whatever is due a moment later."""
    request(uuid, at=at)
    work(service, at=at + sync_requests.SPACING)


def request(uuid, *, at):
    ref = EntityRef("customer", uuid, EntityLocation())
    sync_requests.request([ref], priority=Priority.EVENT, now=at)


def work(service, *, at):
    for claimed in sync_requests.claim(limit=1, now=at):
        answer, error = None, None
        try:
            answer = service.fetch(None, claimed.uuid)
        except errors.NotFound as fault:
            error = fault
        store.settle([ReadResult(claimed, answer, error)], now=at)


def presence(uuid):
    return Customer.objects.get(uuid=uuid).presence


def test_it_works(service, deleted):
    announce(service, deleted, at=NOW)
    assert presence(deleted) == "present"
    work(service, at=NOW + retry_schedule.CONFIRM_AFTER[0] + sync_requests.SPACING)

    assert presence(deleted) == "gone"


@pytest.mark.parametrize("apart", [1, 5, 9])
def test_events_without_a_pause_hold_it_up_for_seconds_only(service, deleted, apart):
    for second in range(0, 60, apart):
        announce(service, deleted, at=NOW + timedelta(seconds=second))

    assert presence(deleted) == "gone"


def test_the_second_404_within_seconds_may_be_of_the_same_replica(service, deleted):
    for second in range(9):
        announce(service, deleted, at=NOW + timedelta(seconds=second))

    assert presence(deleted) == "present"


def test_an_answer_in_between_ends_the_doubt(service, deleted):
    for second in range(0, 30, 5):
        announce(service, deleted, at=NOW + timedelta(seconds=second))
    service.guests[deleted] = "Mary"
    announce(service, deleted, at=NOW + timedelta(seconds=30))
    service.guests.clear()
    for second in range(35, 60, 5):
        announce(service, deleted, at=NOW + timedelta(seconds=second))

    assert presence(deleted) == "present"


def test_many_events_cost_a_read_in_a_while(service, deleted):
    service.reads.clear()
    for tenth in range(50):
        request(deleted, at=NOW + timedelta(seconds=tenth / 10))
        work(service, at=NOW + timedelta(seconds=tenth / 10))

    assert len(service.reads) <= 5 / sync_requests.SPACING.total_seconds() + 1


def test_one_that_comes_during_the_read_is_read_soon_after_it(service, deleted):
    request(deleted, at=NOW)
    [claimed] = sync_requests.claim(limit=1, now=NOW)
    request(deleted, at=NOW)
    store.settle([ReadResult(claimed, error=errors.NotFound(status=404))], now=NOW)

    again = NOW + sync_requests.SPACING
    [claimed] = sync_requests.claim(limit=1, now=again)
    store.settle([ReadResult(claimed, error=errors.NotFound(status=404))], now=again)
    assert presence(deleted) == "present"  # that one may be of the same replica

    work(service, at=again + retry_schedule.CONFIRM_AFTER[0])
    assert presence(deleted) == "gone"
