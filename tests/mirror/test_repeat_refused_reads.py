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


class TestAnEvent:
    """It announces a change: it is read at once, and the schedule of the refusals stays."""

    SOON = NOW + timedelta(seconds=3)

    @pytest.fixture
    def refused_once(self):
        request()
        refuse()

    @pytest.mark.usefixtures("refused_once")
    def test_it_works(self):
        request(now=self.SOON)

        assert len(sync_requests.claim(limit=1, now=self.SOON + sync_requests.SPACING)) == 1

    @pytest.mark.usefixtures("refused_once")
    def test_many_cost_a_read_in_a_while(self):
        for number in range(100):
            request(now=self.SOON + timedelta(milliseconds=number))
        refuse(now=self.SOON + sync_requests.SPACING)
        request(now=self.SOON + sync_requests.SPACING)

        assert not sync_requests.claim(limit=1, now=self.SOON + sync_requests.SPACING)

    @pytest.mark.usefixtures("refused_once")
    def test_its_refusal_proves_nothing_before_the_next_of_the_schedule(self):
        for number in range(5):
            request(now=self.SOON + timedelta(seconds=number))
            refuse(now=self.SOON + timedelta(seconds=number) + sync_requests.SPACING)
        row = SyncRequest.objects.get()
        assert (row.state, row.not_before) == (SyncRequest.State.WAITING, AGAIN)

        refuse(now=AGAIN)
        refuse(now=LAST)
        assert SyncRequest.objects.get().state == SyncRequest.State.PARKED

    def test_one_that_comes_during_the_read_is_read_soon_after_it(self):
        request()
        [claimed] = sync_requests.claim(limit=1, now=NOW)
        request(now=NOW)
        store.settle([ReadResult(claimed, error=errors.NotOurs(status=401))], now=NOW)

        assert len(sync_requests.claim(limit=1, now=NOW + sync_requests.SPACING)) == 1

    @pytest.mark.usefixtures("refused_once")
    def test_a_clock_that_ran_ahead_holds_no_refusal_up(self):
        yesterday = NOW - timedelta(days=1)
        SyncRequest.objects.update(not_before=yesterday)
        refuse(now=yesterday)
        refuse(now=yesterday + retry_schedule.REFUSED_AGAIN[1])

        assert SyncRequest.objects.get().state == SyncRequest.State.PARKED
