"""A read that is refused as another client's: repeated twice by itself, then left to a person.

One that ends with its worker, or whose answer cannot be stored, is repeated once an hour.
"""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import parked, retry_schedule, store, sync_requests
from mirror.queue.handover import NEVER
from mirror.queue.store import ReadResult
from partner import errors

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
AGAIN = NOW + retry_schedule.REFUSED_AGAIN[0]
LAST = AGAIN + retry_schedule.REFUSED_AGAIN[1]
GUEST = EntityRef("customer", uuid4(), EntityLocation())

pytestmark = pytest.mark.django_db


def request(*, now=NOW):
    sync_requests.request([GUEST], priority=Priority.EVENT, now=now)


def refuse(*, now=NOW):
    """The read that is due is answered 401: of another's guest, or of any with a revoked key."""
    [claimed] = sync_requests.claim(limit=1, now=now)
    store.settle([ReadResult(claimed, error=errors.NotOurs(status=401))], now=now)


def test_it_works():
    """A single refusal, of a gateway that erred once, keeps it unread for seconds."""
    request()
    refuse()
    assert SyncRequest.objects.filter(sync_requests.UNREAD).exists()  # its list is not closed yet
    assert not sync_requests.claim(limit=1, now=AGAIN - timedelta(seconds=1))

    assert len(sync_requests.claim(limit=1, now=AGAIN)) == 1


@pytest.fixture
def refused_for_good():
    request()
    refuse()
    refuse(now=AGAIN)
    assert SyncRequest.objects.get().state == SyncRequest.State.WAITING
    refuse(now=LAST)


@pytest.mark.usefixtures("refused_for_good")
def test_what_is_refused_again_and_again_waits_for_a_person():
    assert SyncRequest.objects.get().state == SyncRequest.State.PARKED
    assert parked.retry_passing(now=NOW + timedelta(days=999)) == 0


@pytest.mark.usefixtures("refused_for_good")
def test_each_event_about_it_costs_one_read_more():
    later = LAST + timedelta(hours=1)
    request(now=later)
    refuse(now=later)

    assert SyncRequest.objects.get().state == SyncRequest.State.PARKED
    assert SyncRequest.objects.get().not_before == NEVER


@pytest.mark.usefixtures("refused_for_good")
def test_an_event_about_it_is_read_all_the_same():
    later = LAST + timedelta(hours=1)
    request(now=later)

    assert len(sync_requests.claim(limit=1, now=later)) == 1


def test_a_read_that_kept_killing_its_worker_is_repeated_in_an_hour():
    """Or that took longer than its lease, because the machine was busy."""
    request()
    now = NOW
    for _ in range(sync_requests.MOST_CRASHES):
        sync_requests.claim(limit=1, now=now)
        now += sync_requests.LEASE + timedelta(seconds=1)
        sync_requests.reclaim(now=now)
    assert SyncRequest.objects.get().problem == "crash"
    assert parked.retry_passing(now=now) == 0

    now += sync_requests.PARKED_AGAIN
    assert parked.retry_passing(now=now) == 1
    [claimed] = sync_requests.claim(limit=1, now=now)
    store.settle([ReadResult(claimed, error=errors.NotFound(status=404))], now=now)
    assert SyncRequest.objects.get().crashes == 0
