"""One run of the worker loop serves what is due, in many threads, and loses no request."""

import threading
from collections import Counter
from datetime import timedelta
from itertools import chain, repeat
from uuid import UUID, uuid4

import pytest

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import store, sync_requests, worker_loop
from mirror.queue.store import ReadResult
from mirror.queue.worker_loop import most_claimed, process_queue
from partner import errors
from partner.models import Connection
from restaurants.models import Group
from tests.mirror.conftest import NOW
from webhooks import routing, tasks

pytestmark = pytest.mark.django_db


def ask(*uuids, priority=Priority.EVENT, now=NOW):
    refs = [EntityRef("customer", uuid, EntityLocation()) for uuid in uuids]
    sync_requests.request(refs, priority=priority, now=now)


def run(*, now=NOW):
    return process_queue(now=lambda: now)


def test_it_works(service):
    uuid = uuid4()
    service.guests[uuid] = "Maria"
    ask(uuid)

    run()

    assert Customer.objects.get(uuid=uuid).first_name == "Maria"
    assert SyncRequest.objects.get().state == SyncRequest.State.SETTLED


def test_it_serves_everything_that_is_due(service):
    service.guests = {uuid4(): str(n) for n in range(150)}
    ask(*service.guests, priority=Priority.BACKFILL)

    counts = run()

    assert counts["created"] == Customer.objects.count() == 150
    assert Counter(service.reads).most_common(1)[0][1] == 1


def test_a_hundred_events_cost_one_read(service):
    uuid = uuid4()
    service.guests[uuid] = "Maria"
    for _ in range(100):
        ask(uuid)

    run()

    assert len(service.reads) == 1


def test_one_that_fails_does_not_hold_up_the_others(service):
    good, bad = uuid4(), uuid4()
    service.guests = {good: "Good", bad: "Bad"}
    service.faults[bad] = errors.Unavailable(status=500)
    ask(bad, good)

    run()

    assert Customer.objects.get().uuid == good
    assert SyncRequest.objects.get(uuid=bad).state == SyncRequest.State.WAITING


def test_what_failed_is_read_later(service):
    uuid = uuid4()
    service.guests[uuid] = "Maria"
    service.faults[uuid] = errors.Unavailable(status=503)
    ask(uuid)
    run()
    service.faults.clear()

    run(now=NOW + timedelta(minutes=1))

    assert Customer.objects.filter(uuid=uuid).exists()


def test_a_fault_of_our_own_parks_the_row_and_names_it(service):
    uuid = uuid4()
    service.faults[uuid] = RuntimeError("a bug")
    ask(uuid)

    run()

    assert SyncRequest.objects.get().state == SyncRequest.State.PARKED


def test_it_stops_claiming_when_the_service_is_away(service):
    service.guests = {uuid4(): "x" for _ in range(200)}
    service.faults = dict.fromkeys(service.guests, errors.CircuitOpen(retry_after=30))
    ask(*service.guests, priority=Priority.BACKFILL)

    run()

    assert len(service.reads) < 64
    assert SyncRequest.objects.filter(state=SyncRequest.State.WAITING).count() == 200


@pytest.mark.parametrize("seconds", [0.05, 1, 5, 15])
def test_it_claims_no_more_than_is_read_in_a_moment(seconds):
    last = most_claimed(32, seconds=seconds) / 32 * seconds

    assert last <= worker_loop.LONGEST_WAIT + seconds


def test_a_read_that_hangs_keeps_its_lease_while_its_worker_lives(service, monkeypatch):
    monkeypatch.setattr(worker_loop, "RECLAIM_EVERY", 0.01)
    monkeypatch.setattr(worker_loop, "RENEW_AFTER", 0)
    uuid, service.gate = uuid4(), threading.Event()
    service.guests[uuid] = "Maria"
    later, renew, taken = NOW + sync_requests.LEASE / 2, sync_requests.renew, []
    ask(uuid)

    def renew_and_try(claims, *, now):
        renew(claims, now=now)
        if now == later:  # another worker, where the first lease would have ended
            taken.append(sync_requests.reclaim(now=NOW + sync_requests.LEASE * 1.1))
            service.gate.set()

    monkeypatch.setattr(sync_requests, "renew", renew_and_try)
    process_queue(now=lambda: later if service.reads else NOW)

    row = SyncRequest.objects.get()
    assert set(taken) == {0}
    assert (row.state, row.crashes, len(service.reads)) == (SyncRequest.State.SETTLED, 0, 1)


