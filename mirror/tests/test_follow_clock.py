"""What a clock that ran ahead has written follows it when it is set back."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models

from live.models import Announcement
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Heartbeat, Priority, SyncRequest
from mirror.processes import clock_jumps, heartbeat
from mirror.queue import sync_requests

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)
DAY = timedelta(days=1)
# Models with moments that do not follow, and why.
STAYS = {
    "moments of the service": "Call Customer PushEvent Reservation Review Work",
    "history, unchanged": (
        "CopyCheck Drift HourlyCount LatencySample LogEntry Logo NotSame ProfileView User"
    ),
    "what people set up, or were promised until then": (
        "Connection EmergencyAccess Feed FirstAdminLink Invitation OfflineDevice PhoneSystem"
        " PosIdentity SharedDevice"
    ),
    "judged by a clock that nobody sets": "Token",
    "of the database's clock, and one ahead holds nothing up": "ScheduledTask",
    "a question because of the clock": "PurgeQuestion",
    "of the last visit": "ReturningGuest",
}


def ask(uuid, *, now):
    ref = EntityRef("reservation", uuid, EntityLocation())
    sync_requests.request([ref], priority=Priority.SWEEP, now=now)


def run_ahead(by):
    """The clock ran ahead, as this machine has seen it, and is right again."""
    heartbeat.start_anew()
    clock_jumps.follow(now=NOW + by)


@pytest.mark.parametrize("by", [timedelta(hours=1), DAY, timedelta(days=500)], ids=str)
def test_a_read_that_was_requested_ahead_is_due_at_once(by):
    ask(uuid4(), now=NOW + by)
    run_ahead(by)
    assert sync_requests.claim(limit=1, now=NOW) == []

    clock_jumps.follow(now=NOW)

    [claim] = sync_requests.claim(limit=1, now=NOW)
    assert claim.requested_at == NOW


def test_what_a_worker_held_comes_back_when_its_lease_ends():
    ask(uuid4(), now=NOW + DAY)
    sync_requests.claim(limit=1, now=NOW + DAY)
    run_ahead(DAY)

    clock_jumps.follow(now=NOW)

    assert sync_requests.reclaim(now=NOW) == 0
    assert sync_requests.reclaim(now=NOW + sync_requests.LEASE + timedelta(seconds=1)) == 1


def test_a_clock_that_was_ahead_for_a_moment_is_noticed():
    """No watch looked while it was ahead, but an event was stored by it."""
    clock_jumps.follow(now=NOW - timedelta(seconds=1))
    ref = EntityRef("reservation", uuid4(), EntityLocation())
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW + DAY)

    clock_jumps.follow(now=NOW)

    assert SyncRequest.objects.get().not_before == NOW


def test_what_is_stored_after_the_correction_hides_no_jump():
    ask(uuid4(), now=NOW + DAY)
    run_ahead(DAY)

    Heartbeat.objects.note_clock(now=NOW)
    clock_jumps.follow(now=NOW)

    assert SyncRequest.objects.get().not_before == NOW


def test_a_pause_keeps_its_length():
    ask(uuid4(), now=NOW)
    SyncRequest.objects.update(not_before=NOW + DAY + timedelta(minutes=10))
    run_ahead(DAY)

    clock_jumps.follow(now=NOW)

    assert SyncRequest.objects.get().not_before == NOW + timedelta(minutes=10)


def test_what_is_held_for_ever_stays_held():
    for_ever = datetime(2200, 1, 1, tzinfo=UTC)
    ask(uuid4(), now=NOW)
    SyncRequest.objects.update(not_before=for_ever)
    run_ahead(DAY)

    clock_jumps.follow(now=NOW)

    assert SyncRequest.objects.get().not_before == for_ever


def test_what_was_written_before_keeps_its_time():
    before = NOW - timedelta(hours=3)
    line = Announcement.objects.create(
        kind="reservation", uuid=uuid4(), version=1, group_id=1, at=before
    )
    run_ahead(DAY)

    clock_jumps.follow(now=NOW)

    line.refresh_from_db()
    assert line.at == before


def test_a_correction_of_seconds_moves_nothing():
    ask(uuid4(), now=NOW + timedelta(seconds=8))
    run_ahead(timedelta(seconds=8))

    clock_jumps.follow(now=NOW)

    assert SyncRequest.objects.get().not_before == NOW + timedelta(seconds=8)


def test_it_is_done_once():
    run_ahead(DAY)
    clock_jumps.follow(now=NOW)
    ask(uuid4(), now=NOW)
    SyncRequest.objects.update(not_before=NOW + timedelta(minutes=10))

    clock_jumps.follow(now=NOW + timedelta(seconds=2))

    assert SyncRequest.objects.get().not_before == NOW + timedelta(minutes=10)


def test_a_process_that_was_alive_ahead_does_not_count_as_alive():
    Heartbeat.objects.create(name="worker", at=NOW + DAY)
    run_ahead(DAY)

    clock_jumps.follow(now=NOW)

    assert heartbeat.age("worker", now=NOW + timedelta(minutes=1)) == timedelta(minutes=1)


def test_every_moment_is_accounted_for():
    """A new column is registered, or stands above with those that are not ours to move."""
    known = {one.model: one.fields for one in clock_jumps.all_moments()}
    left = {
        model.__name__
        for model in apps.get_models()
        if not model.__module__.startswith(("django.", "allauth."))
        for field in model._meta.get_fields()
        if isinstance(field, models.DateTimeField) and field.name not in known.get(model, ())
    }
    assert left == {name for names in STAYS.values() for name in names.split()}
