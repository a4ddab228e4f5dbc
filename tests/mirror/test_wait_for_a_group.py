"""A group that has not accepted the terms: of all its refused records one is read an hour."""

from datetime import timedelta
from uuid import uuid4

import pytest

from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import parked, store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
REFUSAL = errors.Refused(status=400, code="RESTAURANT_GROUP_NOT_READY")


def read(error=REFUSAL, *, at):
    """Read whatever is due. Returns how many reads that were."""
    claims = sync_requests.claim(limit=100, now=at)
    store.settle([ReadResult(claim, error=error) for claim in claims], now=at)
    return len(claims)


def refused(group, *, count=20, at=NOW):
    refs = [EntityRef("customer", uuid4(), EntityLocation(group.uuid)) for _ in range(count)]
    sync_requests.request(refs, priority=Priority.BACKFILL, now=at)
    assert read(at=at) == count


@pytest.fixture(autouse=True)
def both(service, harbour, hill):
    refused(harbour)
    refused(hill, count=3)


def repaired(*, at, error=REFUSAL):
    parked.retry_passing(now=at)
    return read(error, at=at)


def test_it_works():
    assert repaired(at=NOW + HOUR / 2) == 0
    for hour in range(1, 30):
        assert repaired(at=NOW + hour * HOUR) == 2  # one of each group
        assert repaired(at=NOW + hour * HOUR + HOUR / 2) == 0


def test_all_are_read_once_it_has_accepted(harbour):
    repaired(at=NOW + HOUR)
    repaired(at=NOW + 2 * HOUR, error=errors.NotFound(status=404))
    soon = NOW + 2 * HOUR + HOUR / 60

    assert repaired(at=soon, error=errors.NotFound(status=404)) == 23
    assert not parked.rows().exists()


def test_nothing_is_left_out_where_one_is_refused_again():
    """The turn that reads them all may end too early, and a record may be refused for good."""
    repaired(at=NOW + HOUR)
    repaired(at=NOW + 2 * HOUR, error=errors.NotFound(status=404))
    assert repaired(at=NOW + 2 * HOUR + HOUR / 60) == 23
    assert repaired(at=NOW + 3 * HOUR + HOUR / 30) == 2


def test_what_an_event_announces_is_read_at_once(harbour):
    repaired(at=NOW + HOUR)
    row = SyncRequest.objects.filter(state="parked", group_uuid=harbour.uuid).latest("pk")
    soon = NOW + HOUR + HOUR / 4
    ref = EntityRef(row.kind, row.uuid, EntityLocation(harbour.uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=soon)

    assert read(at=soon) == 1
    assert repaired(at=NOW + 2 * HOUR) == 2
