"""Two accounts, one of them failing or far behind: the other's reads are made at once."""

import threading
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from customers.models import Customer
from mirror import kinds
from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef, Link, without_foreign
from mirror.models import Job, Priority, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.due_accounts import due_connections
from mirror.queue.fetch_pool import TROUBLED, threads_of
from mirror.queue.worker_loop import BUDGET, AccountLoad, WorkerLoop, process_queue
from partner import errors, testing
from partner.models import Budget, Connection, Token
from reservations.models import Reservation
from restaurants.directory import find_connection
from restaurants.models import Group
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def failing(service, cast) -> Connection:
    return Connection.objects.get()


@pytest.fixture
def well(failing, cast) -> Connection:
    """The account of the other group."""
    other = testing.connection(name="Second")
    Group.objects.filter(pk=cast.hill.pk).update(connection=other)
    return other


def ask(connection: Connection, *uuids: UUID, priority: Priority = Priority.EVENT) -> None:
    refs = [EntityRef("customer", uuid, EntityLocation()) for uuid in uuids]
    sync_requests.request(refs, priority=priority, now=NOW, connection=connection.pk)


def known(service, number: int) -> list[UUID]:
    made = {uuid4(): str(one) for one in range(number)}
    service.guests |= made
    return list(made)


def run() -> None:
    process_queue(now=lambda: NOW)


def unread(connection: Connection) -> int:
    return SyncRequest.objects.filter(sync_requests.UNREAD, connection=connection).count()


class TestReads:
    def test_a_group_names_the_account_that_is_called(self, service, failing, well, cast):
        guests = [uuid4(), uuid4()]
        for uuid, group in zip(guests, (cast.harbour, cast.hill), strict=True):
            ref = EntityRef("customer", uuid, EntityLocation(group.uuid))
            sync_requests.request([ref], priority=Priority.EVENT, now=NOW)

        called = [SyncRequest.objects.get(uuid=uuid).connection for uuid in guests]
        assert called == [failing, well]

    def test_a_backlog_of_one_does_not_hold_up_the_other(self, service, failing, well):
        ask(failing, *known(service, 500), priority=Priority.BACKFILL)
        few = known(service, 5)
        ask(well, *few, priority=Priority.BACKFILL)

        run()

        assert max(service.reads.index(uuid) for uuid in few) < 200
        assert unread(failing) == unread(well) == 0

    def test_an_account_whose_reads_hang_leaves_threads_to_the_other(
        self, service, failing, well, monkeypatch
    ):
        stuck, few = known(service, 100), known(service, 5)
        others_are_read, waits = threading.Event(), []

        def fetch(client, uuid):
            if uuid in stuck:
                waits.append(others_are_read.wait(10))
            answer = service.fetch(client, uuid)
            if set(few) <= set(service.reads):
                others_are_read.set()
            return answer

        monkeypatch.setattr(kinds.KINDS, "entries", [replace(kinds.get("customer"), fetch=fetch)])
        ask(failing, *stuck, priority=Priority.EVENT)
        ask(well, *few, priority=Priority.BACKFILL)

        run()

        assert len(waits) > 0
        assert all(waits)
        assert Customer.objects.filter(uuid__in=few).count() == 5

    def test_what_an_account_claimed_before_it_failed_does_not_keep_others_from_claiming(
        self, service, failing, well
    ):
        loop = WorkerLoop(lambda: NOW, BUDGET)
        loop.accounts[failing.pk] = AccountLoad(threads=TROUBLED, under_way=192, seconds=20.0)
        ask(well, *known(service, 1))

        loop._claim()

        assert loop.accounts[well.pk].under_way == 1
        loop._store(loop._gather())  # what it has read is no answer for the next run

    def test_a_run_that_is_over_waits_only_for_reads_that_have_begun(
        self, service, failing, well, monkeypatch
    ):
        stuck, go_on = known(service, 150), threading.Event()

        def fetch(client, uuid):
            go_on.wait(10)
            return service.fetch(client, uuid)

        monkeypatch.setattr(kinds.KINDS, "entries", [replace(kinds.get("customer"), fetch=fetch)])
        ask(failing, *stuck, priority=Priority.BACKFILL)
        loop = WorkerLoop(lambda: NOW, BUDGET)
        loop.accounts[failing.pk] = AccountLoad(seconds=0.1)
        loop._claim()
        claimed, loop.ends_at = loop.under_way, time.monotonic()

        loop._hand_back()
        begun = loop.under_way
        go_on.set()
        loop.run()

        assert begun <= loop.most < claimed
        assert unread(failing) == 150 - begun
        assert not SyncRequest.objects.filter(state=SyncRequest.State.WORKING).exists()

    def test_an_account_whose_reads_hang_does_not_keep_a_run_from_ending(
        self, service, failing, well
    ):
        ask(failing, *known(service, 1))
        ask(well, *known(service, 1))
        loop = WorkerLoop(lambda: NOW, timedelta(0))
        loop.accounts[failing.pk] = AccountLoad(seconds=20.0)
        loop.accounts[-1] = AccountLoad(under_way=1)  # whose read has not ended

        loop._claim()

        assert loop.accounts[failing.pk].under_way == 0
        assert loop.accounts[well.pk].under_way == 1
        del loop.accounts[-1]
        loop._store(loop._gather())  # what it has read is no answer for the next run

    def test_many_accounts_whose_reads_hang_claim_no_more_than_they_can_read(
        self, service, failing, well
    ):
        loop = WorkerLoop(lambda: NOW, BUDGET)
        for number in range(200):
            loop.accounts[-number] = AccountLoad(threads=2, under_way=2, seconds=20.0)
        ask(well, *known(service, 1))

        loop._claim()

        assert loop.accounts[well.pk].under_way == 0

    def test_an_account_that_fails_closes_the_run_for_itself_only(self, service, failing, well):
        bad, good = known(service, 200), known(service, 200)
        service.faults = dict.fromkeys(bad, errors.CircuitOpen(retry_after=30))
        ask(failing, *bad, priority=Priority.EVENT)
        ask(well, *good, priority=Priority.BACKFILL)

        run()

        assert unread(well) == 0
        assert len(set(service.reads) & set(bad)) < 64


