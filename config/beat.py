"""Beat scheduler of which one leads: it offers what is due, and the others stand by.

It stores a heartbeat and each offer, and corrects its entries when the clock jumps.
"""

import logging
import os
import platform
import time
from datetime import timedelta
from typing import Any

from celery import platforms
from celery.beat import Scheduler
from celery.signals import beat_init
from django.db import Error
from django.utils import timezone

from lib.database.leader_lock import LeaderLock
from mirror.processes import heartbeat, offers

logger = logging.getLogger(__name__)

JUMP_SECONDS = 2.0
STANDBY_SECONDS = 1.0


class BeatScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's scheduler, whose due times follow the monotonic clock."""

    _monotonic_at: float | None = None
    _clock_at: float = 0.0
    _is_leading = False
    _is_ticking = False
    _is_stopping = False

    def __init__(self, *args: Any, **options: Any) -> None:
        self._lock = LeaderLock("beat")
        super().__init__(*args, **options)

    def tick(self, *args: Any, **options: Any) -> float:
        self._is_ticking = True
        wait = self._offer_what_is_due(*args, **options)
        self._is_ticking = False
        if self._is_stopping:
            raise SystemExit
        return wait

    def stop(self, *_signal: Any) -> None:
        """Stop at once, or after the tick under way: a statement may be running in it."""
        self._is_stopping = True
        if not self._is_ticking:
            raise SystemExit

    def _offer_what_is_due(self, *args: Any, **options: Any) -> float:
        self._correct_clock_jump()
        try:
            if not self.leads():
                return STANDBY_SECONDS
            name = f"{platform.node()}:{os.getpid()}"[:80]
            heartbeat.beat("beat", now=timezone.now(), process=name)
            wait: float = super().tick(*args, **options)
        except Error as error:
            self._step_down(error)
            return STANDBY_SECONDS
        return min(wait, heartbeat.EVERY.total_seconds())

    def leads(self) -> bool:
        """Whether this beat is the one that offers; it takes over when nobody does."""
        was_leading, self._is_leading = self._is_leading, self._lock.take()
        if self._is_leading and not was_leading:
            logger.warning("This beat leads from now on.")
            self._continue_offers()
        return self._is_leading

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Offer one task, once that is stored: a beat that has lost its lock cannot store it."""
        if self.claims(entry):
            super().apply_entry(entry, producer=producer)

    def claims(self, entry: Any) -> bool:
        # Half the interval is tolerated: this process waits by its own clock.
        return offers.claim(entry.name, older_than=entry.schedule.run_every / 2)

    def close(self) -> None:
        self._is_ticking = True  # a second signal interrupts nothing here either
        self._lock.release()
        super().close()

    def _continue_offers(self) -> None:
        """Set each entry to when it was last offered, by whichever process."""
        ages = offers.ages()
        for name, entry in self.schedule.items():
            if name not in ages:
                self.claims(entry)
            entry.last_run_at = entry.default_now() - ages.get(name, timedelta(0))
        self._rebuild_queue()

    def _step_down(self, error: Error) -> None:
        logger.warning("Beat has lost its database: %s", type(error).__name__)
        self._is_leading = False
        self._lock.release()
        self._rebuild_queue()

    def _correct_clock_jump(self) -> None:
        """Shift the last run of every entry by a jump of the system clock."""
        monotonic, clock = time.monotonic(), time.time()
        if self._monotonic_at is not None:
            jump = (clock - self._clock_at) - (monotonic - self._monotonic_at)
            if abs(jump) > JUMP_SECONDS:
                logger.warning("The clock of this machine jumped by %d s.", jump)
                self._shift_entries(jump)
        self._monotonic_at, self._clock_at = monotonic, clock

    def _shift_entries(self, seconds: float) -> None:
        for entry in self.schedule.values():
            if entry.last_run_at is not None:
                entry.last_run_at += timedelta(seconds=seconds)
        self._rebuild_queue()

    def _rebuild_queue(self) -> None:
        # Celery's queue of due entries: built anew from the entries at the next tick.
        self._heap = None


def stop_between_ticks(sender: Any, **_: Any) -> None:
    """In place of Celery's handler, which closes the database while a statement runs."""
    stop = sender.scheduler.stop
    platforms.signals.update(SIGINT=stop, SIGTERM=stop)


beat_init.connect(stop_between_ticks)
