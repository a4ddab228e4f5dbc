"""Comparisons of a month ago are deleted, and no answer changes."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror import drift, kinds, tasks
from mirror.health import account_sections
from mirror.jobs import completeness, lifecycle, retention, short_lists
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Completeness, Drift, Job, Priority, Slice, SyncRequest
from mirror.queue import sync_requests
from partner import errors
from partner.models import Connection
from tests.mirror.conftest import NOW
from tests.mirror.jobs import backfill, finish, proven

pytestmark = pytest.mark.django_db

LONG_AGO = NOW - retention.KEPT - timedelta(days=1)
HOUR = timedelta(hours=1)


def sweep(at, **options):
    return finish(lifecycle.sweep(now=at, **options), now=at)


def sweeps(number, *, since=LONG_AGO - timedelta(days=1)):
    return [sweep(since + n * HOUR) for n in range(number)]


def first_listed(place):
    return completeness.first_listed("customer", EntityLocation(place.group.uuid))


def test_it_works(service):
    first, *old, last = sweeps(4)
    recent = sweep(NOW - timedelta(days=29))
    retention.delete_old(now=NOW)

    assert set(Job.objects.all()) == {first, recent}
    assert not Slice.objects.exclude(job__in=[first, recent]).exists()
    assert {*old, last}.isdisjoint(Job.objects.all())


def test_backfills_and_what_they_say_of_days_stay(service):
    first = finish(backfill(now=LONG_AGO), now=LONG_AGO)
    second = finish(backfill(now=LONG_AGO + HOUR), now=LONG_AGO + HOUR)
    retention.delete_old(now=NOW)

    assert set(Job.objects.all()) == {first, second}


def test_the_last_comparison_stays_however_old(service):
    """The service was paused for two months: health, and the lists before, are judged by it."""
    [connection] = Connection.objects.all()
    *_old, last = sweeps(4)
    before = account_sections.sweep_sections([connection], NOW)
    retention.delete_old(now=NOW)

    assert account_sections.sweep_sections([connection], NOW) == before
    assert Job.objects.filter(pk=last.pk).exists()


def test_a_place_is_complete_since_the_same_instant(service, quay):
    sweeps(3)
    Completeness.objects.all().delete()
    before = first_listed(quay)
    sweep(NOW - timedelta(days=1))
    Completeness.objects.all().delete()
    retention.delete_old(now=NOW)
    finish(backfill())

    assert first_listed(quay) == before == proven(quay)


def test_refused_and_cancelled_comparisons_go_too(service, monkeypatch):
    first = sweep(LONG_AGO - HOUR)

    def refuse(*_args):
        raise errors.MissingScope(status=403)

    with monkeypatch.context() as patch:
        patch.setattr(kinds.KINDS, "entries", [replace(kinds.get("customer"), list=refuse)])
        sweep(LONG_AGO)
    cancelled = lifecycle.sweep(now=LONG_AGO)
    lifecycle.cancel(cancelled, now=LONG_AGO)
    recent = sweep(NOW - HOUR)
    retention.delete_old(now=NOW)

    assert set(Job.objects.all()) == {first, recent}


def test_a_list_that_stays_short_is_still_counted_on(service, settings, monkeypatch, quay):
    """The last one before came two months ago, and was short."""
    settings.MIRROR_SHORT_LIST_MISSING = 2
    service.guests = {uuid4(): f"Guest {n}" for n in range(6)}
    held = Customer.objects.filter(group=quay.group)
    counting = replace(kinds.get("customer"), held=lambda *_args: held.values_list("pk", flat=True))
    monkeypatch.setattr(kinds.KINDS, "entries", [counting])
    sweep(LONG_AGO - 3 * HOUR)
    service.guests.clear()
    sweep(LONG_AGO - HOUR)
    sweep(LONG_AGO)
    retention.delete_old(now=NOW)
    assert {piece.short_count for piece in short_lists.current()} == {2}

    assert sweep(NOW).slices.filter(found=6).exists()


def test_what_waits_to_be_read_keeps_its_comparison(service):
    """Its account was paused for two months."""
    *_rest, old, _last = sweeps(4)
    uuid = uuid4()
    sync_requests.request(
        [EntityRef("customer", uuid, EntityLocation())],
        priority=Priority.SWEEP,
        now=LONG_AGO,
        slice_id=old.slices.first().pk,
    )
    retention.delete_old(now=NOW)

    assert SyncRequest.objects.filter(uuid=uuid, slice__job=old).exists()


def test_an_open_backfill_waits_for_all_that_took_over_from_it(service):
    *_rest, one, two, _last = sweeps(5)
    backfilled = backfill(now=LONG_AGO)
    lifecycle.pause(backfilled, now=LONG_AGO)
    backfilled.slices.first().waits_for.add(one.slices.first())
    one.slices.first().waits_for.add(two.slices.first())
    retention.delete_old(now=NOW)

    assert {one, two} < set(Job.objects.all())

    lifecycle.cancel(backfilled, now=NOW)
    retention.delete_old(now=NOW)

    assert {one, two}.isdisjoint(Job.objects.all())


def test_what_an_old_comparison_named_stays(service):
    service.guests = {uuid4(): "Maria"}
    sweeps(2)
    service.guests.clear()
    sweep(NOW - HOUR)
    before = SyncRequest.objects.values().get()
    retention.delete_old(now=NOW)

    assert SyncRequest.objects.values().get() == {**before, "slice_id": None}


def test_many_are_deleted_over_several_runs(service):
    sweeps(6)
    sweep(NOW)

    assert [retention.delete_old(now=NOW, most=3) for _ in range(3)] == [3, 2, 0]


def test_findings_of_months_ago_go_and_recent_ones_stay():
    for name, days in (("old", 91), ("recent", 89), ("new", 0)):
        at = NOW - timedelta(days=days)
        Drift.objects.create(kind="review", finding=name, first_seen_at=at, last_seen_at=at)
    drift.delete_old(now=NOW)
    assert set(Drift.objects.values_list("finding", flat=True)) == {"recent", "new"}

    drift.delete_old(now=NOW, most=1)
    assert Drift.objects.get().finding == "new"


def test_the_hourly_task_deletes_both(service):
    sweeps(3)
    at = NOW - timedelta(days=1000)
    Drift.objects.create(kind="review", finding="old", first_seen_at=at, last_seen_at=at)
    tasks.delete_old()

    assert Job.objects.count() == 2
    assert not Drift.objects.exists()
