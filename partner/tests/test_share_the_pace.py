"""The pace that all processes share, on a clock that the test moves."""

import pytest
from django.db import transaction

from partner import testing
from partner.errors import Busy, CircuitOpen
from partner.limits.priorities import CallPriority
from partner.limits.throttle import TAKE, Throttle, budget
from partner.models import Budget, Connection
from partner.testing import FakeClock

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    return FakeClock()


def throttle(clock, *, per_minute=600):
    connection = testing.connection(requests_per_minute=per_minute)
    return Throttle(connection, clock=clock)


def take(one, clock, priority=CallPriority.BACKFILL, *, patience=100.0):
    before = clock.passed
    one.take(priority, give_up_at=clock.uptime() + patience)
    return clock.passed - before


def test_it_works(clock):
    one = throttle(clock)

    for _ in range(600):
        take(one, clock)

    assert 60 <= clock.passed <= 62.5


def test_no_minute_holds_more_than_the_contract(clock):
    one = throttle(clock)
    taken = []
    for n in range(900):
        take(one, clock, CallPriority.PERSON if n % 7 == 0 else CallPriority.BACKFILL)
        taken.append(clock.passed)

    most = max(sum(start <= at < start + 60 for at in taken) for start in taken)
    assert 570 <= most <= 600


def test_a_person_does_not_wait_behind_a_backfill(clock):
    one = throttle(clock)
    for _ in range(100):
        take(one, clock)

    assert [take(one, clock, CallPriority.PERSON) for _ in range(10)] == [0] * 10


def test_processes_share_it(clock):
    connection = testing.connection(requests_per_minute=600)
    processes = [Throttle(connection, clock=clock) for _ in range(4)]

    for n in range(400):
        take(processes[n % 4], clock)

    assert 39 <= clock.passed <= 42


def test_a_caller_without_patience_gets_the_retry_time(clock):
    one = throttle(clock, per_minute=1)
    take(one, clock)

    with pytest.raises(Busy) as busy:
        take(one, clock, patience=5)

    assert 50 < busy.value.retry_after < 62
    assert clock.passed == 0


def test_at_a_high_pace_permits_are_taken_in_batches(clock, django_assert_max_num_queries):
    one = throttle(clock, per_minute=600_000)
    take(one, clock)

    with django_assert_max_num_queries(6):
        for _ in range(64):
            take(one, clock)


def test_permits_left_over_do_not_last(clock):
    one = throttle(clock, per_minute=60_000)
    take(one, clock)
    take(one, clock)
    assert one._permits

    clock.passed += 2
    take(one, clock, CallPriority.PERSON)
    assert one._permits == 0


def test_the_next_batch_is_there_before_the_last_is_spent(clock):
    one = throttle(clock, per_minute=600_000)
    take(one, clock)

    left = []
    for _ in range(500):
        take(one, clock)
        left.append(one._permits)

    assert min(left) > 0


def test_permits_leased_while_a_429_arrives_are_void(clock, monkeypatch):
    one = throttle(clock, per_minute=60_000)
    take(one, clock)
    clock.passed += 1
    run = one._run

    def and_then_a_429(sql, **values):
        row = run(sql, **values)
        if sql == TAKE:
            monkeypatch.undo()
            one.slow_down(retry_after=None)
        return row

    monkeypatch.setattr(one, "_run", and_then_a_429)
    take(one, clock)

    assert take(one, clock) >= 1


def test_a_clock_set_back_stops_nobody(clock):
    one = throttle(clock)
    one.slow_down(retry_after=900)
    clock.passed += 901
    take(one, clock)
    one.slow_down(retry_after=60)
    clock.passed -= 7200

    assert take(one, clock) == 0


class TestLearning:
    def rate(self):
        return Budget.objects.get().rate

    def test_without_a_contract_it_searches_by_doubling(self, clock):
        one = throttle(clock, per_minute=None)
        assert self.rate() == 5
        while clock.passed < 35:
            take(one, clock)

        assert self.rate() == 80

    def test_nothing_is_raised_without_demand(self, clock):
        one = throttle(clock, per_minute=None)
        for _ in range(100):
            take(one, clock)
            clock.passed += 1

        assert self.rate() == 5

    def test_a_429_halves_once_per_volley_and_pauses(self, clock):
        one = throttle(clock)
        for _ in range(5):
            one.slow_down(retry_after=None)

        assert self.rate() == pytest.approx(4.85)
        assert take(one, clock) >= 1

    def test_it_grows_back_step_by_step_and_stops_at_the_contract(self, clock):
        one = throttle(clock)
        one.slow_down(retry_after=None)
        while clock.passed < 300:
            take(one, clock)

        assert 9.7 <= self.rate() <= 10.3
        assert budget(Connection.objects.current()).per_minute <= 600

    def test_twenty_minutes_of_429_are_over_in_five(self, clock):
        one = throttle(clock, per_minute=None)
        for _ in range(40):
            one.slow_down(retry_after=None)
            clock.passed += 30
        assert self.rate() == pytest.approx(0.5, abs=0.3)
        end = clock.passed + 300
        while clock.passed < end:
            take(one, clock)

        assert self.rate() > 10

    def test_retry_after_stops_everyone(self, clock):
        one = throttle(clock)
        one.slow_down(retry_after=30)

        with pytest.raises(Busy) as busy:
            take(one, clock, CallPriority.PERSON, patience=8)
        assert busy.value.retry_after == pytest.approx(30)
        assert take(one, clock, CallPriority.EVENT) >= 30


class TestCircuit:
    def test_it_opens_after_five_faults_in_a_row(self, clock):
        one = throttle(clock)
        for _ in range(4):
            one.note_fault()
        assert take(one, clock) == 0

        one.note_fault()
        with pytest.raises(CircuitOpen):
            take(one, clock, CallPriority.PERSON)

    def test_faults_far_apart_do_not_add_up(self, clock):
        one = throttle(clock)
        for _ in range(20):
            one.note_fault()
            clock.passed += 31

        assert take(one, clock) == 0

    def test_one_process_probes_while_the_others_stay_out(self, clock):
        connection = testing.connection(requests_per_minute=600)
        one, other = (Throttle(connection, clock=clock) for _ in range(2))
        for _ in range(5):
            one.note_fault()
        clock.passed += 16

        take(other, clock)
        with pytest.raises(CircuitOpen):
            take(one, clock)

        other.note_answer()
        assert take(one, clock) == 0

    def test_a_screen_can_say_so(self):
        connection = testing.connection(requests_per_minute=None)
        one = Throttle(connection)
        for _ in range(5):
            one.note_fault()

        shown = budget(connection)

        assert shown.is_circuit_open
        assert 10 < shown.probe_in <= 15
        assert shown.is_learnt
        assert shown.per_minute == 300


@pytest.mark.django_db(transaction=True)
def test_a_call_inside_a_transaction_is_a_mistake():
    one = Throttle(testing.connection())

    with pytest.raises(RuntimeError), transaction.atomic():
        one.take(CallPriority.PERSON, give_up_at=one._clock.uptime() + 1)
