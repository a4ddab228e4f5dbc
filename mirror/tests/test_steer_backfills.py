"""Backfills from the admin's page: starting, watching, pausing, resuming, cancelling."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mirror.jobs import lifecycle
from mirror.models import Job, Priority, SyncRequest
from restaurants.testing import make_user, sign_in

BACKFILLS = "/setup/mirror/backfills/"


@pytest.fixture
def dora_client(dora):
    return sign_in(dora)


@pytest.fixture
def job(quay):
    day = timezone.now().date()
    return lifecycle.backfill(since=day, until=day, now=timezone.now(), restaurants=[quay])


def steer(client, job, verb):
    answer = client.post(f"{BACKFILLS}{job.pk}/{verb}/")
    job.refresh_from_db()
    return answer


class TestStartBackfill:
    def test_it_works(self, dora_client, quay):
        ref = {"since": "2026-11-01", "until": "2026-11-20", "restaurants": [quay.pk]}
        answer = dora_client.post(BACKFILLS, ref)

        job = Job.objects.get()
        assert answer["Location"] == f"{BACKFILLS}{job.pk}/"
        assert {piece.restaurant_uuid for piece in job.slices.filter(kind="review")} == {quay.uuid}

    def test_it_suggests_a_range(self, dora_client):
        assert "Read a range" in dora_client.get(BACKFILLS).content.decode()

    def test_a_range_that_ends_before_it_begins_is_refused(self, dora_client):
        answer = dora_client.post(BACKFILLS, {"since": "2026-11-20", "until": "2026-11-01"})

        assert (answer.status_code, Job.objects.count()) == (422, 0)
        assert "The range ends before it begins." in answer.content.decode()

    @pytest.mark.parametrize(("url", "status"), [(BACKFILLS, 422), ("/setup/mirror/sweep/", 302)])
    def test_before_there_is_a_restaurant_nothing_begins(self, db, url, status):
        """It would be done at once, and the guide would call the first copy done for good."""
        first = sign_in(make_user("first@example.org", is_owner=True))
        answer = first.post(url, {"since": "2026-11-01", "until": "2026-11-20"})

        assert (answer.status_code, Job.objects.count()) == (status, 0)
        page = answer if status == 422 else first.get(answer["Location"])
        assert "Set up a restaurant first." in page.content.decode()

    @pytest.mark.parametrize("days", [("0001-01-01", "0001-01-03"), ("9999-12-29", "9999-12-31")])
    def test_days_of_no_calendar_are_refused(self, dora_client, quay, days):
        answer = dora_client.post(BACKFILLS, dict(zip(("since", "until"), days, strict=True)))

        assert (answer.status_code, Job.objects.count()) == (422, 0)

    @pytest.mark.parametrize(
        "words",
        [
            ("backfill", "--since", "0001-01-01", "--until", "2026-11-01"),
            ("backfill", "--since", "2026-11-01", "--until", "9999-12-31"),
            ("sweep", "--days", "-5"),
            ("sweep", "--days", "99999999"),
        ],
    )
    def test_nor_does_a_command_take_them(self, quay, words):
        with pytest.raises(CommandError, match="Nothing was started"):
            call_command(*words)

        assert not Job.objects.exists()

    def test_it_needs_the_right(self, bob):
        answer = sign_in(bob).post(BACKFILLS, {"since": "2026-11-01", "until": "2026-11-20"})

        assert (answer.status_code, Job.objects.count()) == (403, 0)

    def test_a_sweep_can_be_started_by_hand(self, dora_client, quay):
        dora_client.post("/setup/mirror/sweep/")

        assert Job.objects.get().purpose == Job.Purpose.SWEEP


class TestListBackfills:
    def test_its_queries_do_not_grow(self, dora_client, job, quay, django_assert_num_queries):
        dora_client.get(BACKFILLS)
        with CaptureQueriesContext(connection) as alone:
            dora_client.get(BACKFILLS)
        for _ in range(10):
            lifecycle.backfill(
                since=job.since, until=job.until, now=timezone.now(), restaurants=[quay]
            )

        with django_assert_num_queries(len(alone)):
            page = dora_client.get(BACKFILLS).content.decode()

        assert page.count("<progress") == 11


class TestSteer:
    def test_it_pauses_and_resumes(self, dora_client, job):
        steer(dora_client, job, "pause")
        assert job.state == Job.State.PAUSED

        steer(dora_client, job, "resume")
        assert job.state == Job.State.RUNNING

    def test_after_a_pause_a_refusal_is_not_the_last_one(self, dora_client, job):
        """What was refused once is read twice more before that is believed."""
        row = SyncRequest.objects.create(
            **{"kind": "reservation", "uuid": uuid4(), "slice": job.slices.first(), "attempts": 1},
            **{"state": SyncRequest.State.WAITING, "problem": "not-ours", "request_count": 1},
            priority=Priority.BACKFILL,
            **{"not_before": timezone.now(), "requested_at": timezone.now()},
        )
        for verb in ("pause", "resume"):
            steer(dora_client, job, verb)
        row.refresh_from_db()

        assert (row.attempts, row.problem) == (0, "")

    def test_it_cancels(self, dora_client, job):
        steer(dora_client, job, "cancel")

        assert job.state == Job.State.CANCELLED

    def test_what_is_over_stays_over(self, dora_client, job):
        steer(dora_client, job, "cancel")
        steer(dora_client, job, "resume")

        assert job.state == Job.State.CANCELLED

    def test_it_shows_how_far_it_is(self, dora_client, job):
        page = dora_client.get(f"{BACKFILLS}{job.pk}/").content.decode()

        assert "0 of 0 read" in page
        assert "Pause" in page

    @pytest.mark.parametrize("verb", ["pause", "resume", "cancel"])
    def test_it_needs_the_right(self, bob, job, verb):
        assert steer(sign_in(bob), job, verb).status_code == 403

    def test_looking_changes_nothing(self, dora_client, job):
        assert dora_client.get(f"{BACKFILLS}{job.pk}/pause/").status_code == 405

    def test_an_unknown_verb_is_no_page(self, dora_client, job):
        assert dora_client.post(f"{BACKFILLS}{job.pk}/burn/").status_code == 404
