"""Backfills: what they list, in which order, and what a person can do to them."""

from dataclasses import replace
from datetime import date, timedelta
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from customers.models import Customer
from mirror import kinds
from mirror.jobs import job_runner, lifecycle
from mirror.jobs import pages as jobs_pages
from mirror.jobs.slice_leases import RunClock
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, Slice, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.worker_loop import process_queue
from partner import errors
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY, backfill, finish, proven, set_listing

pytestmark = pytest.mark.django_db


def list_slice(piece, *, now=NOW):
    piece.state = Slice.State.LISTING
    piece.save()
    lifecycle.list_slice(piece, clock=RunClock(now))


def test_it_works(service, harbour):
    service.guests = {uuid4(): "Maria", uuid4(): "Jo"}

    job = finish(backfill())

    assert job.state == Job.State.DONE
    assert Customer.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_command_closes_its_job_once_all_is_read(service, monkeypatch):
    monkeypatch.setattr(job_runner, "LIST_EVERY", 3600.0)  # before the next look by itself
    service.guests = {uuid4(): "Maria"}

    job_runner.run_until_done(job := backfill(now=timezone.now()), report=str)

    assert job.state == Job.State.DONE


def test_it_asks_every_group_once(service, harbour, hill):
    finish(backfill())

    assert {location.group_uuid for location, *_ in service.windows} == {harbour.uuid, hill.uuid}


def test_today_comes_first_then_outward(service):
    job = backfill(since=TODAY - timedelta(days=90), until=TODAY + timedelta(days=60))

    first, last = job.slices.first(), job.slices.last()
    assert first.since <= TODAY <= first.until
    assert min(abs((last.since - TODAY).days), abs((last.until - TODAY).days)) >= 59


def test_the_listings_touch_without_overlap(service, harbour):
    job = backfill(since=date(2026, 1, 1), until=date(2026, 12, 31))

    windows = sorted(job.slices.filter(group_uuid=harbour.uuid).values_list("since", "until"))
    for (_, until), (since, _) in zip(windows, windows[1:], strict=False):
        assert since == until + timedelta(days=1)


def test_it_can_be_restricted_to_a_restaurant(service, quay):
    job = backfill(restaurants=[quay])

    assert {piece.group_uuid for piece in job.slices.all()} == {quay.group.uuid}


@pytest.mark.parametrize(
    "fault",
    [
        errors.Unavailable(status=503),
        OperationalError("deadlock detected"),
        InterfaceError("connection already closed"),
    ],
    ids=repr,
)
def test_a_listing_that_fails_is_tried_again(service, fault):
    service.guests = {uuid4(): "Maria"}
    faults = [fault]
    listing = service.list

    def fail_once(*args):
        if faults:
            raise faults.pop()
        yield from listing(*args)

    set_listing(fail_once)
    job = backfill()
    lifecycle.advance(now=NOW)

    assert job.slices.filter(state=Slice.State.WAITING).exclude(sentence="").exists()
    assert finish(job, now=NOW + timedelta(minutes=1)).state == Job.State.DONE


def test_a_listing_without_the_right_fails_with_a_sentence_and_the_rest_goes_on(service):
    def refuse(*_args):
        raise errors.MissingScope(status=403)

    set_listing(refuse)
    job = finish(backfill())

    assert job.state == Job.State.DONE
    assert all(piece.sentence for piece in job.slices.filter(state=Slice.State.FAILED))


@pytest.mark.parametrize(
    "fault", [errors.NotActive(code="CONNECTION_NOT_ACTIVE"), errors.CredentialsRefused()]
)
def test_paused_or_refused_meanwhile_no_listing_fails(service, fault):
    def refuse(*_args):
        raise fault

    listing = kinds.get("customer").list
    service.guests = {uuid4(): "Maria"}
    set_listing(refuse)
    job = backfill()
    lifecycle.advance(now=NOW)
    assert set(job.slices.values_list("state", flat=True)) == {Slice.State.WAITING}
    assert job.slices.exclude(sentence="").count() == 1  # the others are not tried
    set_listing(listing)

    assert finish(job, now=NOW + timedelta(minutes=1)).state == Job.State.DONE
    assert not job.slices.filter(state=Slice.State.FAILED).exists()


