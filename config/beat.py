"""Beat scheduler of which one leads: it offers what is due, and the others stand by.

An offer is claimed in the database before it is made, so that one of several beats makes it. Who
claims leads. The others look at what was offered, and claim what is so late that nobody leads: a
beat that is killed, frozen or cut off from the database needs to give nothing back. After half a
minute without one the workers offer its tasks; then a beat that is there leads at once.

It stores a heartbeat, and corrects its entries when the clock jumps.
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
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.utils import timezone

from lib.database.own_connection import KEEPALIVE, own_connection
from mirror.processes import heartbeat, offers, watch

logger = logging.getLogger(__name__)

JUMP_SECONDS = 2.0
STANDBY_SECONDS = 1.0
# So late is no offer of a beat that leads, however busy its machine is.
LATE = timedelta(seconds=2.5)
# Of the interval: what was offered later than this is not due. Clocks tick apart.
PUNCTUAL = 0.9
# A leader that has not looked for so long was frozen: another leads by now.
FROZEN_SECONDS = 10.0
# The last offers before a power cut may be lost: they are made once more.
SQLITE_OPTIONS = {"init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL"}


class BeatScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's scheduler, whose due times follow the monotonic clock."""

    _monotonic_at: float | None = None
    _clock_at: float = 0.0
    _is_leading = False
    _is_ticking = False
    _is_stopping = False

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
        self._compare_clocks()
        try:
            if not self._is_leading:
                self._stand_by()
            wait: float = super().tick(*args, **options)
            if not self._is_leading:
                return min(wait, STANDBY_SECONDS)
            name = f"{platform.node()}:{os.getpid()}"[:80]
            heartbeat.beat("beat", now=timezone.now(), process=name)
        except Error as error:
            self._step_down(error)
            return STANDBY_SECONDS
        return min(wait, heartbeat.EVERY.total_seconds())

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Offer one task, if no other beat has."""
        is_mine = self.claims(entry)
        if is_mine:
            super().apply_entry(entry, producer=producer)
        self._lead(is_mine)

    def claims(self, entry: Any) -> bool:
        return offers.claim(entry.name, older_than=entry.schedule.run_every * PUNCTUAL)

    def close(self) -> None:
        self._is_ticking = True  # a second signal interrupts nothing here either
        connections[DEFAULT_DB_ALIAS].close()
        super().close()

    def _lead(self, is_leading: bool) -> None:
        if is_leading and not self._is_leading:
            logger.warning("This beat leads from now on.")
            self._continue_offers()
        self._is_leading = is_leading

    def _stand_by(self) -> None:
        """Go on from the last offers, and leave the one that leads time for the next; lead at once
        where nobody does.

        While no beat leads the workers offer its tasks, in time: no offer would ever be late.
        """
        if watch.is_gone("beat", now=timezone.now()):
            self._lead(True)
        else:
            self._continue_offers(later=LATE)

    def _continue_offers(self, *, later: timedelta = timedelta(0)) -> None:
        """Set each entry to when it was last offered, by whichever process, or somewhat later."""
        ages = offers.ages()
        for name, entry in self.schedule.items():
            if name not in ages:
                self.claims(entry)
            entry.last_run_at = entry.default_now() - ages.get(name, timedelta(0)) + later
        self._rebuild_queue()

    def _step_down(self, error: Error) -> None:
        logger.warning("Beat has lost its database: %s", type(error).__name__)
        self._is_leading = False
        connections[DEFAULT_DB_ALIAS].close()

    def _compare_clocks(self) -> None:
        """Shift the last run of every entry by a jump of the system clock."""
        monotonic, clock = time.monotonic(), time.time()
        if self._monotonic_at is not None:
            took = monotonic - self._monotonic_at
            if took > FROZEN_SECONDS:
                self._is_leading = False
            jump = clock - self._clock_at - took
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


def prepare(sender: Any, **_: Any) -> None:
    """Take a connection of its own, which fails when its other end vanishes: then a beat finds the
    database that took over. And stop between ticks.

    Celery's own handler of signals closes the database while a statement runs.
    """
    own = own_connection(postgresql=KEEPALIVE, sqlite=SQLITE_OPTIONS)
    connections[DEFAULT_DB_ALIAS] = own
    stop = sender.scheduler.stop
    platforms.signals.update(SIGINT=stop, SIGTERM=stop)


beat_init.connect(prepare)