class TestWhatIsAnothers:
    def test_an_answer_that_names_a_place_of_another_account_is_not_stored(
        self, service, failing, well
    ):
        service.group.refresh_from_db()  # the one of the first account
        [guest] = known(service, 1)
        ask(well, guest)

        run()

        row = SyncRequest.objects.get()
        assert (row.state, row.problem) == (SyncRequest.State.PARKED, "unplaced")
        assert not Customer.objects.exists()

    def test_an_account_cannot_request_an_entity_of_another(self, service, failing, well):
        [guest] = known(service, 1)
        ask(failing, guest)
        before = SyncRequest.objects.values().get()

        ask(well, guest)

        assert SyncRequest.objects.values().get() == before


class TestWhoHasAShare:
    def due(self) -> list[int | None]:
        return [one.pk for one in due_connections(now=NOW)]

    @pytest.fixture(autouse=True)
    def waiting(self, service, failing, well):
        for connection in (failing, well):
            ask(connection, *known(service, 1), priority=Priority.BACKFILL)

    def test_each_is_first_in_turn(self, failing, well):
        assert {self.due()[0], self.due()[0]} == {failing.pk, well.pk}

    def test_one_with_an_event_goes_before_one_with_a_backfill(self, service, well):
        ask(well, *known(service, 1), priority=Priority.EVENT)

        assert [self.due()[0] for _ in range(3)] == [well.pk] * 3

    @pytest.mark.parametrize("state", [Connection.State.PAUSED, Connection.State.RETIRED])
    def test_one_that_is_not_in_use_keeps_its_rows_unread(self, failing, well, state):
        Connection.objects.filter(pk=failing.pk).update(state=state)
        run()

        assert self.due() == []
        assert (unread(failing), unread(well)) == (1, 0)
        row = SyncRequest.objects.get(connection=failing)
        assert (row.state, row.attempts, row.problem) == (SyncRequest.State.WAITING, 0, "")

    @pytest.mark.parametrize("what", ["open_until", "paused_until"])
    def test_one_that_must_wait_has_none_until_then(self, failing, well, what):
        Budget.objects.get_or_create(connection=failing, defaults={"rate": 5})
        budget = Budget.objects.filter(connection=failing)
        budget.update(**{what: time.time() + 30})
        assert self.due() == [well.pk]

        budget.update(**{what: time.time() - 1})
        assert set(self.due()) == {failing.pk, well.pk}

    def test_one_whose_key_is_refused_everywhere_has_none_for_a_minute(self, failing, well):
        Token.objects.create(connection=failing, identity="its own", suspect_since=NOW)
        assert self.due() == [well.pk]

        Token.objects.update(suspect_since=NOW - timedelta(seconds=61))
        assert set(self.due()) == {failing.pk, well.pk}

    def test_an_open_circuit_lets_one_read_look(self, failing):
        Budget.objects.get_or_create(connection=failing, defaults={"rate": 5})
        Budget.objects.filter(connection=failing).update(open_until=time.time() - 1)

        [probe] = [one for one in due_connections(now=NOW) if one.pk == failing.pk]
        assert probe.is_probe

    def test_a_share_is_smaller_the_more_there_are_and_never_nothing(self):
        shares = [threads_of(number, most=32, is_troubled=False) for number in (1, 2, 8, 200)]

        assert shares == [32, 32, 8, TROUBLED]
        assert threads_of(1, most=32, is_troubled=True) == TROUBLED


