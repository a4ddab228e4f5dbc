"""An entity that one account has requested in vain is read by another whose service names it."""

import json
from datetime import timedelta
from functools import partial
from uuid import UUID, uuid4

import pytest

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.retry_schedule import REFUSED_AGAIN
from mirror.queue.worker_loop import process_queue
from partner import errors, testing
from partner.models import Connection
from restaurants import directory
from restaurants.models import Group
from tests.mirror.conftest import NOW
from webhooks.routing import route_new, route_placed
from webhooks.testing import delivery, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def first(service, cast):
    return Connection.objects.get()


@pytest.fixture
def second(first, service, cast):
    other = testing.connection(name="Second", client_id="two")
    Group.objects.filter(pk=cast.hill.pk).update(connection=other)
    cast.hill.refresh_from_db()
    service.group = cast.hill
    directory.clear()
    yield other
    directory.clear()


LATER = [NOW, NOW + REFUSED_AGAIN[0], NOW + sum(REFUSED_AGAIN, timedelta())]


def run_until_refused_for_good():
    for at in LATER:
        process_queue(now=partial(lambda at: at, at))


def request(connection, uuid, *, run=True):
    ref = EntityRef("customer", uuid, EntityLocation())
    sync_requests.request([ref], priority=Priority.PERSON, now=NOW, connection=connection.pk)
    if run:
        process_queue(now=lambda: NOW)
    return SyncRequest.objects.get()


@pytest.fixture
def refused(service, first, second):
    """A guest of the second account, whom the first has requested."""
    uuid = uuid4()
    service.faults[uuid] = errors.NotOurs(status=401)
    row = request(first, uuid)
    assert row.problem == "not-ours"
    assert request(second, uuid, run=False).connection == first  # it is read once more
    run_until_refused_for_good()
    SyncRequest.objects.update(evidence="its words", actor=None)
    del service.faults[uuid]
    service.guests[uuid] = "Ann"
    return uuid


def test_it_works(refused, second, cast):
    row = request(second, refused)

    assert Customer.objects.get().group == cast.hill
    assert (row.connection, row.state) == (second, SyncRequest.State.SETTLED)
    assert (row.problem, row.sentence, row.evidence) == ("", "", "")


def test_nothing_of_the_first_is_left_on_the_row(refused, first, second, cast):
    SyncRequest.objects.update(group_uuid=cast.harbour.uuid, restaurant_uuid=cast.quay.uuid)
    row = request(second, refused, run=False)

    assert (row.group_uuid, row.restaurant_uuid, row.actor, row.slice) == (None,) * 4


@pytest.mark.parametrize("presence", ["present", "gone", "erased"])
def test_what_the_first_has_a_copy_of_stays_with_it(service, first, second, cast, presence):
    """Also one that is gone there: its changes and its history are the first one's."""
    uuid = uuid4()
    service.group, service.guests[uuid] = cast.harbour, "Ann"
    cast.harbour.refresh_from_db()
    before = request(first, uuid)
    Customer.objects.update(presence=presence)
    SyncRequest.objects.update(problem="gone" if presence == "gone" else "")

    row = request(second, uuid)

    assert (row.connection, row.request_count) == (first, before.request_count)


def test_what_the_first_still_reads_stays_with_it(first, second):
    uuid = uuid4()
    request(first, uuid, run=False)

    assert request(second, uuid, run=False).connection == first


@pytest.mark.parametrize(
    "problem",
    ["unplaced", "malformed", "failing", "not-configured", "crash", "unstorable", "scope"],
)
def test_what_the_first_may_get_yet_stays_with_it(refused, first, second, problem):
    """Its service has answered it, or has not refused it."""
    SyncRequest.objects.update(problem=problem)

    assert request(second, refused, run=False).connection == first


class TestEvents:
    @pytest.fixture
    def raw(self, cast):
        return payload("customerUpdated", groupUuid=str(cast.hill.uuid))

    def test_one_about_it_is_routed(self, service, first, second, raw):
        uuid = UUID(json.loads(raw)["uuid"])
        service.faults[uuid] = errors.NotOurs(status=401)
        request(first, uuid)
        run_until_refused_for_good()
        row = delivery(raw, connection=second)
        route_new(now=NOW)

        row.refresh_from_db()
        assert row.state == "routed"
        assert SyncRequest.objects.get().connection == second

    def test_one_about_what_is_gone_from_the_first_is_unrecognised(
        self, service, first, second, cast, raw
    ):
        uuid = UUID(json.loads(raw)["uuid"])
        service.group, service.guests[uuid] = cast.harbour, "Ann"
        cast.harbour.refresh_from_db()
        request(first, uuid)
        Customer.objects.update(presence="gone")
        SyncRequest.objects.update(problem="gone")
        row = delivery(raw, connection=second)
        route_new(now=NOW)

        row.refresh_from_db()
        assert (row.state, row.reason) == ("odd", "not_ours")
        assert SyncRequest.objects.get().connection == first

    def test_one_that_came_too_soon_is_routed_once_the_first_was_refused_for_good(
        self, service, first, second, raw
    ):
        uuid = UUID(json.loads(raw)["uuid"])
        service.faults[uuid] = errors.NotOurs(status=401)
        request(first, uuid, run=False)
        row = delivery(raw, connection=second)
        route_new(now=NOW)
        row.refresh_from_db()
        assert row.state == "odd"
        assert route_placed(now=NOW) == 0
        run_until_refused_for_good()

        assert route_placed(now=NOW) == 1
        assert SyncRequest.objects.get().connection == second
