"""Beat scheduler that stores a heartbeat and corrects its entries when the clock jumps."""

import logging
import time
from datetime import timedelta
from typing import Any

from celery.beat import Scheduler
from django.db import close_old_connections
from django.utils import timezone

from mirror.processes import heartbeat

logger = logging.getLogger(__name__)

JUMP_SECONDS = 2.0


class BeatScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's scheduler, whose due times follow the monotonic clock."""

    _monotonic_at: float | None = None
    _clock_at: float = 0.0

    def tick(self, *args: Any, **options: Any) -> float:
        self._correct_clock_jump()
        self._leave_heartbeat()
        wait: float = super().tick(*args, **options)
        return min(wait, heartbeat.EVERY.total_seconds())

    def _leave_heartbeat(self) -> None:
        """Store a heartbeat; a database fault is logged, because scheduling goes on without it."""
        try:
            heartbeat.beat("beat", now=timezone.now())
        except Exception as error:
            logger.warning("Beat left no heartbeat: %s", type(error).__name__)
        finally:
            close_old_connections()

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
        self._heap = (
            None  # Celery's queue of due entries: built anew from the entries at the next tick
        )
