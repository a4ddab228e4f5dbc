"""Single flight: one thread does the work, for all threads that request it meanwhile.

A request during a run returns at once and makes it run once more, so that no work is missed.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    def __init__(self, work: Callable[..., T]) -> None:
        self._work = work
        self._running = threading.Lock()
        self._again = threading.Event()

    def __call__(self, *args: object) -> list[T]:
        """Return what each run returned; nothing if another thread runs."""
        results: list[T] = []
        self._again.set()
        while self._again.is_set() and self._running.acquire(blocking=False):
            try:
                self._again.clear()
                results.append(self._work(*args))
            finally:
                self._running.release()
        return results
