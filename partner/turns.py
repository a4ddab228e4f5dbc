"""Identical reads of one process: one after the other, and with a rest after a failure.

Two intents may look at the same list at the same moment. If the first is refused, the second
would be, for the partner, an immediate repeat of it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from partner.clock import Clock
from partner.errors import Busy


@dataclass
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class Turns:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._turns: dict[str, _Turn] = {}
        self._rests: dict[str, float] = {}  # path → when it may be read again (uptime)

    @contextmanager
    def of(self, path: str, *, give_up_at: float) -> Iterator[None]:
        """Wait for the turn of `path` and for the end of its rest, or raise `Busy`."""
        with self._guard:
            turn = self._turns.setdefault(path, _Turn())
            turn.users += 1
        try:
            if not turn.lock.acquire(timeout=max(0.0, give_up_at - self._clock.uptime())):
                raise Busy(retry_after=1.0)
            try:
                self._sit_out(path, give_up_at=give_up_at)
                yield
            finally:
                turn.lock.release()
        finally:
            with self._guard:
                turn.users -= 1
                if not turn.users:
                    del self._turns[path]

    def rest(self, path: str, seconds: float) -> None:
        """Let nobody read `path` for a while."""
        now = self._clock.uptime()
        with self._guard:
            self._rests = {other: end for other, end in self._rests.items() if end > now}
            self._rests[path] = now + seconds

    def _sit_out(self, path: str, *, give_up_at: float) -> None:
        until = self._rests.get(path, 0.0)
        while (wait := until - self._clock.uptime()) > 0:
            if self._clock.uptime() + wait > give_up_at:
                raise Busy(retry_after=wait)
            self._clock.sleep(wait)
