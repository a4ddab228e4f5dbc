"""The threads that wait for the service, so that nobody else has to.

They live as long as their process and are started as they are needed. A reader does nothing but
one GET after another: the drain feeds it claims and stores what comes back, in batches.
"""

import logging
import os
import threading
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from queue import SimpleQueue

from django.db import close_old_connections

from mirror.queue import Claim
from mirror.store import Outcome

logger = logging.getLogger(__name__)

Read = Callable[[Claim], Outcome]
Answers = SimpleQueue[Outcome | None]


class Readers:
    """A pool whose queue is ordered by urgency: what a person asked for overtakes a backfill."""

    def __init__(self, *, most: int) -> None:
        self.most = most
        # A heap, and a queue that counts what is in it: threads wait in C, one is woken at a time.
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
                threading.Thread(target=self._work, daemon=True, name="reader").start()

    def _work(self) -> None:
        while True:
            self._counted.get()
            with self._lock:
                _priority, _order, claim, read, answers = heappop(self._in)
            outcome = _outcome(claim, read)
            with self._lock:
                self._open -= 1
            answers.put(outcome)
            # A pooled connection that a read touched goes back; an idle reader holds none.
            close_old_connections()


def _outcome(claim: Claim, read: Read) -> Outcome:
    try:
        return read(claim)
    except Exception as error:  # whatever it was, the row must not stay claimed
        logger.exception("mirror.read_failed", extra={"uuid": str(claim.uuid)})
        return Outcome(claim, error=error)


_readers: dict[int, Readers] = {}
_making = threading.Lock()


def of_this_process(*, most: int) -> Readers:
    """Return the process's readers. A forked child makes its own: threads do not fork."""
    with _making:
        return _readers.setdefault(os.getpid(), Readers(most=most))