def test_a_listing_refused_while_the_key_is_revoked_is_repeated(service):
    """Until enough is refused, the answer is that of a restaurant that is not ours."""
    listing = kinds.get("customer").list
    service.guests = {uuid4(): "Maria"}
    set_listing(Mock(side_effect=errors.NotOurs(status=401)))
    job = finish(backfill())
    assert job.state == Job.State.RUNNING
    set_listing(listing)

    assert finish(job, now=NOW + timedelta(minutes=3)).state == Job.State.DONE
    assert not job.slices.filter(state=Slice.State.FAILED).exists()
    assert Customer.objects.count() == 1


def test_a_listing_that_is_not_ours_is_repeated_once(service):
    refused = Mock(side_effect=errors.NotOurs(status=401))
    set_listing(refused)
    job = backfill()
    for minutes in (0, 3, 6, 9):
        finish(job, now=NOW + timedelta(minutes=minutes))

    assert {piece.state for piece in job.slices.all()} == {Slice.State.FAILED}
    assert refused.call_count == 2 * job.slices.count()


def test_a_killed_listing_is_taken_up_again(service):
    service.guests = {uuid4(): "Maria"}
    job = backfill()
    job.slices.update(state=Slice.State.LISTING, lease_until=NOW)

    assert finish(job, now=NOW + timedelta(seconds=1)).state == Job.State.DONE


def test_a_paused_job_reads_nothing(service):
    service.guests = {uuid4(): "Maria"}
    job = backfill()
    lifecycle.advance(now=NOW)
    lifecycle.pause(job, now=NOW)
    process_queue(now=lambda: NOW)

    assert not Customer.objects.exists()


def test_a_resumed_job_goes_on(service):
    service.guests = {uuid4(): "Maria"}
    job = backfill()
    lifecycle.advance(now=NOW)
    lifecycle.pause(job, now=NOW)
    lifecycle.resume(job, now=NOW)

    assert finish(job).state == Job.State.DONE
    assert Customer.objects.count() == 1


def test_a_cancelled_job_forgets_what_it_never_read(service):
    service.guests = {uuid4(): "Maria"}
    job = backfill()
    lifecycle.advance(now=NOW)
    lifecycle.cancel(job, now=NOW)

    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert not SyncRequest.objects.exists()


