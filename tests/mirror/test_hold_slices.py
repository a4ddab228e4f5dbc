"""A slice belongs to one worker at a time, however long a run or a listing takes."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError

from customers.models import Customer
from customers.testing import make_customer
from mirror import kinds
from mirror.jobs import lifecycle, short_lists, slice_leases
from mirror.models import Slice
from partner import errors
from partner.payloads.paging import MORE_THAN_SHOWN
from tests.mirror.conftest import NOW
from tests.mirror.jobs import backfill, set_listing

pytestmark = pytest.mark.django_db


class Uptime:
    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def uptime(monkeypatch):
    uptime = Uptime()
    monkeypatch.setattr(slice_leases, "monotonic", uptime)
    return uptime


def lease():
    return Slice.objects.get(state=Slice.State.LISTING).lease_until


def test_the_lease_of_a_later_slice_of_a_long_run_begins_with_its_listing(
    service, harbour, hill, uptime
):
    left = []

    def take_long(*_args):
        left.append(lease() - NOW - timedelta(seconds=uptime.seconds - 1000))
        uptime.seconds += 70
        return iter(())

    set_listing(take_long)
    backfill()
    lifecycle.advance(now=NOW)

    assert left == [slice_leases.LISTING_LEASE] * 2


def test_it_is_renewed_before_each_page_of_a_list_that_names_nothing_new(service, quay, uptime):
    leases = []

    def walk(client, *_args):
        for _page in range(4):
            client.before_page()
            leases.append(lease() - NOW)
            uptime.seconds += 25
        return iter(())

    set_listing(walk)
    backfill(restaurants=[quay])
    lifecycle.advance(now=NOW)

    assert leases == [timedelta(seconds=60 + 25 * page) for page in range(4)]


@pytest.mark.parametrize("state", [Slice.State.LISTING, Slice.State.FAILED, Slice.State.DONE])
@pytest.mark.parametrize(
    "end",
    [
        None,
        "short",
        OperationalError("deadlock detected"),
        errors.ListChanged(method="GET"),
        errors.NotOurs(status=401),
        errors.MissingScope(status=403),
        errors.Malformed(method="GET", code=MORE_THAN_SHOWN),
    ],
    ids=repr,
)
def test_a_worker_that_lost_its_slice_changes_nothing_of_it(service, quay, monkeypatch, state, end):
    job = backfill(restaurants=[quay])
    after = []

    def lose_it(*_args):
        yield uuid4()
        lease_until = NOW + timedelta(minutes=3) if state == Slice.State.LISTING else None
        job.slices.update(state=state, lease_until=lease_until, attempts=2, found=7)
        after.extend(job.slices.values())
        if isinstance(end, Exception):
            raise end

    set_listing(lose_it)
    if end == "short":
        monkeypatch.setattr(short_lists, "count_held", lambda _piece, *, found: 100)
    lifecycle.advance(now=NOW)

    assert list(job.slices.values()) == after


def test_nor_does_one_that_loses_it_while_it_decides_about_a_short_list(service, quay):
    """Its lease was confirmed a moment before, and then it stood still for longer than that."""
    job = backfill(restaurants=[quay])
    job.slices.update(short_count=9, short_since=NOW - timedelta(days=1))
    calls, after = [], []

    def held(*_args):
        calls.append(1)
        if len(calls) > 1:  # what it names is compared by the first, and read by the second
            lease_until = NOW + timedelta(minutes=3)
            job.slices.update(lease_until=lease_until, attempts=2, repaired=5, found=7)
            after.extend(job.slices.values())
        return Customer.objects.filter(group=quay.group).values_list("uuid", flat=True)

    for _ in range(60):
        make_customer(quay.group)
    set_listing(lambda *_args: iter(()))
    object.__setattr__(kinds.get("customer"), "held", held)
    lifecycle.advance(now=NOW)

    assert after
    assert list(job.slices.values()) == after


def test_nor_does_it_go_on_listing(service, quay, uptime):
    job = backfill(restaurants=[quay])
    pages = []

    def stand_still(client, *_args):
        for page in range(4):
            client.before_page()
            pages.append(page)
            uptime.seconds += 70
            job.slices.update(lease_until=NOW + timedelta(minutes=9), attempts=2)
        return iter(())

    set_listing(stand_still)
    lifecycle.advance(now=NOW)

    assert pages == [0]
