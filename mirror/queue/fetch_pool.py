"""Fetch pool: threads that send the GETs, so that the worker loop never waits for one.

The threads start on demand and live as long as their process. The worker loop submits claims and
stores the results in batches.
"""

import logging
import os
import threading
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from queue import SimpleQueue

from django.db import close_old_connections

from mirror.queue.store import ReadResult
from mirror.queue.sync_requests import Claim

logger = logging.getLogger(__name__)

Read = Callable[[Claim], ReadResult]
Answers = SimpleQueue[ReadResult | None]


class FetchPool:
    """A thread pool with a priority queue: requests of people go before a backfill."""

    def __init__(self, *, most: int) -> None:
        self.most = most
        # A priority queue, and one that counts its items, at which threads wait in C.
        self._in: list[tuple[int, int, Claim, Read, Answers]] = []
        self._counted = SimpleQueue[None]()
        self._order = count()
        self._open = 0  # put and not yet answered
        self._started = 0
        self._lock = threading.Lock()

    def put(self, claim: Claim, read: Read, answers: Answers) -> None:
        with self._lock:
            heappush(self._in, (claim.priority, next(self._order), claim, read, answers))
            self._counted.put(None)
            self._open += 1
            if self._started < min(self._open, self.most):
                self._started += 1
                threading.Thread(target=self._work, daemon=True, name="fetch").start()

    def _work(self) -> None:
        while True:
            self._counted.get()
            with self._lock:
                _priority, _order, claim, read, answers = heappop(self._in)
            result = _result(claim, read)
            with self._lock:
                self._open -= 1
            answers.put(result)
            # A pooled connection that a fetch used goes back; an idle thread holds none.
            close_old_connections()


def _result(claim: Claim, read: Read) -> ReadResult:
    try:
        return read(claim)
    except Exception as error:  # whatever it was, the row must not stay claimed
        logger.exception("mirror.read_failed", extra={"uuid": str(claim.uuid)})
        return ReadResult(claim, error=error)


_pools: dict[int, FetchPool] = {}
_making = threading.Lock()


def of_this_process(*, most: int) -> FetchPool:
    """Return the process's fetch pool. A forked child makes its own: threads do not fork."""
    with _making:
        return _pools.setdefault(os.getpid(), FetchPool(most=most))