class TestJobs:
    def test_each_account_has_a_sweep_of_its_own(self, failing, well, cast):
        jobs = lifecycle.sweep_if_due(now=NOW)

        assert {job.connection for job in jobs} == {failing, well}
        groups = set(jobs[0].slices.values_list("group_uuid", flat=True))
        assert groups in ({cast.harbour.uuid}, {cast.hill.uuid})

    def test_one_that_still_runs_holds_up_its_own_only(self, failing, well):
        lifecycle.sweep_if_due(now=NOW)
        Job.objects.filter(connection=well).update(state=Job.State.DONE)

        later = lifecycle.sweep_if_due(now=NOW + timedelta(hours=1))
        assert [job.connection for job in later] == [well]

    def test_none_is_started_for_one_that_is_paused(self, failing, well):
        Connection.objects.filter(pk=failing.pk).update(state=Connection.State.PAUSED)

        assert [job.connection for job in lifecycle.sweep_if_due(now=NOW)] == [well]

    def test_nothing_is_listed_of_one_that_must_wait(self, service, failing, well):
        Budget.objects.get_or_create(connection=failing, defaults={"rate": 5})
        Budget.objects.filter(connection=failing).update(open_until=time.time() + 30)
        lifecycle.sweep_if_due(now=NOW)

        lifecycle.advance(now=NOW)

        state = {
            job.connection: set(job.slices.values_list("state", flat=True))
            for job in Job.objects.all()
        }
        assert state[failing] == {"waiting"}
        assert "waiting" not in state[well]

    def test_a_listing_that_hangs_holds_one_thread_however_often_others_come(
        self, service, failing, well, monkeypatch
    ):
        under_way, seen = Counter[int | None](), list[dict[int | None, int]]()

        def hang(client, location, *_range):
            account = find_connection(*location)
            under_way[account] += 1
            seen.append(dict(under_way))
            lifecycle.advance(now=NOW)  # as another thread does meanwhile
            under_way[account] -= 1
            return iter(())

        hanging = [replace(kind, list=hang) for kind in kinds.KINDS]
        monkeypatch.setattr(kinds.KINDS, "entries", hanging)
        lifecycle.sweep_if_due(now=NOW)

        lifecycle.advance(now=NOW)

        assert {failing.pk: 1, well.pk: 1} in seen
        assert max(count for open_ in seen for count in open_.values()) == 1


def test_a_booking_links_to_no_guest_of_another_account(service, failing, well, cast):
    """Whatever an account's address answers: its pages would show the other's guest."""
    theirs = uuid4()
    ask(well, theirs)
    booking = Reservation(restaurant=cast.quay, customer_id=theirs)
    ref = EntityRef("customer", theirs, EntityLocation())
    link = Link(booking, ref, Priority.EVENT, well.pk)

    assert without_foreign([link]) == {Priority.EVENT: [ref]}
    assert booking.customer_id == theirs
    assert without_foreign([link._replace(account=failing.pk)]) == {}
    assert booking.customer_id is None
