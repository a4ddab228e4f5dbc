"""Beat offers what is due, whatever happens to the clock of its machine."""

from datetime import UTC, datetime, timedelta

import pytest
from celery import Celery

from config.beat import BeatScheduler

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)
EVERY = 10.0


class OnlyBeat(BeatScheduler):
    """One that is alone: who leads, and the database's clock, are tested elsewhere."""

    _is_leading = True

    def claims(self, entry):
        return True


@pytest.fixture
def steady(monkeypatch):
    """The clock that nobody sets, in this test's hand."""

    class Steady:
        at = 1000.0

    monkeypatch.setattr("config.beat.time.monotonic", lambda: Steady.at)
    return Steady


@pytest.fixture
def offered(steady, time_machine, monkeypatch):
    """Let both clocks pass by some seconds; return how often the entry was offered meanwhile."""
    time_machine.move_to(NOW, tick=False)
    times = []
    monkeypatch.setattr(OnlyBeat, "apply_async", lambda *_args, **_options: times.append(1))
    app = Celery(broker="memory://", set_as_current=False)
    app.conf.update(
        beat_schedule={"sweep": {"task": "sweep", "schedule": EVERY}},
        beat_cron_starting_deadline=None,
    )
    beat = OnlyBeat(app)

    def pass_by(seconds, *, jump=timedelta(0)):
        before = len(times)
        time_machine.shift(jump)
        for _second in range(int(seconds)):
            steady.at += 1
            time_machine.shift(timedelta(seconds=1))
            beat.tick()
        return len(times) - before

    pass_by(2 * EVERY)
    return pass_by


@pytest.mark.parametrize("jump", [-3600, 3600, -86_400, 86_400, 500 * 86_400])
def test_a_jump_neither_holds_up_nor_repeats(offered, jump):
    assert offered(60, jump=timedelta(seconds=jump)) == 6


def test_a_day_ahead_and_back(offered):
    assert offered(30, jump=timedelta(days=1)) == 3
    assert offered(30, jump=timedelta(days=-1)) == 3


def test_a_correction_of_a_second_is_no_jump(offered, caplog):
    assert offered(60, jump=timedelta(seconds=-1)) in (5, 6)
    assert "jumped" not in caplog.text
