"""Sweeps: how far back they look, and when one begins."""

from datetime import timedelta
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror import kinds
from mirror.jobs import lifecycle
from mirror.jobs import pages as jobs_pages
from mirror.models import Job
from partner import errors
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY, backfill, finish, set_listing

pytestmark = pytest.mark.django_db


def test_it_works(service):
    uuid = uuid4()
    service.guests = {uuid: "Maria"}
    finish(backfill())
    service.guests[uuid] = "Mary"
    job = finish(lifecycle.sweep(now=NOW))

    assert Customer.objects.get(uuid=uuid).first_name == "Mary"
    assert jobs_pages.progress(job)["repaired"] == 1


def test_a_sweep_reaches_back_over_the_time_without_one(service):
    finish(lifecycle.sweep(now=NOW - timedelta(days=5)), now=NOW - timedelta(days=5))

    assert lifecycle.sweep(now=NOW).since == TODAY - timedelta(days=6)


def test_a_sweep_that_failed_is_caught_up_with(service):
    finish(lifecycle.sweep(now=NOW - timedelta(days=5)), now=NOW - timedelta(days=5))
    listing = kinds.get("customer").list

    def refuse(*_args):
        raise errors.MissingScope(status=403)

    set_listing(refuse)
    finish(lifecycle.sweep(now=NOW - timedelta(days=1)), now=NOW - timedelta(days=1))
    set_listing(listing)

    assert lifecycle.sweep(now=NOW).since == TODAY - timedelta(days=6)


def test_the_schedule_starts_one_sweep_an_hour(service):
    assert lifecycle.sweep_if_due(now=NOW)
    assert not lifecycle.sweep_if_due(now=NOW)
    Job.objects.update(state=Job.State.DONE)
    assert lifecycle.sweep_if_due(now=NOW + timedelta(minutes=51))


def test_a_sweep_of_a_clock_that_ran_ahead_holds_up_none(service):
    """A day ahead and back: otherwise nothing would be compared for a day."""
    assert lifecycle.sweep_if_due(now=NOW + timedelta(days=1))
    Job.objects.update(state=Job.State.DONE)

    assert lifecycle.sweep_if_due(now=NOW)
