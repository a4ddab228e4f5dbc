"""Serve the due reads: claim → GET in many threads → store in batches → claim again.

One drain runs per process, whoever asks for it. A hint that arrives while it runs wakes it, and
makes it look once more before it goes, so that no hint is lost.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue

from django.conf import settings
from django.utils import timezone

from lib.single_flight import SingleFlight
from mirror import kinds, queue, readers, store
from mirror.models import Priority
from mirror.queue import Claim
from mirror.store import Outcome
from partner import errors, factory
from partner.client import Client
from partner.priorities import CallPriority

# What is claimed ahead, so many for each reader, keeps them busy while a batch is being stored. But
# no claim waits longer for a reader than LONGEST_WAIT, if all take as long as the last ones did:
# where an answer takes ten seconds, its lease would run out before it is read.
AHEAD = 5
LONGEST_WAIT = 10.0
# Reserved for people and events while a sweep or backfill fills the rest.
RESERVED = 8
# A batch is stored as soon as it is this large or its first answer this old. Where anybody waits
# for an answer in it, at once; but a hail of events is stored so many together as come in APART.
MOST_IN_BATCH = 128
LINGER = 0.25
APART = 0.02
# A task ends within its time limit; what is left is taken up by the next hint.
BUDGET = timedelta(seconds=20)

# After one of these the next rows would only be told the same.
AWAY = (errors.CircuitOpen, errors.AuthSuspect, errors.CredentialsRefused, errors.NotConfigured)

LANES = {
    Priority.PERSON: CallPriority.PERSON,
    Priority.EVENT: CallPriority.EVENT,
    Priority.SWEEP: CallPriority.SWEEP,
    Priority.BACKFILL: CallPriority.BACKFILL,
}

# Answers of the drain that runs in this process; None among them says “look for new claims”.
_answers: readers.Answers = SimpleQueue()


def drain(
    *, now: Callable[[], datetime] = timezone.now, budget: timedelta = BUDGET
) -> Counter[str]:
    """Serve what is due, unless this process is at it already. Returns what became of it.

    `unfinished` in the result says that the budget ran out before the work did.
    """
    _answers.put(None)
    return sum(_run(now, budget), Counter())


class Drain:
    """One run. Holds what was claimed and not yet stored."""

    def __init__(self, now: Callable[[], datetime], budget: timedelta) -> None:
        self.now = now
        self.most = settings.MIRROR_CONNECTIONS
        self.readers = readers.of_this_process(most=self.most)
        self.clients: dict[int, Client] = {}  # by priority; one query each, once per run
        self.under_way = 0
        self.hinted = False  # somebody said that there is more, perhaps urgent
        self.closed = False  # the service is away: claim no more
        self.ends_at = time.monotonic() + budget.total_seconds()
        self.gathered_at = float("-inf")
        self.seconds = 0.0  # that one read took, in the last batch
        self.counts: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        queue.reclaim(now=self.now())
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
        """Stay for a read that is due in a moment: no hint would announce it.

        False when there is none. A hint ends the wait; what it announces is claimed.
        """
        now = self.now()
        due = None if self._is_over() else queue.due_soon(now=now)
        if due is None:
            return False
        with suppress(Empty):
            _answers.get(timeout=max((due - now).total_seconds(), 0.001))
        self._claim()
        return True

    def _is_over(self) -> bool:
        return self.closed or time.monotonic() > self.ends_at

    def _claim(self) -> None:
        """Keep the readers fed: a few rows ahead, fewer if they are not urgent."""
        if self._is_over():
            return
        most = most_claimed(self.most, seconds=self.seconds)
        room = max(0, most - self.under_way)
        if room < min(self.most, most // 4) and not self.hinted:
            return  # a claim costs two statements: not for every answer
        self.hinted = False
        for claim in queue.claim(limit=room, now=self.now(), reserved=RESERVED):
            self.under_way += 1
            self._start(claim)

    def _start(self, claim: Claim) -> None:
        """Hand a claim to the readers. The client is made here: readers need no database."""
        try:
            if claim.priority not in self.clients:
                lane = LANES[Priority(claim.priority)]
                self.clients[claim.priority] = factory.client(priority=lane)
        except errors.PartnerError as error:
            _answers.put(Outcome(claim, error=error))
        else:
            self.readers.put(claim, self._read, _answers)

    def _read(self, claim: Claim) -> Outcome:
        """Fetch one entity, in a reader's thread. What went wrong is part of the outcome."""
        began = time.monotonic()
        answer, fault, fetched_at = None, None, None
        try:
            client = self.clients[claim.priority]
            answer = kinds.get(claim.kind).fetch(client, claim.uuid)
            fetched_at = timezone.now()
        except errors.PartnerError as error:
            fault = error
        return Outcome(claim, answer, fault, fetched_at, time.monotonic() - began)

    def _gather(self) -> list[Outcome]:
        """Wait for an answer or a hint, then collect what comes until the batch closes."""
        batch: list[Outcome] = []
        closes_at = float("inf")
        while len(batch) < min(MOST_IN_BATCH, self.under_way):
            try:
                outcome = _answers.get(timeout=_left(closes_at))
            except Empty:
                break
            if outcome is None:
                self.hinted = True
            else:
                batch.append(outcome)
                self.closed = self.closed or isinstance(outcome.error, AWAY)
            closes_at = min(closes_at, self._closing_time(outcome))
        self.under_way -= len(batch)
        self.gathered_at = time.monotonic()
        if batch:
            self.seconds = sum(outcome.seconds for outcome in batch) / len(batch)
        return batch

    def _closing_time(self, outcome: Outcome | None) -> float:
        if outcome is None or outcome.claim.priority <= Priority.EVENT:
            return self.gathered_at + APART
        return time.monotonic() + LINGER

    def _store(self, batch: list[Outcome]) -> None:
        self.counts += store.settle(batch, now=self.now())


def most_claimed(readers: int, *, seconds: float) -> int:
    """How many rows may be claimed and not yet stored, if a read takes so long. 0: not known."""
    if not seconds:
        return readers
    return readers + min(readers * AHEAD, int(readers * LONGEST_WAIT / seconds))


_run = SingleFlight(lambda now, budget: Drain(now, budget).run())


def _left(closes_at: float) -> float | None:
    return None if closes_at == float("inf") else max(closes_at - time.monotonic(), 0)
