"""When a backfill will be done, by the pace of late."""

from datetime import UTC, datetime, timedelta

import pytest

from mirror.jobs import pages
from mirror.models import Job, Slice

NOW = datetime(2026, 11, 20, 18, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

pytestmark = pytest.mark.django_db


def a_job(*, ended, began=600 * MINUTE, reading=0, state="done"):
    """Ten slices, each of 1,000 rows once it is listed; some ended so many minutes ago."""
    job = Job.objects.create(purpose="backfill", since=NOW, until=NOW, started_at=NOW - began)
    facts = [{"state": state, "done_at": NOW - ago * MINUTE, "found": 1000} for ago in ended]
    facts += [{"state": "reading", "found": 1000}] * reading
    facts += [{"state": "waiting"}] * (10 - len(facts))
    common = {"kind": "customer", "since": NOW, "until": NOW, "not_before": NOW}
    Slice.objects.bulk_create(
        Slice(job=job, position=position, **common, **one) for position, one in enumerate(facts)
    )
    return job


def guess(job, **done):
    """The minutes to come."""
    end = pages.eta(job, {**pages.progress(job), **done}, now=NOW)
    return end and (end - NOW) / MINUTE


def test_it_works():
    assert guess(a_job(ended=[4, 3, 2, 1], began=5 * MINUTE)) == pytest.approx(6 * 5 / 4)


def test_nobody_worked_while_the_machine_was_off():
    assert guess(a_job(ended=[500, 490, 3, 2, 1])) == pytest.approx(5 * 3 / 2)


def test_after_a_standstill_there_is_no_guess_before_there_is_a_pace():
    assert guess(a_job(ended=[500, 490])) is None
    assert guess(a_job(ended=[500, 490, 1])) is None


def test_of_many_slices_the_last_ones_tell(monkeypatch):
    monkeypatch.setattr(pages, "LAST_SLICES", 3)

    assert guess(a_job(ended=[14, 10, 3, 2, 1], began=15 * MINUTE)) == pytest.approx(5 * 3 / 2)


def test_what_is_still_read_is_no_share_of_the_slices_that_ended():
    """Five slices make 5,000 rows, so ten make 10,000, not 12,500."""
    job = a_job(ended=[4, 3, 2, 1], began=5 * MINUTE, reading=1)

    assert guess(job, read=4000) == pytest.approx(6 * 5 / 4)


@pytest.mark.parametrize("state", ["failed", "short"])
def test_a_list_that_broke_off_counts_with_what_it_named(state):
    """Where every list has, there is still a guess, and a page that shows it."""
    job = a_job(ended=[4, 3, 2, 1], began=5 * MINUTE, state=state)

    assert guess(job) == pytest.approx(6 * 5 / 4)
