"""Locks of single paths: a process never sends the same read twice at once, nor again too soon."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from partner.clock import Clock, held
from partner.errors import Busy


class PathLocks:
    """One lock per path, so that a process sends identical reads one after the other.

    Two intents may read the same list at the same moment. If the first is refused, the second
    would be an immediate repeat for the partner; a failed path therefore has a cooldown.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._locks = WeakValueDictionary[str, threading.Lock]()  # of the paths that are read now
        self._cooldowns: dict[str, float] = {}  # path → when it may be read again (uptime)

    @contextmanager
    def hold(self, path: str, *, give_up_at: float) -> Iterator[None]:
        """Wait for the lock of `path` and for the end of its cooldown, or raise `Busy`."""
        with self._guard:
            lock = self._locks.setdefault(path, threading.Lock())
        with held(lock, clock=self._clock, give_up_at=give_up_at, retry_after=1.0):
            self._wait_for_cooldown(path, give_up_at=give_up_at)
            yield

    def cool_down(self, path: str, seconds: float) -> None:
        """Hold back every read of `path` for some seconds."""
        now = self._clock.uptime()
        with self._guard:
            self._cooldowns = {other: end for other, end in self._cooldowns.items() if end > now}
            self._cooldowns[path] = now + seconds

    def _wait_for_cooldown(self, path: str, *, give_up_at: float) -> None:
        until = self._cooldowns.get(path, 0.0)
        while (wait := until - self._clock.uptime()) > 0:
            if self._clock.uptime() + wait > give_up_at:
                raise Busy(retry_after=wait)
            self._clock.sleep(wait)
