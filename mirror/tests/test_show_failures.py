"""What was not read stands as sentences: what, where, since when, why, and what to do next."""

import re
from datetime import date
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from mirror.health import failures
from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, Slice, SyncRequest
from mirror.queue import retry_schedule, sync_requests
from restaurants.testing import sign_in

HEALTH, BACKFILLS = "/setup/mirror/", "/setup/mirror/backfills/"
FIRST, LAST = date(2026, 1, 1), date(2026, 1, 31)
REASON = "The database was busy. The list is read again in a moment."


@pytest.fixture
def job(quay, dora):
    now = timezone.now()
    job = lifecycle.backfill(
        since=FIRST,
        until=LAST,
        now=now,
        kind_names=["review"],
        restaurants=[quay],
        started_by=dora,
    )
    job.slices.update(state=Slice.State.FAILED, sentence=REASON, done_at=now)
    return job


def park(place, *, problem, sentence=""):
    location = EntityLocation(place.group.uuid, place.uuid)
    sync_requests.request(
        [EntityRef("reservation", uuid4(), location)],
        priority=Priority.EVENT,
        now=timezone.now(),
    )
    SyncRequest.objects.update(state=SyncRequest.State.PARKED, problem=problem, sentence=sentence)


def read(user, address):
    return sign_in(user).get(address).content.decode()


class TestBackfills:
    def test_it_works(self, dora, job):
        page = read(dora, BACKFILLS)

        assert re.search(r'<a href="[^"]+">Backfill [\w /]+ –', page)
        assert ", Dora" in page
        assert "could not be read: where, why and what to do next" in page
        assert "No. " not in page

    def test_a_failure_says_what_where_since_when_why_and_what_next(self, dora, job):
        page = read(dora, f"{BACKFILLS}{job.pk}/")

        assert "Review · Quay · " in page
        assert "Not read since" in page
        assert REASON in page
        assert "Read these days again, once the reason is gone." in page

    def test_what_is_next_is_a_form_with_these_days(self, dora, job):
        [failure, *_more] = failures.of_slices(job, job.slices.all())
        page = read(dora, failure.url)

        assert f'value="{job.slices.first().since}"' in page

    @pytest.mark.parametrize("query", ["?since=x", "?since=2026-99-99&until="])
    def test_days_that_are_none_are_passed_over(self, dora, query):
        assert "Read a range" in read(dora, BACKFILLS + query)

    def test_a_comparison_tries_again_by_itself(self, quay):
        job = lifecycle.sweep(now=timezone.now())
        [failure, *_more] = failures.of_slices(job, job.slices.all())

        assert failure.next_step == "The next comparison reads it by itself, within the hour."
        assert failure.url == ""

    def test_the_reason_is_in_the_readers_language(self, job):
        with override("fr"):
            [failure, *_more] = failures.of_slices(job, job.slices.all())

        assert failure.why.startswith("La base de données était occupée.")


class TestNeedsAttention:
    def test_it_works(self, dora, quay):
        park(quay, problem="unplaced", sentence="It belongs to no group.")
        page = read(dora, HEALTH)

        assert "Booking · Quay" in page
        assert "Not read: what is shown of it may be old." in page
        assert "It belongs to no group." in page
        assert "Add its restaurant under Setup → Restaurants" in page

    def test_a_read_without_a_reason_says_so(self, dora, quay):
        park(quay, problem="refused")

        page = read(dora, HEALTH)

        assert "The read failed for a reason we do not know." in page
        assert "Try it again." in page

    @pytest.mark.parametrize("problem", ["crash", "unstorable"])
    def test_what_is_a_fault_here_is_not_sent_to_the_service(self, dora, quay, problem):
        park(quay, problem=problem)

        page = read(dora, HEALTH)

        assert "It is read again every hour by itself." in page
        assert "the service’s team" not in page

    def test_a_read_that_was_cut_off_says_so(self, dora, quay):
        park(quay, problem="crash")

        assert "Reading it was cut off, or took too long" in read(dora, HEALTH)

    @pytest.mark.parametrize("problem", [*retry_schedule.PARKED.values(), "refused", "crash"])
    def test_every_reason_leads_on(self, quay, problem):
        [failure] = failures.of_requests([SyncRequest(kind="reservation", problem=problem)])

        assert failure.next_step
