"""Fetch pool: threads that send the GETs, so that the worker loop never waits for one.

The threads start on demand and live as long as their process. The worker loop submits claims and
stores the results in batches. Each account has a queue of its own and a share of the threads.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from functools import cache
from heapq import heappop, heappush
from itertools import count
from queue import SimpleQueue

from django.db import connections

from mirror.queue.store import ReadResult
from mirror.queue.sync_requests import Claim

logger = logging.getLogger(__name__)

Read = Callable[[Claim], ReadResult]
Answers = SimpleQueue[ReadResult | None]
QueuedRead = tuple[int, int, Claim, Read, Answers]


# Threads of an account whose last reads failed: enough to notice that it answers again.
TROUBLED = 2
# Several accounts together have twice the threads of a single one, so that the second finds some.
SEVERAL = 2


class FetchPool:
    """A thread pool with priority queues: requests of people go before a backfill."""

    def __init__(self, *, most: int) -> None:
        self.most = most
        # Per account: what is queued, how many threads are at it, and whether its reads fail.
        self._in: dict[int | None, list[QueuedRead]] = {}
        self._running: Counter[int | None] = Counter()
        self._troubled: set[int | None] = set()
        # Each item is a reason to look for a read: threads wait at it in C.
        self._counted = SimpleQueue[None]()
        self._order = count()
        self._started = 0
        self._lock = threading.Lock()

    def put(self, claim: Claim, read: Read, answers: Answers) -> None:
        with self._lock:
            queue = self._in.setdefault(claim.connection_id, [])
            heappush(queue, (claim.priority, next(self._order), claim, read, answers))
            self._counted.put(None)
            if self._started < self._wanted():
                self._started += 1
                threading.Thread(target=self._work, daemon=True, name="fetch").start()

    def withdraw(self) -> list[Claim]:
        """Take back every read that no thread has begun."""
        with self._lock:
            queued = [one[2] for queue in self._in.values() for one in queue]
            self._in.clear()
        return queued

    def mark(self, connection: int | None, *, is_troubled: bool) -> None:
        """Note whether the last reads of an account failed."""
        with self._lock:
            if is_troubled:
                self._troubled.add(connection)
            else:
                self._troubled.discard(connection)

    def share(self, connection: int | None, *, others: int = 0) -> int:
        """How many threads an account may use while `others` have reads too."""
        is_troubled = connection in self._troubled
        return threads_of(others + 1, most=self.most, is_troubled=is_troubled)

    def _wanted(self) -> int:
        """How many threads would find a read now."""
        busy = self._in.keys() | self._running.keys()
        limit = self.most if len(busy) < 2 else self.most * SEVERAL
        return min(limit, sum(map(len, self._in.values())) + self._running.total())

    def _work(self) -> None:
        while True:
            self._counted.get()
            with self._lock:
                chosen = self._choose()
            if chosen is None:
                continue  # all that is queued is of accounts that have their share
            _priority, _order, claim, read, answers = chosen
            result = _result(claim, read)
            with self._lock:
                self._end(claim.connection_id)
            answers.put(result)
            # An idle thread holds none: of SQLite each takes 0.4 MiB, a pooled one serves others.
            connections.close_all()

    def _choose(self) -> QueuedRead | None:
        """Take the most urgent read of an account that has not its share of threads yet."""
        others = len(self._in.keys() | self._running.keys()) - 1
        ready = [
            (queue[0][0], self._running[account], queue[0][1], account)
            for account, queue in self._in.items()
            if self._running[account] < self.share(account, others=others)
        ]
        if not ready:
            return None
        account = min(ready, key=lambda one: one[:3])[3]
        chosen = heappop(self._in[account])
        if not self._in[account]:
            del self._in[account]
        self._running[account] += 1
        return chosen

    def _end(self, account: int | None) -> None:
        """Give a thread back, and look for as many reads as the account may have now."""
        self._running[account] -= 1
        if not self._running[account]:
            del self._running[account]
        if queue := self._in.get(account):
            free = self.share(account) - self._running[account]
            for _each in range(min(len(queue), free)):
                self._counted.put(None)
        elif self._in:
            self._counted.put(None)


def threads_of(accounts: int, *, most: int, is_troubled: bool) -> int:
    """How many threads one of several accounts may use at once."""
    if is_troubled:
        return min(TROUBLED, most)
    return most if accounts < 2 else min(most, max(TROUBLED, SEVERAL * most // accounts))


def _result(claim: Claim, read: Read) -> ReadResult:
    try:
        return read(claim)
    except Exception as error:  # whatever it was, the row must not stay claimed
        logger.exception("mirror.read_failed", extra={"uuid": str(claim.uuid)})
        return ReadResult(claim, error=error)


@cache
def of_this_process(*, most: int) -> FetchPool:
    """Return the process's fetch pool. One loop runs at a time, so no two make it at once."""
    return FetchPool(most=most)
