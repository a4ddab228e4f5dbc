"""The queue of reads: asking, coalescing, claiming, giving back."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mirror.health import freshness
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import due_accounts, sync_requests
from mirror.queue.sync_requests import SPACING, UNREAD, DueConnection

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
GROUP = UUID("11111111-0000-4000-8000-000000000001")
HERE = EntityLocation(GROUP)
pytestmark = pytest.mark.django_db


def ask(uuid, *, priority=Priority.EVENT, now=NOW, location=HERE):
    sync_requests.request([EntityRef("reservation", uuid, location)], priority=priority, now=now)
    return SyncRequest.objects.get(uuid=uuid)


def claim(*, now=NOW, limit=10, reserved=0):
    return sync_requests.claim(limit=limit, now=now, reserved=reserved)


def test_it_works():
    uuid = uuid4()
    ask(uuid)

    [claimed] = claim()

    assert (claimed.kind, claimed.uuid, claimed.location.group_uuid) == ("reservation", uuid, GROUP)


def test_a_hundred_requests_are_one_row():
    uuid = uuid4()
    for _ in range(100):
        ask(uuid)

    assert SyncRequest.objects.count() == 1
    assert len(claim()) == 1


def test_the_same_entity_twice_in_one_batch_is_one_row():
    ref = EntityRef("reservation", uuid4(), EntityLocation(GROUP))

    sync_requests.request([ref, ref], priority=Priority.EVENT, now=NOW)

    assert SyncRequest.objects.count() == 1


def test_it_hands_out_a_row_once():
    ask(uuid4())
    claim()

    assert claim() == []


def test_people_come_before_events_before_sweeps_before_backfills():
    for priority in (Priority.BACKFILL, Priority.SWEEP, Priority.EVENT, Priority.PERSON):
        ask(uuid4(), priority=priority)

    assert [claimed.priority for claimed in claim()] == [0, 1, 2, 3]


def test_the_last_places_are_kept_for_what_is_urgent():
    for _ in range(3):
        ask(uuid4(), priority=Priority.BACKFILL)

    assert len(claim(limit=3, reserved=2)) == 1
    assert claim(limit=2, reserved=2) == []

    ask(uuid4(), priority=Priority.EVENT)
    assert [held.priority for held in claim(limit=2, reserved=2)] == [Priority.EVENT]


def test_a_claim_says_which_read_it_is():
    uuid = uuid4()
    ask(uuid)
    [claimed] = claim()

    assert claimed.fetch_no == SyncRequest.objects.get().fetch_no == 1


def test_an_event_lifts_a_backfill_row():
    uuid = uuid4()
    ask(uuid, priority=Priority.BACKFILL)

    assert ask(uuid, priority=Priority.EVENT).priority == Priority.EVENT


def test_a_backfill_does_not_lower_an_event_row():
    uuid = uuid4()
    ask(uuid, priority=Priority.EVENT)

    assert ask(uuid, priority=Priority.BACKFILL).priority == Priority.EVENT


def test_it_leaves_rows_whose_time_has_not_come():
    row = ask(uuid4())
    SyncRequest.objects.filter(pk=row.pk).update(not_before=NOW + timedelta(seconds=5))

    assert claim() == []
    assert len(claim(now=NOW + timedelta(seconds=6))) == 1


def test_an_event_does_not_shorten_a_back_off():
    row = ask(uuid4())
    later = NOW + timedelta(minutes=2)
    SyncRequest.objects.filter(pk=row.pk).update(not_before=later, attempts=3)

    assert ask(row.uuid).not_before == later


def test_a_person_shortens_a_back_off():
    row = ask(uuid4())
    SyncRequest.objects.filter(pk=row.pk).update(not_before=NOW + timedelta(minutes=2), attempts=3)

    assert ask(row.uuid, priority=Priority.PERSON).not_before == NOW


def test_an_event_calls_for_a_second_look_at_once():
    row = ask(uuid4())
    SyncRequest.objects.filter(pk=row.pk).update(not_before=NOW + timedelta(minutes=2), confirms=1)

    row = ask(row.uuid)

    assert (row.not_before, row.confirms) == (NOW, 0)


def test_a_request_during_a_read_is_remembered():
    row = ask(uuid4())
    [claimed] = claim()

    row = ask(row.uuid)

    assert row.state == SyncRequest.State.WORKING
    assert row.request_count > claimed.request_count


class TestAge:
    """How long the oldest request for a row has been waiting."""

    LATER = NOW + timedelta(seconds=50)

    def test_further_requests_do_not_make_it_younger(self):
        uuid = uuid4()
        ask(uuid)

        assert ask(uuid, now=self.LATER).requested_at == NOW

    def test_a_request_that_was_made_earlier_and_comes_later_makes_it_older(self):
        uuid = uuid4()
        ask(uuid, now=self.LATER)

        assert ask(uuid).requested_at == NOW

    def test_a_backfill_does_not_change_the_age_of_an_event(self):
        uuid = uuid4()
        ask(uuid)

        assert ask(uuid, now=self.LATER, priority=Priority.BACKFILL).requested_at == NOW

    @pytest.mark.parametrize("patient", [Priority.BACKFILL, Priority.SWEEP])
    def test_an_event_is_not_as_old_as_the_backfill_before_it(self, patient):
        uuid = uuid4()
        ask(uuid, priority=patient)

        assert ask(uuid, now=self.LATER).requested_at == self.LATER

    def test_a_person_is_as_old_as_the_event_before_them(self):
        uuid = uuid4()
        ask(uuid)

        assert ask(uuid, now=self.LATER, priority=Priority.PERSON).requested_at == NOW

    def test_it_begins_anew_when_all_was_read(self):
        uuid = uuid4()
        ask(uuid)
        serve(claim()[0], now=NOW)

        assert ask(uuid, now=self.LATER).requested_at == self.LATER

    def test_it_does_not_get_younger_during_the_read(self):
        uuid = uuid4()
        ask(uuid)
        claim()

        assert ask(uuid, now=self.LATER).requested_at == NOW

    def test_it_goes_on_when_the_reader_is_killed(self):
        uuid = uuid4()
        ask(uuid)
        claim()
        ask(uuid, now=self.LATER)
        sync_requests.reclaim(now=self.LATER)

        [claimed] = claim(now=self.LATER)
        assert claimed.requested_at == NOW


def test_an_event_takes_a_row_out_of_parking():
    row = ask(uuid4())
    SyncRequest.objects.filter(pk=row.pk).update(state=SyncRequest.State.PARKED, attempts=9)

    row = ask(row.uuid)

    assert (row.state, row.attempts) == (SyncRequest.State.WAITING, 0)


def test_a_later_hint_adds_what_an_earlier_one_left_open():
    uuid, restaurant = uuid4(), uuid4()
    ask(uuid, location=EntityLocation(GROUP))

    row = ask(uuid, location=EntityLocation(None, restaurant))

    assert (row.group_uuid, row.restaurant_uuid) == (GROUP, restaurant)


def test_every_claim_has_a_higher_number():
    row = ask(uuid4())
    [first] = claim()
    SyncRequest.objects.filter(pk=row.pk).update(state=SyncRequest.State.WAITING)
    [second] = claim()

    assert second.fetch_no > first.fetch_no


def test_a_killed_workers_rows_come_back():
    ask(uuid4())
    claim()
    later = NOW + sync_requests.LEASE + timedelta(seconds=1)

    assert sync_requests.reclaim(now=NOW) == 0
    assert sync_requests.reclaim(now=later) == 1
    assert len(claim(now=later)) == 1


def test_a_read_that_keeps_killing_its_worker_is_parked():
    row = ask(uuid4())
    now = NOW
    for _ in range(sync_requests.MOST_CRASHES):
        claim(now=now)
        now += sync_requests.LEASE + timedelta(seconds=1)
        sync_requests.reclaim(now=now)

    row.refresh_from_db()

    assert (row.state, row.problem) == (SyncRequest.State.PARKED, "crash")
    assert claim(now=now) == []


def test_what_was_not_begun_is_given_back_as_it_was():
    row = ask(uuid4())
    for _ in range(sync_requests.MOST_CRASHES + 1):
        sync_requests.release(claim())

    row.refresh_from_db()
    assert (row.state, row.crashes, row.lease_until) == (SyncRequest.State.WAITING, 0, None)
    assert len(claim()) == 1


def test_what_another_worker_has_claimed_since_is_not_given_back():
    row = ask(uuid4())
    late = claim()
    now = NOW + sync_requests.LEASE + timedelta(seconds=1)
    sync_requests.reclaim(now=now)
    claim(now=now)

    sync_requests.release(late)

    row.refresh_from_db()
    assert row.state == SyncRequest.State.WORKING


def test_asking_for_the_unseen_leaves_known_rows_alone():
    row = ask(uuid4())
    SyncRequest.objects.filter(pk=row.pk).update(state=SyncRequest.State.SETTLED)

    refs = [EntityRef("reservation", row.uuid, HERE), EntityRef("customer", uuid4(), HERE)]
    sync_requests.request_unseen({Priority.EVENT: refs}, now=NOW)

    assert [claimed.kind for claimed in claim()] == ["customer"]


def test_the_unseen_keep_their_place_and_the_most_urgent_priority():
    guest = EntityRef("customer", uuid4(), HERE)
    booking = EntityRef("reservation", uuid4(), EntityLocation())
    refs = {Priority.BACKFILL: [booking, guest], Priority.EVENT: [booking]}

    sync_requests.request_unseen(refs, now=NOW)

    found = [(one.kind, one.location, one.priority) for one in claim()]
    assert found == [
        ("reservation", EntityLocation(), Priority.EVENT),
        ("customer", HERE, Priority.BACKFILL),
    ]


def serve(claimed, *, now):
    SyncRequest.objects.filter(pk=claimed.pk).update(
        state=SyncRequest.State.SETTLED, served=claimed.request_count, settled_at=now
    )


class TestSpacing:
    """A stream of events for one entity, which was read a moment ago."""

    def test_it_waits_a_moment(self):
        uuid = uuid4()
        ask(uuid)
        serve(claim()[0], now=NOW)
        ask(uuid, now=NOW + timedelta(seconds=0.1))

        due = due_accounts.due_soon(now=NOW + timedelta(seconds=0.1), accounts=[None])
        assert due == NOW + timedelta(seconds=0.1) + SPACING

    def test_further_events_do_not_push_it_back(self):
        uuid = uuid4()
        ask(uuid)
        serve(claim()[0], now=NOW)
        for tenth in range(1, 6):
            ask(uuid, now=NOW + timedelta(seconds=tenth / 10))

        due = due_accounts.due_soon(now=NOW + timedelta(seconds=0.5), accounts=[None])
        assert due == NOW + timedelta(seconds=0.1) + SPACING

    def test_a_person_does_not_wait(self):
        uuid = uuid4()
        ask(uuid)
        serve(claim()[0], now=NOW)
        ask(uuid, now=NOW, priority=Priority.PERSON)

        assert len(claim()) == 1

    def test_what_was_read_long_ago_does_not_wait(self):
        uuid = uuid4()
        ask(uuid)
        serve(claim()[0], now=NOW)
        later = NOW + SPACING
        ask(uuid, now=later)

        assert len(claim(now=later)) == 1


def test_a_sign_of_life_is_written_once_by_threads_that_ask_in_any_order():
    heartbeat.beat("event", now=NOW)

    with CaptureQueriesContext(connection) as queries:
        heartbeat.beat("event", now=NOW - timedelta(milliseconds=3))

    assert len(queries) == 0
    assert heartbeat.last("event") == NOW


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's plan follows the numbers")
class TestNothingReadsAllRowsThereEverWere:
    def test_what_a_listing_waits_for(self):
        unread = SyncRequest.objects.filter(UNREAD, slice__job__in=[1, 2]).order_by()

        assert "request_by_slice (slice_id=? AND state=?)" in unread.explain()

    def test_what_a_screen_waits_for(self):
        plan = plan_of(freshness.of_accounts, accounts=[], now=NOW)
        assert "request_waiting (connection_id=? AND priority" in plan
        assert "request_working" in plan

    def test_the_next_reads(self):
        account = DueConnection(1, Priority.EVENT)
        assert "request_waiting" in plan_of(sync_requests.claim, limit=9, now=NOW, account=account)
        assert "request_waiting" in plan_of(due_accounts.due_soon, now=NOW, accounts=[1, None])

    def test_who_has_some(self):
        assert "request_waiting" in plan_of(due_accounts.due_connections, now=NOW)

    def test_what_killed_workers_held(self):
        assert "request_working" in plan_of(sync_requests.reclaim, now=NOW)


def plan_of(question, **values):
    """How the requests are looked up that this asks for, with its values bound as it binds them."""
    plan: list[str] = []

    def explain(execute, sql, params, many, context):
        if 'FROM "mirror_syncrequest"' in sql:
            execute(f"EXPLAIN QUERY PLAN {sql}", params, many, context)
            plan.extend(row[-1] for row in context["cursor"].fetchall())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        question(**values)
    assert "SCAN mirror_syncrequest" not in plan
    return " ".join(plan)
