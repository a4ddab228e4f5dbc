"""What was requested before there was a connection, or a right to read it, is read by itself."""

from datetime import timedelta
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, SyncRequest
from mirror.queue import moved_groups, parked, sync_requests
from mirror.queue.retry_schedule import CONFIGURED_AGAIN
from mirror.queue.worker_loop import process_queue
from partner import errors, testing
from partner.models import Connection, Token
from restaurants import directory
from restaurants.models import Group
from tests.mirror.conftest import NOW
from tests.mirror.jobs import backfill, finish

pytestmark = pytest.mark.django_db
LATER = NOW + CONFIGURED_AGAIN
NOWHERE = EntityLocation()


@pytest.fixture
def unconnected(service):
    Group.objects.update(connection=None)
    Connection.objects.all().delete()
    directory.clear()
    yield service
    directory.clear()


def request(service, *, location=NOWHERE):
    uuid = uuid4()
    service.guests[uuid] = "Ann"
    ref = EntityRef("customer", uuid, location)
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    process_queue(now=lambda: NOW)
    row = SyncRequest.objects.get(uuid=uuid)
    assert (row.connection, row.problem) == (None, "not-configured")
    return row


def connect(**fields):
    connection = testing.connection(**fields)
    directory.clear()
    return connection


def repair():
    """What the scheduled tasks do."""
    moved_groups.adopt_strays(now=LATER)
    parked.retry_passing(now=LATER)
    process_queue(now=lambda: LATER)


@pytest.mark.parametrize("place", ["group", "restaurant", "nowhere"])
def test_it_works(unconnected, place, harbour, quay):
    location = {
        "group": EntityLocation(harbour.uuid),
        "restaurant": EntityLocation(None, quay.uuid),
        "nowhere": NOWHERE,
    }[place]
    request(unconnected, location=location)
    connect()

    repair()

    assert Customer.objects.count() == 1


def test_with_several_connections_it_is_that_of_its_group(unconnected, harbour, hill):
    row = request(unconnected, location=EntityLocation(harbour.uuid))
    connect()
    other = connect(name="Second", client_id="two")
    Group.objects.filter(pk=harbour.pk).update(connection=other)
    directory.clear()

    repair()

    row.refresh_from_db()
    assert (row.connection, row.problem) == (other, "")


def test_it_is_not_tried_all_the_time(unconnected, harbour):
    request(unconnected, location=EntityLocation(harbour.uuid))

    assert parked.retry_passing(now=LATER - timedelta(seconds=1)) == 0
    assert moved_groups.adopt_strays(now=LATER) == 0


def test_a_backfill_waits_for_it(unconnected, harbour):
    unconnected.guests[uuid4()] = "Ann"

    job = finish(backfill())
    assert job.state == Job.State.RUNNING
    assert {piece.state for piece in job.slices.all()} == {"waiting"}
    connect()

    assert finish(job, now=NOW + timedelta(minutes=20)).state == Job.State.DONE
    assert Customer.objects.count() == 1


@pytest.mark.parametrize(
    ("scopes", "minutes", "count"),
    [
        ("svc-restaurant:customers", 1, 1),
        ("svc-restaurant:customers", -1, 0),  # refused although it has the right: once is enough
        ("svc-restaurant:reviews", 1, 0),
        ("", 1, 1),  # other credentials, of which no key is known yet
    ],
)
def test_what_a_key_had_no_right_to_is_read_with_one_that_has(
    service, harbour, scopes, minutes, count
):
    uuid = uuid4()
    service.faults[uuid] = errors.MissingScope(status=403)
    ref = EntityRef("customer", uuid, EntityLocation(harbour.uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    process_queue(now=lambda: NOW)
    assert SyncRequest.objects.get(uuid=uuid).problem == "scope"

    at = NOW + timedelta(minutes=minutes)
    Connection.objects.update(updated_at=at)
    Token.objects.update(scopes=scopes, requested_at=at)

    assert [parked.retry_passing(now=LATER), parked.retry_passing(now=LATER)] == [count, 0]
    # Behind today's events, however many there are.
    urgency = Priority.SWEEP if count else Priority.EVENT
    assert SyncRequest.objects.get(uuid=uuid).priority == urgency
