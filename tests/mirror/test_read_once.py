"""A backfill reads a record once, though several lists and other records name it."""

from datetime import timedelta
from uuid import uuid4

import pytest

from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.worker_loop import process_queue
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY, backfill, finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(service, monkeypatch):
    monkeypatch.setattr(lifecycle, "LOW_WATER", 1)  # each list is read before the next
    [guest] = service.guests = {uuid4(): "Maria"}
    return guest


def read_all(place, *, now=NOW):
    since = TODAY - timedelta(days=90)
    job = finish(backfill(since=since, restaurants=[place], now=now), now=now)
    assert (job.state, job.slices.count()) == (Job.State.DONE, 4)
    return job


def test_what_several_lists_name_is_read_once(service, guest, quay):
    job = read_all(quay)

    assert service.reads == [guest]
    assert set(job.slices.values_list("found", flat=True)) == {1}


def test_the_next_backfill_reads_it_again(service, guest, quay):
    read_all(quay)
    read_all(quay, now=NOW + timedelta(seconds=1))

    assert service.reads == [guest, guest]


def test_what_was_read_before_the_first_list_is_read_again(service, guest, quay):
    ref = EntityRef("customer", guest, EntityLocation(quay.group.uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    process_queue(now=lambda: NOW)
    read_all(quay, now=NOW + timedelta(seconds=1))

    assert service.reads == [guest, guest]


def test_what_another_record_named_meanwhile_is_not_read_again(service, guest, quay):
    job = backfill(restaurants=[quay])
    job.slices.update(listing_began_at=NOW)
    later = NOW + timedelta(seconds=1)
    ref = EntityRef("customer", guest, EntityLocation(quay.group.uuid))
    sync_requests.request_unseen({Priority.BACKFILL: [ref]}, now=later)
    process_queue(now=lambda: later)

    assert finish(job, now=later).state == Job.State.DONE
    assert service.reads == [guest]


def test_what_was_read_for_another_group_is_read_again(service, guest, quay, hill):
    job = backfill(restaurants=[quay])
    job.slices.update(listing_began_at=NOW)
    ref = EntityRef("customer", guest, EntityLocation(hill.uuid))
    sync_requests.request_unseen({Priority.BACKFILL: [ref]}, now=NOW)
    process_queue(now=lambda: NOW)
    finish(job)

    assert service.reads == [guest, guest]


def test_what_could_not_be_found_is_read_again_when_a_list_names_it(service, guest, quay):
    SyncRequest.objects.create(
        kind="customer",
        uuid=guest,
        group_uuid=quay.group.uuid,
        requested_at=NOW,
        not_before=NOW,
        served=1,
        state=SyncRequest.State.SETTLED,
        problem="gone",
    )
    read_all(quay)

    assert service.reads == [guest]


def test_a_sweep_reads_everything_it_lists(service, guest, quay):
    read_all(quay)
    finish(lifecycle.sweep(now=NOW, restaurants=[quay]))

    assert service.reads == [guest, guest]
