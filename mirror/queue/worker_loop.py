"""Worker loop of the mirror: claim due requests → GET in many threads → store in batches.

One loop runs per process. A notification that arrives while it runs wakes it and makes it claim
once more before it ends, so that no notification is lost.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue

from django.conf import settings
from django.utils import timezone

from lib.processes.single_flight import SingleFlight
from mirror import kinds
from mirror.models import Priority
from mirror.queue import fetch_pool, store, sync_requests
from mirror.queue.store import ReadResult
from mirror.queue.sync_requests import Claim
from partner import errors, factory
from partner.client import Client
from partner.limits.priorities import CallPriority

# Rows claimed ahead, per thread, keep the threads busy while a batch is being stored. But no claim
# waits longer for a thread than LONGEST_WAIT, if all take as long as the last ones did:
# where an answer takes ten seconds, its lease would run out before it is read.
AHEAD = 5
LONGEST_WAIT = 10.0
# Reserved for people and events while a sweep or backfill fills the rest.
RESERVED = 8
# A batch is stored as soon as it is this large or its first answer this old. Where anybody waits
# for an answer in it, at once; but a burst of events is stored in batches of APART seconds.
MOST_IN_BATCH = 128
LINGER = 0.25
APART = 0.02
# A task ends within its time limit; what is left is done after the next notification.
BUDGET = timedelta(seconds=20)

# After one of these the next rows would only get the same error.
AWAY = (errors.CircuitOpen, errors.AuthSuspect, errors.CredentialsRefused, errors.NotConfigured)

CALL_PRIORITIES = {
    Priority.PERSON: CallPriority.PERSON,
    Priority.EVENT: CallPriority.EVENT,
    Priority.SWEEP: CallPriority.SWEEP,
    Priority.BACKFILL: CallPriority.BACKFILL,
}

# Results for the loop that runs in this process; None among them means “claim again”.
_answers: fetch_pool.Answers = SimpleQueue()


def process_queue(
    *, now: Callable[[], datetime] = timezone.now, budget: timedelta = BUDGET
) -> Counter[str]:
    """Process due requests, unless this process already does. Returns counts by outcome.

    `unfinished` in the result: the time budget ran out before the work was done.
    """
    _answers.put(None)
    return sum(_run(now, budget), Counter())


class WorkerLoop:
    """One run. Holds what was claimed and not yet stored."""

    def __init__(self, now: Callable[[], datetime], budget: timedelta) -> None:
        self.now = now
        self.most = settings.MIRROR_CONNECTIONS
        self.fetch_pool = fetch_pool.of_this_process(most=self.most)
        self.clients: dict[int, Client] = {}  # by priority; one query each, once per run
        self.under_way = 0
        self.is_notified = False  # there is more, perhaps urgent
        self.closed = False  # the service is away: claim no more
        self.ends_at = time.monotonic() + budget.total_seconds()
        self.gathered_at = float("-inf")
        self.seconds = 0.0  # that one read took, in the last batch
        self.counts: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        sync_requests.reclaim(now=self.now())
        self._claim()
        while self.under_way or self._wait_for_the_next():
            batch = self._gather()
            self._claim()
            if batch:
                self._store(batch)
                self._claim()
        if time.monotonic() > self.ends_at and not self.closed:
            self.counts["unfinished"] = 1
        return self.counts

    def _wait_for_the_next(self) -> bool:
        """Wait for a read that is due in a moment: no notification would announce it.

        False when there is none. A notification ends the wait, and new rows are claimed.
        """
        now = self.now()
        due = None if self._is_over() else sync_requests.due_soon(now=now)
        if due is None:
            return False
        with suppress(Empty):
            _answers.get(timeout=max((due - now).total_seconds(), 0.001))
        self._claim()
        return True

    def _is_over(self) -> bool:
        return self.closed or time.monotonic() > self.ends_at

    def _claim(self) -> None:
        """Claim a few rows ahead of the threads, fewer if they are not urgent."""
        if self._is_over():
            return
        most = most_claimed(self.most, seconds=self.seconds)
        free = max(0, most - self.under_way)
        if free < min(self.most, most // 4) and not self.is_notified:
            return  # a claim costs two statements: not for every answer
        self.is_notified = False
        for claim in sync_requests.claim(limit=free, now=self.now(), reserved=RESERVED):
            self.under_way += 1
            self._start(claim)

    def _start(self, claim: Claim) -> None:
        """Submit a claim to the pool. The client is built here: threads use no database."""
        try:
            if claim.priority not in self.clients:
                call_priority = CALL_PRIORITIES[Priority(claim.priority)]
                self.clients[claim.priority] = factory.client(priority=call_priority)
        except errors.PartnerError as error:
            _answers.put(ReadResult(claim, error=error))
        else:
            self.fetch_pool.put(claim, self._read, _answers)

    def _read(self, claim: Claim) -> ReadResult:
        """Fetch one entity, in a thread of the pool. An error is part of the result."""
        began = time.monotonic()
        answer, fault, fetched_at = None, None, None
        try:
            client = self.clients[claim.priority]
            answer = kinds.get(claim.kind).fetch(client, claim.uuid)
            fetched_at = timezone.now()
        except errors.PartnerError as error:
            fault = error
        return ReadResult(claim, answer, fault, fetched_at, time.monotonic() - began)

    def _gather(self) -> list[ReadResult]:
        """Wait for a result or a notification, then collect results until the batch closes."""
        batch: list[ReadResult] = []
        closes_at = float("inf")
        while len(batch) < min(MOST_IN_BATCH, self.under_way):
            try:
                result = _answers.get(timeout=_left(closes_at))
            except Empty:
                break
            if result is None:
                self.is_notified = True
            else:
                batch.append(result)
                self.closed = self.closed or isinstance(result.error, AWAY)
            closes_at = min(closes_at, self._closing_time(result))
        self.under_way -= len(batch)
        self.gathered_at = time.monotonic()
        if batch:
            self.seconds = sum(result.seconds for result in batch) / len(batch)
        return batch

    def _closing_time(self, result: ReadResult | None) -> float:
        if result is None or result.claim.priority <= Priority.EVENT:
            return self.gathered_at + APART
        return time.monotonic() + LINGER

    def _store(self, batch: list[ReadResult]) -> None:
        self.counts += store.settle(batch, now=self.now())


def most_claimed(threads: int, *, seconds: float) -> int:
    """How many rows may be claimed and not yet stored, given the duration of a read. 0: unknown."""
    if not seconds:
        return threads
    return threads + min(threads * AHEAD, int(threads * LONGEST_WAIT / seconds))


_run = SingleFlight(lambda now, budget: WorkerLoop(now, budget).run())


def _left(closes_at: float) -> float | None:
    return None if closes_at == float("inf") else max(closes_at - time.monotonic(), 0)
