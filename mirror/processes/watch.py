"""Watchdog of beat and workers, in a thread of every web process and worker.

Every few seconds one process checks, by a turn that the database gives out. A standstill becomes an
alert, on top of every page and by mail, without beat, broker or worker; once a minute so does every
other fault. While beat is silent a worker offers its tasks instead; while the workers are silent
too, a web process does what must not wait for them: the changes that people sent leave.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from lib.registration import ExtensionPoint
from mirror.health import alerts, sections
from mirror.processes import clock_agreement, clock_jumps, heartbeat, offers
from mirror.tasks import offer

logger = logging.getLogger(__name__)

STAND_IN_EVERY = timedelta(seconds=2)
PUNCTUAL = 0.9  # of the interval: the clocks of a process and of the database tick apart
CHECK_ALL_EVERY = timedelta(minutes=1) * PUNCTUAL

# What a web process does while no worker does: each takes the time and does what is due.
URGENT: ExtensionPoint[Callable[[datetime], object]] = ExtensionPoint("Work that needs no worker")


class Watch(threading.Thread):
    """The watchdog thread of one process. No error ends it before the process ends."""

    def __init__(self, *, is_worker: bool) -> None:
        super().__init__(name="watch", daemon=True)
        self._is_worker = is_worker
        self._pause = threading.Event()
        self._first_look: datetime | None = None

    def run(self) -> None:
        while not self._pause.wait(STAND_IN_EVERY.total_seconds()):
            try:
                self.look(now=timezone.now())
            except Exception as error:
                # Most likely the database is away: the next check tries again.
                logger.warning("The watch saw nothing: %s", type(error).__name__)
            finally:
                close_old_connections()

    def look(self, *, now: datetime) -> None:
        if clock_agreement.is_clock_wrong():
            self._leave_it_to_others()
            return
        clock_jumps.follow(now=now)
        self._first_look = min(self._first_look or now, now)
        if self._is_worker and self._is_beat_gone(now=now):
            self._stand_in_for_beat(now=now)
        if not self._is_worker and is_gone("worker", now=now):
            stand_in_for_workers(now=now)
        if heartbeat.take_turn("watch", now=now, every=look_every()):
            check_alerts(now=now)

    def _leave_it_to_others(self) -> None:
        """A worker ends what it does and starts anew, which waits; a web node is not ready."""
        logger.error("The clock of this machine differs from that of the database.")
        if self._is_worker:
            os.kill(os.getpid(), signal.SIGTERM)

    def _is_beat_gone(self, *, now: datetime) -> bool:
        """Whether beat is silent. One that never ran has as long to start, from our first look on.

        Only its tasks lead a worker to what waits in the tables: a worker beside a beat that was
        forgotten, or that ends at once, would read nothing for ever.
        """
        heard = heartbeat.last("beat") or self._first_look or now
        return now - heard > sections.standstill()

    def _stand_in_for_beat(self, *, now: datetime) -> None:
        if not heartbeat.take_turn("beat-stand-in", now=now, every=STAND_IN_EVERY):
            return
        ages = offers.ages()
        for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
            seconds: Any = entry["schedule"]
            every = timedelta(seconds=seconds * PUNCTUAL)
            # Another worker, or a beat that is back, may have offered it since.
            if ages.get(name, every) >= every and offers.claim(name, older_than=every):
                offer(str(entry["task"]))


def stand_in_for_workers(*, now: datetime) -> None:
    if heartbeat.take_turn("worker-stand-in", now=now, every=STAND_IN_EVERY):
        for do_what_is_due in URGENT:
            do_what_is_due(now)


def check_alerts(*, now: datetime) -> None:
    heartbeat.note_missing("worker", now=now)
    if heartbeat.take_turn("alerts", now=now, every=CHECK_ALL_EVERY):
        alerts.check(now=now)
    else:
        alerts.check_standstills(now=now)


def look_every() -> timedelta:
    return sections.standstill() / 2


def is_gone(process: str, *, now: datetime) -> bool:
    """Whether a process ran before and is silent now. One that never started is not replaced."""
    return heartbeat.last(process) is not None and sections.is_silent(process, now=now)


def start(*, is_worker: bool) -> None:
    Watch(is_worker=is_worker).start()