def test_what_a_run_that_broke_off_had_begun_takes_nothing_from_the_next(service, monkeypatch):
    late, settle = uuid4(), store.settle
    batches: list[UUID] = []
    service.guests = {late: "Late", **{uuid4(): "x" for _ in range(3)}}
    ask(late)
    [claimed] = sync_requests.claim(limit=1, now=NOW)
    answer = ReadResult(claimed, error=errors.CircuitOpen(retry_after=30))
    worker_loop._answers.put(answer)
    ask(*[uuid for uuid in service.guests if uuid != late])

    def note(batch, *, now):
        batches.extend(result.claim.uuid for result in batch)
        return settle(batch, now=now)

    monkeypatch.setattr(store, "settle", note)
    run()

    assert sorted(batches) == sorted(service.guests)
    assert Customer.objects.count() == 3


def test_it_claims_ahead_where_answers_are_quick():
    assert most_claimed(32, seconds=0) == 32
    assert most_claimed(32, seconds=0.05) == 192


def test_without_a_connection_rows_are_kept_and_say_why(service):
    Group.objects.update(connection=None)
    Connection.objects.all().delete()
    ask(uuid4())

    run()

    row = SyncRequest.objects.get()
    assert (row.state, row.problem) == (SyncRequest.State.PARKED, "not-configured")


def test_a_hint_during_a_run_is_not_lost(service):
    first, second = uuid4(), uuid4()
    service.guests = {first: "First", second: "Second"}
    service.gate = threading.Event()
    ask(first)

    class Later:
        """The clock of the worker loop: at its second call the second request has come."""

        requests = 0

        def __call__(self):
            self.requests += 1
            if self.requests == 3:
                ask(second)
                process_queue()  # the hint of another task: this process is at it already
                service.gate.set()
            return NOW

    process_queue(now=Later())

    assert Customer.objects.count() == 2


def test_what_a_killed_worker_held_is_read_by_a_run_that_is_under_way(service, monkeypatch):
    monkeypatch.setattr("mirror.queue.worker_loop.RECLAIM_EVERY", 0)
    held, other = uuid4(), uuid4()
    service.guests = {held: "Held", other: "Other"}
    ask(held, other)
    lease_end = NOW + timedelta(seconds=10)
    SyncRequest.objects.filter(uuid=held).update(state="working", lease_until=lease_end)
    clock = chain([NOW, NOW], repeat(lease_end + timedelta(seconds=1)))

    process_queue(now=lambda: next(clock))

    assert set(service.reads) == {held, other}
    assert not SyncRequest.objects.exclude(state=SyncRequest.State.SETTLED).exists()


def test_people_are_served_first(service):
    patient = [uuid4() for _ in range(60)]
    urgent = uuid4()
    service.guests = dict.fromkeys([*patient, urgent], "x")
    ask(*patient, priority=Priority.BACKFILL)
    ask(urgent, priority=Priority.PERSON)

    run()

    assert urgent in service.reads[:33]


def test_what_there_was_no_time_for_is_reported_and_read_next(service):
    uuid = uuid4()
    service.guests[uuid] = "Maria"
    ask(uuid)

    assert process_queue(now=lambda: NOW, budget=timedelta(0))["unfinished"]
    assert service.reads == []

    process_queue(now=lambda: NOW)

    assert service.reads == [uuid]


def test_a_hint_reads_what_another_thread_is_still_routing(service, monkeypatch):
    uuid = uuid4()
    service.guests[uuid] = "Maria"
    ask(uuid)
    seen: list[str] = []

    def route_during_a_burst(*, now):
        if not seen:
            seen.append("a hint")
            tasks.route()
            seen.extend(Customer.objects.values_list("first_name", flat=True))
        return 0

    monkeypatch.setattr(routing, "route_new", route_during_a_burst)

    tasks.route()

    assert seen == ["a hint", "Maria"]
