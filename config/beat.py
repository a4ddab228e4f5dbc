"""The scheduler of beat: it leaves a heartbeat, and no jump of the clock holds up an entry."""

import logging
import time
from datetime import timedelta
from typing import Any

from celery.beat import Scheduler
from django.db import close_old_connections
from django.utils import timezone

from mirror import heartbeat

logger = logging.getLogger(__name__)

JUMP_SECONDS = 2.0


class BeatScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's own, with its due times judged by a clock that nobody sets."""

    _steady_at: float | None = None
    _wall_at: float = 0.0

    def tick(self, *args: Any, **options: Any) -> float:
        self._follow_clock()
        self._leave_heartbeat()
        wait: float = super().tick(*args, **options)
        return min(wait, heartbeat.EVERY.total_seconds())

    def _leave_heartbeat(self) -> None:
        """Whatever the database says: offers go on without it, and workers wait for it too."""
        try:
            heartbeat.beat("beat", now=timezone.now())
        except Exception as error:
            logger.warning("Beat left no heartbeat: %s", type(error).__name__)
        finally:
            close_old_connections()

    def _follow_clock(self) -> None:
        """Entries remember when they ran by the wall clock: move their memory along with it."""
        steady, wall = time.monotonic(), time.time()
        if self._steady_at is not None:
            jump = (wall - self._wall_at) - (steady - self._steady_at)
            if abs(jump) > JUMP_SECONDS:
                logger.warning("The clock of this machine jumped by %d s.", jump)
                self._shift_entries(jump)
        self._steady_at, self._wall_at = steady, wall

    def _shift_entries(self, seconds: float) -> None:
        for entry in self.schedule.values():
            if entry.last_run_at is not None:
                entry.last_run_at += timedelta(seconds=seconds)
        self._heap = None  # made anew from the entries at the next tick