@pytest.mark.parametrize("stop", [lifecycle.pause, lifecycle.cancel])
def test_an_event_about_a_row_of_a_stopped_job_is_served(service, harbour, stop):
    uuid = uuid4()
    service.guests = {uuid: "Maria"}
    job = backfill()
    lifecycle.advance(now=NOW)
    ref = EntityRef("customer", uuid, EntityLocation(harbour.uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    stop(job, now=NOW)
    process_queue(now=lambda: NOW)

    assert Customer.objects.filter(uuid=uuid).exists()


def test_an_event_lifts_a_failing_row_out_of_a_paused_job(service, harbour):
    uuid = uuid4()
    service.faults = {uuid: errors.Unavailable(status=503)}
    service.guests = {uuid: "Maria"}
    job = backfill()
    lifecycle.advance(now=NOW)
    process_queue(now=lambda: NOW)
    lifecycle.pause(job, now=NOW)
    service.faults.clear()
    ref = EntityRef("customer", uuid, EntityLocation(harbour.uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    process_queue(now=lambda: NOW)

    assert Customer.objects.filter(uuid=uuid).exists()


def test_a_cancelled_job_keeps_the_schedule_of_second_looks(service, monkeypatch, harbour):
    uuid = uuid4()
    service.guests = {uuid: "Maria"}
    later = NOW + timedelta(minutes=2)
    kind = replace(kinds.get("customer"), reread=lambda _row, _now: later)
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    sync_requests.request(
        [EntityRef("customer", uuid, EntityLocation(harbour.uuid))],
        priority=Priority.EVENT,
        now=NOW,
    )
    process_queue(now=lambda: NOW)
    job = backfill()
    lifecycle.advance(now=NOW)
    lifecycle.cancel(job, now=NOW)

    assert SyncRequest.objects.get().state == SyncRequest.State.WAITING


class TestOverlap:
    """A sweep lists what a backfill has listed and not yet read."""

    @pytest.fixture
    def backfilled(self, service):
        service.guests = {uuid4(): "Maria"}
        job = backfill()
        lifecycle.advance(now=NOW)
        return job

    @pytest.fixture
    def swept(self, backfilled):
        return lifecycle.sweep(now=NOW + timedelta(seconds=1))

    def list_again(self, swept):
        later = NOW + timedelta(seconds=1)
        for piece in swept.slices.all():
            piece.listing_began_at = later
            list_slice(piece, now=later)

    def test_the_backfill_is_not_complete_before_the_row_is_read(self, backfilled, swept, quay):
        self.list_again(swept)
        lifecycle._close_read_slices(backfilled, now=NOW)

        assert proven(quay) is None

    def test_both_are_complete_when_it_is(self, backfilled, swept):
        self.list_again(swept)

        assert finish(backfilled, now=NOW + timedelta(seconds=2)).state == Job.State.DONE
        swept.refresh_from_db()
        assert swept.state == Job.State.DONE

    def test_listings_that_take_over_from_each_other_end_all_the_same(self, backfilled, swept):
        self.list_again(swept)
        for piece in backfilled.slices.all():
            list_slice(piece)

        assert finish(backfilled, now=NOW + timedelta(seconds=2)).state == Job.State.DONE

    def test_a_cancelled_sweep_gives_the_row_back(self, backfilled, swept):
        self.list_again(swept)
        lifecycle.cancel(swept, now=NOW)

        assert finish(backfilled).state == Job.State.DONE
        assert Customer.objects.count() == 1


def test_progress_counts_what_was_found_and_read(service, hill):
    service.guests = {uuid4(): "Maria", uuid4(): "Jo"}
    job = finish(backfill())

    done = jobs_pages.progress(job)
    assert (done["unread"], done["slices"], done["slices_done"]) == (0, 2, 2)


def test_progress_of_a_job_without_a_listing_is_nothing(db):
    assert set(jobs_pages.progress(backfill()).values()) == {0}


def test_progress_of_many_jobs_costs_two_queries(service, django_assert_num_queries):
    service.guests = {uuid4(): "Maria", uuid4(): "Jo"}
    listed, waiting = backfill(), backfill()
    list_slice(listed.slices.first())

    with django_assert_num_queries(2):
        done = [done for _job, done in jobs_pages.with_progress([listed, waiting])]

    assert [(one["found"], one["unread"], one["read"]) for one in done] == [(2, 2, 0), (0, 0, 0)]


def test_a_place_is_complete_up_to_the_start_of_its_listing(service, quay):
    service.guests = {uuid4(): "Maria"}
    finish(backfill())

    assert proven(quay) == NOW


def test_an_unread_row_keeps_the_place_incomplete(service, quay):
    uuid = uuid4()
    service.guests = {uuid: "Maria"}
    service.faults = {uuid: errors.Unavailable(status=503)}
    job = finish(backfill(restaurants=[quay]))

    assert (job.state, proven(quay)) == (Job.State.RUNNING, None)


def test_an_old_range_proves_nothing_about_today(service, quay):
    finish(backfill(since=TODAY - timedelta(days=90), until=TODAY - timedelta(days=60)))

    assert proven(quay) is None


def test_one_listing_proves_nothing_while_another_is_unread(service, quay):
    job = backfill(since=TODAY - timedelta(days=90), restaurants=[quay])
    list_slice(job.slices.first())
    job.slices.filter(position=0).update(listing_began_at=NOW)
    lifecycle._close_read_slices(job, now=NOW)

    assert job.slices.count() > 1
    assert proven(quay) is None


def test_a_list_that_never_settles_is_listed_again(service, quay):
    def shift(*_args):
        yield uuid4()
        raise errors.ListChanged

    set_listing(shift)
    job = backfill(restaurants=[quay])
    lifecycle.advance(now=NOW)

    assert SyncRequest.objects.count() == 1
    assert job.slices.get().state == Slice.State.WAITING
