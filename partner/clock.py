"""System clock, uptime and sleep of this app, in one object that a test can replace."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from django.utils import timezone

from lib.database.own_connection import release_connection
from partner.errors import Busy

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    boot_id: str

    def uptime(self) -> float:
        """Seconds on a clock that no one can set."""

    def now(self) -> datetime:
        """The system clock, for what people read."""

    def epoch(self) -> float | None:
        """The instant that the shared pace counts from; None: the database's own clock."""

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def __init__(self) -> None:
        # Uptimes of two boots, or of two machines, cannot be compared.
        self.boot_id = BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
        # BOOTTIME goes on while the machine sleeps; not every system has it.
        self._source = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

    def uptime(self) -> float:
        return time.clock_gettime(self._source)

    def now(self) -> datetime:
        return timezone.now()

    def epoch(self) -> float | None:
        return None

    def sleep(self, seconds: float) -> None:
        release_connection()
        time.sleep(seconds)


SYSTEM = SystemClock()


@contextmanager
def held(
    lock: threading.Lock, *, clock: Clock, give_up_at: float, retry_after: float | None = None
) -> Iterator[None]:
    """Hold the lock. Raises `Busy` where it is not free by then (uptime)."""
    if not lock.acquire(timeout=max(0.0, give_up_at - clock.uptime())):
        raise Busy(retry_after=retry_after)
    try:
        yield
    finally:
        lock.release()
