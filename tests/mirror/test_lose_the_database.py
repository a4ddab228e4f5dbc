"""The database ends a connection in the middle of a run: what is under way goes on with another."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection

from customers.models import Customer
from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, Slice, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from tests.mirror.conftest import NOW
from tests.mirror.jobs import backfill, finish, set_listing

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is in the process"),
    pytest.mark.django_db(transaction=True),
]


def lose():
    """As a server does that is restarted."""
    connection.ensure_connection()
    connection.connection.close()


def test_a_listing_is_put_off_for_seconds(service):
    def walk(*args):
        lose()
        yield from service.list(*args)

    service.guests = {uuid4(): "Maria"}
    listing = service.list
    set_listing(walk)
    job = backfill()
    lifecycle.advance(now=NOW)
    set_listing(listing)

    assert set(job.slices.values_list("state", flat=True)) == {Slice.State.WAITING}
    assert job.slices.exclude(sentence="").exists()
    assert finish(job, now=NOW + timedelta(minutes=1)).state == Job.State.DONE


def test_answers_that_were_read_are_stored(service):
    uuids = [uuid4(), uuid4()]
    service.guests = dict.fromkeys(uuids, "Maria")
    refs = [EntityRef("customer", uuid, EntityLocation()) for uuid in uuids]
    sync_requests.request(refs, priority=Priority.EVENT, now=NOW)
    claims = sync_requests.claim(limit=2, now=NOW)
    results = [ReadResult(claim, service.fetch(None, claim.uuid)) for claim in claims]
    lose()
    store.settle(results, now=NOW)

    assert set(Customer.objects.values_list("pk", flat=True)) == set(uuids)
    assert not SyncRequest.objects.exclude(state=SyncRequest.State.SETTLED).exists()
