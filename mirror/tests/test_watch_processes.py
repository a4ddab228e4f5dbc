"""Standstills of beat and workers: detected by the others, reported, and bridged."""

from datetime import datetime, timedelta

import pytest
from django.core import mail

from live.models import Announcement
from mirror.health import sections
from mirror.models import Alert, Heartbeat
from mirror.processes import heartbeat, watch
from mirror.tests.test_notify_admins import NOW
from partner import testing
from partner.models import Token
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db

HALF_A_MINUTE = timedelta(seconds=31)


def seen(process, *, ago):
    Heartbeat.objects.update_or_create(name=process, defaults={"at": NOW - ago})


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were offered."""
    tasks: list[str] = []
    monkeypatch.setattr("mirror.processes.watch.offer", tasks.append)
    return tasks


@pytest.fixture
def urgent(monkeypatch):
    done: list[datetime] = []
    monkeypatch.setattr(watch, "URGENT", [done.append])
    return done


def look(*, is_worker=False, at=NOW):
    watch.Watch(is_worker=is_worker).look(now=at)


class TestNotified:
    @pytest.mark.parametrize("process", ["worker", "beat"])
    def test_a_silent_process_is_shown_to_everybody_at_once(self, process, bob, cast, time_machine):
        time_machine.move_to(NOW, tick=False)
        other = {"worker": "beat", "beat": "worker"}[process]
        seen(other, ago=timedelta(0))
        seen(process, ago=HALF_A_MINUTE)

        look()

        assert Alert.objects.get(closed_at=None, cause=process).opened_at == NOW
        page = sign_in(bob).get("/").content.decode()
        assert 'role="alert"' in page[page.index('id="alerts"') :][:1500]

    def test_open_pages_hear_of_it(self, cast, harbour, hill):
        seen("worker", ago=HALF_A_MINUTE)

        look()

        news = Announcement.objects.filter(kind="alert")
        assert set(news.values_list("group_id", flat=True)) == {harbour.pk, hill.pk}

    def test_the_mail_leaves_without_a_worker_once_it_has_lasted(self, dora):
        seen("worker", ago=HALF_A_MINUTE)
        look()
        assert mail.outbox == []

        look(at=NOW + timedelta(minutes=3))

        assert [one for one in mail.outbox if "No worker has run" in one.body]

    def test_one_of_many_looks(self, dora):
        seen("worker", ago=HALF_A_MINUTE)
        look()
        Alert.objects.all().delete()

        look(at=NOW + timedelta(seconds=5))

        assert not Alert.objects.exists()

    def test_it_is_over_when_it_is_back(self, cast):
        seen("worker", ago=HALF_A_MINUTE)
        look()

        later = NOW + timedelta(seconds=20)
        Heartbeat.objects.filter(name="worker").update(at=later)
        look(at=later)

        assert not Alert.objects.filter(closed_at=None, cause="worker").exists()


class TestFirstStart:
    """The web processes of a new installation look before its worker has done anything."""

    def words(self):
        return list(Alert.objects.filter(closed_at=None).values_list("cause", flat=True))

    def test_a_worker_that_starts_alarms_nobody(self):
        look()
        assert "worker" not in self.words()
        assert sections.worker_section(NOW).state == sections.NEW

        later = NOW + timedelta(seconds=5)
        Heartbeat.objects.create(name="worker", at=later)
        look(at=later + timedelta(seconds=15))

        assert "worker" not in self.words()

    def test_one_that_never_starts_is_an_alert_after_half_a_minute(self):
        for seconds in (0, 15, 31):
            look(at=NOW + timedelta(seconds=seconds))

        assert "worker" in self.words()

    def test_a_clock_that_is_set_back_delays_it_no_further(self):
        look(at=NOW + timedelta(days=1))
        look()

        look(at=NOW + HALF_A_MINUTE)

        assert "worker" in self.words()


class TestOtherFaults:
    """A key that is refused, or reads that wait: once a minute, by no task."""

    @pytest.fixture(autouse=True)
    def _refused(self):
        testing.connection()
        seen("worker", ago=timedelta(0))
        Token.objects.update(
            is_refused=True, paused_until=NOW + timedelta(hours=1), usable_until=None
        )

    def test_they_become_alerts_too(self):
        look()

        assert Alert.objects.filter(closed_at=None, cause="token").exists()

    def test_a_look_at_standstills_leaves_them(self):
        look()
        seen("worker", ago=HALF_A_MINUTE)

        look(at=NOW + timedelta(seconds=20))

        causes = Alert.objects.filter(closed_at=None).values_list("cause", flat=True)
        assert {"token", "worker"} <= set(causes)

    def test_they_are_over_within_a_minute(self):
        look()
        Token.objects.update(is_refused=False, paused_until=None)

        for seconds in range(0, 76, 15):
            look(at=NOW + timedelta(seconds=seconds))

        assert not Alert.objects.filter(closed_at=None, cause="token").exists()


class TestStandIn:
    def test_a_worker_offers_what_beat_does_not(self, sent, settings):
        seen("beat", ago=HALF_A_MINUTE)

        look(is_worker=True)

        assert set(sent) == {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}

    def test_each_as_often_as_beat_would(self, sent):
        seen("beat", ago=HALF_A_MINUTE)
        one = watch.Watch(is_worker=True)
        one.look(now=NOW)
        sent.clear()

        one.look(now=NOW + timedelta(seconds=3))

        assert sent == []  # no time has passed for the process itself

    def test_nothing_while_beat_is_there(self, sent):
        seen("beat", ago=timedelta(seconds=10))

        look(is_worker=True)

        assert sent == []

    def test_a_web_process_does_what_cannot_wait_for_workers(self, urgent):
        seen("worker", ago=HALF_A_MINUTE)

        look()
        look()  # of another process: one of them is enough

        assert urgent == [NOW]

    @pytest.mark.parametrize("process", ["worker", "beat"])
    def test_what_was_never_started_is_not_stood_in_for_at_once(self, sent, urgent, process):
        look(is_worker=process == "beat")

        assert (sent, urgent) == ([], [])

    def test_a_worker_that_never_started_is_not_stood_in_for(self, urgent):
        one = watch.Watch(is_worker=False)
        one.look(now=NOW)
        one.look(now=NOW + HALF_A_MINUTE)

        assert urgent == []

    @pytest.mark.parametrize("set_back", [timedelta(0), timedelta(hours=1)])
    def test_a_beat_that_never_started_has_half_a_minute(self, sent, settings, set_back):
        one = watch.Watch(is_worker=True)
        one.look(now=NOW + set_back)
        one.look(now=NOW)
        assert sent == []

        one.look(now=NOW + HALF_A_MINUTE)

        assert set(sent) == {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


class TestTurn:
    def test_it_works(self):
        assert heartbeat.take_turn("watch", now=NOW, every=timedelta(seconds=15))
        assert not heartbeat.take_turn("watch", now=NOW, every=timedelta(seconds=15))
        later = NOW + timedelta(seconds=16)
        assert heartbeat.take_turn("watch", now=later, every=timedelta(seconds=15))

    def test_a_clock_that_is_set_back_holds_nobody_up(self):
        heartbeat.take_turn("watch", now=NOW + timedelta(days=1), every=timedelta(seconds=15))

        assert heartbeat.take_turn("watch", now=NOW, every=timedelta(seconds=15))


class TestWords:
    """People who cannot mend it read what it means for them, everybody in their own language."""

    def banner(self, person, *, language=""):
        page = sign_in(person).get("/", headers={"Accept-Language": language}).content.decode()
        return page[page.index('id="alerts"') :][:1500]

    def test_staff_need_not_start_a_process(self, bob, cast):
        seen("worker", ago=HALF_A_MINUTE)
        look()

        assert "No update for a moment" in self.banner(bob)
        assert "Start the worker" not in self.banner(bob)

    def test_an_owner_reads_what_to_do_in_their_language(self, dora, cast):
        seen("worker", ago=HALF_A_MINUTE)
        look()

        assert "Start the worker again" in self.banner(dora)
        assert "Start the worker again" not in self.banner(dora, language="fr")
