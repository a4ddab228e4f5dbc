"""Of several beats one leads; another takes over and goes on where the first stopped."""

import signal
from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery import Celery
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import F

from config.beat import STANDBY_SECONDS, BeatScheduler, stop_between_ticks
from lib.database.leader_lock import LeaderLock
from mirror.models import Heartbeat, ScheduledTask
from mirror.processes import heartbeat, offers

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def machine(settings, tmp_path):
    """A folder of its own; and the connection of this thread is put back afterwards."""
    heartbeat._last.clear()
    settings.VAR_DIR = tmp_path
    usual = connections[DEFAULT_DB_ALIAS]
    yield
    connections[DEFAULT_DB_ALIAS] = usual


@pytest.fixture
def locks():
    pair = LeaderLock("beat"), LeaderLock("beat")
    yield pair
    for lock in pair:
        lock.release()


class CountingBeat(BeatScheduler):
    def __init__(self):
        app = Celery(broker="memory://", set_as_current=False)
        app.conf.update(beat_schedule={"purge": {"task": "purge", "schedule": HOUR}})
        self.offered = 0
        self.within_offer = lambda: None
        super().__init__(app)

    def apply_async(self, *_args, **_options):
        self.within_offer()
        self.offered += 1


@pytest.fixture
def beat():
    one = CountingBeat()
    yield one
    one.close()


def last_offer(*, ago):
    ScheduledTask.objects.create(name="purge")
    ScheduledTask.objects.update(offered_at=F("offered_at") - ago)


class TestLock:
    def test_it_works(self, locks):
        first, second = locks
        assert (first.take(), second.take(), first.take()) == (True, False, True)

    def test_the_second_takes_over(self, locks):
        first, second = locks
        first.take()
        second.take()

        first.release()

        assert second.take()
        assert not first.take()

    def test_who_loses_the_session_loses_the_lock(self, locks):
        first, second = locks
        first.take()
        if first._session.vendor != "postgresql":
            pytest.skip("a file has no session")
        number = first._session.connection.info.backend_pid
        second.take()
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [number])

        assert second.take()
        with pytest.raises(Error):
            first.take()


class TestBeat:
    def test_it_works(self, beat):
        beat.tick()

        assert Heartbeat.objects.get(name="beat").process
        assert ScheduledTask.objects.get().name == "purge"
        assert beat.offered == 0  # an hour after the first start

    def test_it_stands_by_while_another_leads(self, beat, locks):
        last_offer(ago=2 * HOUR)
        locks[0].take()

        assert beat.tick() == STANDBY_SECONDS

        assert beat.offered == 0
        assert not Heartbeat.objects.filter(name="beat").exists()

    def test_it_takes_over_when_the_other_is_gone(self, beat, locks):
        last_offer(ago=HOUR)
        locks[0].take()
        beat.tick()

        locks[0].release()
        beat.tick()

        assert beat.offered == 1

    @pytest.mark.parametrize(("ago", "times"), [(59 * MINUTE, 0), (61 * MINUTE, 1), (9 * HOUR, 1)])
    def test_it_goes_on_where_the_other_stopped(self, beat, ago, times):
        last_offer(ago=ago)

        for _time in range(3):
            beat.tick()

        assert beat.offered == times

    def test_what_was_just_offered_is_not_offered_again(self, beat):
        last_offer(ago=61 * MINUTE)
        beat.leads()
        ScheduledTask.objects.all().delete()
        last_offer(ago=MINUTE)

        beat.tick()

        assert beat.offered == 0

    def test_a_lost_database_is_found_again(self, beat):
        last_offer(ago=61 * MINUTE)
        beat.leads()
        connections[DEFAULT_DB_ALIAS].connection.close()

        assert beat.tick() == STANDBY_SECONDS
        assert beat.offered == 0
        beat.tick()

        assert beat.offered == 1


class TestStop:
    """On Ctrl-C the lock and its session end between two statements, never within one."""

    @pytest.fixture(autouse=True)
    def _handlers(self, beat):
        usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        stop_between_ticks(SimpleNamespace(scheduler=beat))
        yield
        for number, handler in usual.items():
            signal.signal(number, handler)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_works(self, beat, number):
        beat.tick()

        with pytest.raises(SystemExit):
            signal.raise_signal(number)

    def test_a_tick_under_way_is_finished_with_the_lock_held(self, beat, locks):
        last_offer(ago=61 * MINUTE)
        beat.within_offer = lambda: signal.raise_signal(signal.SIGINT)

        with pytest.raises(SystemExit):
            beat.tick()

        assert beat.offered == 1
        assert not locks[0].take()
        beat.close()
        assert locks[0].take()

    def test_a_second_signal_does_not_interrupt_the_end(self, beat):
        beat.tick()
        beat.close()

        signal.raise_signal(signal.SIGTERM)


class TestOffers:
    def test_one_claims_it(self):
        last_offer(ago=HOUR)

        assert offers.claim("purge", older_than=HOUR / 2)
        assert not offers.claim("purge", older_than=HOUR / 2)

    def test_one_that_lies_ahead_holds_nothing_up(self):
        last_offer(ago=-9 * HOUR)

        assert offers.ages()["purge"] == timedelta(0)
        assert offers.claim("purge", older_than=HOUR / 2)
