"""Until when the copy of a place is complete: what proves it, and what does not.

Changes that nobody listed: the service was swept five days ago, then the machine was off.
"""

from dataclasses import replace
from datetime import timedelta

import pytest

from mirror import kinds
from mirror.jobs import completeness, lifecycle, slice_leases
from mirror.jobs.slice_leases import RunClock
from mirror.kinds import EntityLocation
from partner import errors
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY, backfill, finish, proven

pytestmark = pytest.mark.django_db
LAST = NOW - timedelta(days=5)


@pytest.fixture
def swept(service):
    return finish(lifecycle.sweep(now=LAST), now=LAST)


def fail(monkeypatch, job):
    def refuse(*_args):
        raise errors.MissingScope(status=403)

    with monkeypatch.context() as patch:
        patch.setattr(kinds.KINDS, "entries", [replace(kinds.get("customer"), list=refuse)])
        finish(job, now=LAST)


def test_a_backfill_of_this_week_does_not_hide_them(swept, quay):
    finish(backfill(since=TODAY, until=TODAY + timedelta(days=7)))

    assert proven(quay) == LAST
    assert lifecycle.sweep(now=NOW).since == LAST.date() - timedelta(days=1)


def test_a_sweep_of_one_day_does_not_hide_them(swept, quay):
    finish(lifecycle.sweep(now=NOW, days=1))

    assert proven(quay) == LAST
    assert lifecycle.sweep(now=NOW).since == LAST.date() - timedelta(days=1)


@pytest.mark.parametrize("days", [None, 6])
def test_a_sweep_that_lists_them_proves_the_place_complete(swept, quay, days):
    finish(lifecycle.sweep(now=NOW, days=days))

    assert proven(quay) == NOW


def test_a_sweep_of_reviews_looks_at_meals_long_before_them(service, monkeypatch, quay):
    kind = replace(kinds.get("customer"), name="review", known=lambda *_args: iter(()))
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    for now, days in ((LAST, None), (NOW - timedelta(days=1), 1), (NOW, None)):
        finish(lifecycle.sweep(now=now, days=days), now=now)
        known = completeness.proven("review", EntityLocation(quay.group.uuid, quay.uuid))
        assert known == (LAST if days else now)


def test_the_first_backfill_is_what_sweeps_go_on_from(service, quay):
    finish(backfill(now=LAST, since=LAST.date(), until=TODAY), now=LAST)

    assert proven(quay) == LAST
    assert lifecycle.sweep(now=NOW).since == LAST.date() - timedelta(days=1)


def test_a_backfill_proves_nothing_of_what_a_failed_one_has_read(service, monkeypatch, quay):
    fail(monkeypatch, backfill(now=LAST))
    finish(backfill())

    assert proven(quay) == LAST


def test_a_sweep_goes_on_from_a_backfill_that_failed(service, monkeypatch):
    fail(monkeypatch, backfill(now=LAST))

    assert lifecycle.sweep(now=NOW).since == LAST.date() - timedelta(days=1)


def test_a_listing_that_was_taken_up_again_counts_from_its_first_try(service, quay):
    job = backfill(now=LAST)
    for _group in "two":
        slice_leases.claim(job, clock=RunClock(LAST))
    finish(job)

    assert proven(quay) == LAST
