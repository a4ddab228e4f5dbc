"""Of several beats one leads; another takes over and goes on where the first stopped."""

import signal
from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery import Celery
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.functions import Now
from django.utils import timezone

from config.beat import FROZEN_SECONDS, LATE, STANDBY_SECONDS, BeatScheduler, prepare
from mirror.models import Heartbeat, ScheduledTask
from mirror.processes import offers, watch

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _usual_connection():
    """The connection of this thread is put back afterwards."""
    usual = connections[DEFAULT_DB_ALIAS]
    yield
    connections[DEFAULT_DB_ALIAS] = usual


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


@pytest.fixture
def leader(beat):
    """One that has made an offer."""
    last_offer(ago=HOUR + LATE)
    beat.tick()
    beat.offered = 0
    return beat


def last_offer(*, ago):
    ScheduledTask.objects.update_or_create(name="purge", defaults={"offered_at": Now() - ago})


def leading_process():
    return Heartbeat.objects.filter(name="beat").values_list("process", flat=True).first()


class TestBeat:
    def test_it_works(self, beat):
        beat.tick()

        assert ScheduledTask.objects.get().name == "purge"
        assert beat.offered == 0  # an hour after the first start

    def test_it_stands_by_while_another_leads(self, beat):
        last_offer(ago=timedelta(0))

        assert beat.tick() == STANDBY_SECONDS

        assert beat.offered == 0
        assert not leading_process()

    def test_it_leaves_the_one_that_leads_time_to_offer(self, beat):
        last_offer(ago=HOUR + LATE / 3)

        beat.tick()

        assert beat.offered == 0

    def test_it_takes_over_when_the_other_is_gone(self, beat):
        last_offer(ago=HOUR)
        beat.tick()

        last_offer(ago=HOUR + LATE)
        beat.tick()

        assert beat.offered == 1
        assert leading_process()

    def test_what_one_has_claimed_the_other_does_not_offer(self, beat):
        last_offer(ago=HOUR + LATE)
        other = CountingBeat()
        beat.within_offer = other.tick

        beat.tick()

        assert (beat.offered, other.offered) == (1, 0)

    @pytest.mark.parametrize(("ago", "times"), [(59 * MINUTE, 0), (61 * MINUTE, 1), (9 * HOUR, 1)])
    def test_it_goes_on_where_the_other_stopped(self, beat, ago, times):
        last_offer(ago=ago)

        for _time in range(3):
            beat.tick()

        assert beat.offered == times

    def test_one_that_leads_waits_for_nobody(self, leader):
        leader.schedule["purge"].last_run_at -= HOUR
        last_offer(ago=HOUR)
        leader._rebuild_queue()

        leader.tick()

        assert leader.offered == 1

    def test_what_was_just_offered_is_not_offered_again(self, leader):
        leader.schedule["purge"].last_run_at -= HOUR
        leader._rebuild_queue()
        last_offer(ago=MINUTE)

        leader.tick()
        leader.tick()

        assert leader.offered == 0

    def test_one_that_was_frozen_stands_by(self, leader):
        leader.schedule["purge"].last_run_at -= HOUR
        leader._monotonic_at -= FROZEN_SECONDS
        leader._clock_at -= FROZEN_SECONDS
        last_offer(ago=50 * MINUTE)

        assert leader.tick() == STANDBY_SECONDS

        assert leader.offered == 0

    def test_a_lost_database_is_found_again(self, leader):
        last_offer(ago=61 * MINUTE)
        leader.schedule["purge"].last_run_at -= HOUR
        leader._rebuild_queue()
        connections[DEFAULT_DB_ALIAS].connection.close()

        assert leader.tick() == STANDBY_SECONDS
        assert leader.offered == 0
        leader.tick()

        assert leader.offered == 1


class TestStandstill:
    """While no beat leads the workers offer its tasks, so that no offer is late."""

    @pytest.fixture(autouse=True)
    def _silent_for_minutes(self):
        at = timezone.now() - 5 * MINUTE
        Heartbeat.objects.create(name="beat", at=at, process="gone:1")
        last_offer(ago=timedelta(0))

    @pytest.fixture
    def offered_by_workers(self, monkeypatch, settings):
        settings.CELERY_BEAT_SCHEDULE = {"purge": {"task": "purge", "schedule": 3600.0}}
        tasks: list[str] = []
        monkeypatch.setattr(watch, "offer", tasks.append)
        return tasks

    def test_one_that_is_back_leads_at_once(self, beat):
        beat.tick()

        assert leading_process() not in ("", "gone:1")
        assert beat.offered == 0

    def test_the_workers_leave_the_tasks_to_it(self, beat, offered_by_workers):
        last_offer(ago=2 * HOUR)
        beat.tick()
        last_offer(ago=2 * HOUR)
        watch.Watch(is_worker=True).look(now=timezone.now())

        assert (beat.offered, offered_by_workers) == (1, [])

    def test_of_two_that_are_back_one_leads(self, beat):
        other = CountingBeat()
        for _turn in range(2):
            beat.tick()
            other.tick()

        assert (beat._is_leading, other._is_leading) == (True, False)


class TestStop:
    """On Ctrl-C a beat ends between two statements, never within one."""

    @pytest.fixture(autouse=True)
    def _handlers(self, beat):
        usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        prepare(SimpleNamespace(scheduler=beat))
        yield
        for number, handler in usual.items():
            signal.signal(number, handler)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_works(self, beat, number):
        beat.tick()

        with pytest.raises(SystemExit):
            signal.raise_signal(number)

    def test_a_tick_under_way_is_finished(self, beat):
        last_offer(ago=61 * MINUTE)
        beat.within_offer = lambda: signal.raise_signal(signal.SIGINT)

        with pytest.raises(SystemExit):
            beat.tick()

        assert beat.offered == 1
        assert leading_process()

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
