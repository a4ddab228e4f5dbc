"""Worker loop of the mirror: claim due requests → GET in many threads → store in batches.

One loop runs per process. A notification that arrives while it runs wakes it and makes it claim
once more before it ends, so that no notification is lost.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from lib.processes.single_flight import SingleFlight
from mirror import kinds
from mirror.models import Priority
from mirror.queue import due_accounts, fetch_pool, store, sync_requests
from mirror.queue.store import ReadResult
from mirror.queue.sync_requests import Claim
from partner import errors, factory
from partner.client import Client
from partner.limits.priorities import CallPriority

# Rows claimed ahead, per thread, keep the threads busy while a batch is being stored. But no claim
# waits longer for a thread than LONGEST_WAIT, if all take as long as the last ones did:
# what is held by one worker no other can read.
AHEAD = 5
LONGEST_WAIT = 10.0
LONGEST_READ = CallPriority.BACKFILL.patience
HANGS = 2.0  # seconds: a read that takes longer waits for something
# Reserved for people and events while a sweep or backfill fills the rest.
RESERVED = 8
# A batch is stored as soon as it is this large or its first answer this old. Where anybody waits
# for an answer in it, at once; but a burst of events is stored in batches of APART seconds.
MOST_IN_BATCH = 128
LINGER = 0.25
APART = 0.02
# Rows of killed workers come back when their lease ends, also while a run has plenty to do.
RECLAIM_EVERY = 2.0
# A claim that is held for so long gets another lease. Few are: a read takes a fraction of a second.
RENEW_AFTER = sync_requests.LEASE.total_seconds() / 3
# A task ends within its time limit; what is left is done after the next notification.
BUDGET = timedelta(seconds=20)

# After one of these the next rows would only get the same error.
AWAY = (errors.CircuitOpen, errors.AuthSuspect, errors.CredentialsRefused, errors.NotConfigured)

# An account that answers so gets few threads until it answers otherwise.
FAILING = (errors.Unavailable, errors.Throttled)

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
        # By account and priority; one query each, once per run.
        self.clients: dict[tuple[int | None, int], Client] = {}
        self.accounts: dict[int | None, AccountLoad] = {}
        self.is_notified = True  # there is more, perhaps urgent
        self.ends_at = time.monotonic() + budget.total_seconds()
        self.has_handed_back = False
        self.gathered_at = float("-inf")
        self.reclaimed_at = float("-inf")
        self.held: dict[int, HeldClaim] = {}  # by the key of its request
        self.counts: Counter[str] = Counter()

    @property
    def under_way(self) -> int:
        return sum(account.under_way for account in self.accounts.values())

    def run(self) -> Counter[str]:
        self._reclaim()
        self._claim()
        while self.under_way or self._wait_for_the_next():
            batch = self._gather()
            self._hand_back()
            self._reclaim()
            self._claim()
            if batch:
                self._store(batch)
                self._claim()
        if self._is_over() and self._is_open():
            self.counts["unfinished"] = 1
        return self.counts

    def _reclaim(self) -> None:
        if time.monotonic() - self.reclaimed_at < RECLAIM_EVERY:
            return
        self.reclaimed_at = time.monotonic()
        self._renew()
        if sync_requests.reclaim(now=self.now()):
            self.is_notified = True

    def _renew(self) -> None:
        """Hold on to what is under way for long."""
        since = time.monotonic() - RENEW_AFTER
        old = [held.claim for held in self.held.values() if held.since < since]
        if old:
            sync_requests.renew(old, now=self.now())
            self.held |= {claim.pk: HeldClaim(claim, time.monotonic()) for claim in old}

    def _wait_for_the_next(self) -> bool:
        """Wait for a read that is due in a moment: no notification would announce it.

        False when there is none. A notification ends the wait, and new rows are claimed.
        """
        now = self.now()
        due = None if self._is_over() else due_accounts.due_soon(now=now, accounts=self._usable())
        if due is None:
            return False
        with suppress(Empty):
            _answers.get(timeout=max((due - now).total_seconds(), 0.001))
        self.is_notified = True
        self._claim()
        return True

    def _is_over(self) -> bool:
        return self._late() > 0

    def _is_open(self) -> bool:
        """Whether an account may have more to read."""
        closed = [account.is_closed for account in self.accounts.values()]
        return not closed or not all(closed)

    def _usable(self) -> set[int | None]:
        """The accounts that may be called; None is for rows that name none."""
        closed = {pk for pk, account in self.accounts.items() if account.is_closed}
        return ({None} | due_accounts.usable_connections()) - closed

    def _is_draining(self) -> bool:
        """Whether the run is over but for reads that hang: the urgent ones of others go on."""
        return bool(self.under_way) and self.is_notified and 0 < self._late() < LONGEST_READ

    def _late(self) -> float:
        return time.monotonic() - self.ends_at

    def _hand_back(self) -> None:
        """Release what waits for a thread when the run is over, and again when it must end.

        An account of which a read takes its whole patience would otherwise hold up the end of the
        run, and with it everybody's reads, for as often as it has claims.
        """
        if not self._is_over() or (self.has_handed_back and self._late() < LONGEST_READ):
            return
        self.has_handed_back = True
        claims = self.fetch_pool.withdraw()
        for claim in claims:
            if self._holds(claim):
                self.accounts[claim.connection_id].under_way -= 1
                del self.held[claim.pk]
        sync_requests.release(claims)

    def _claim(self) -> None:
        """Claim a few rows ahead of the threads for every account that has some due, in turn."""
        is_draining = self._is_draining()
        if self._is_over() and not is_draining:
            return
        if not (self.is_notified or self._has_capacity()):
            return  # a claim costs three statements: not for every answer
        self.is_notified = False
        now = self.now()
        due = due_accounts.due_connections(now=now)
        busy = {pk for pk, account in self.accounts.items() if account.under_way}
        number = len(busy | {one.pk for one in due})
        for one in due:
            account = self.accounts.setdefault(one.pk, AccountLoad())
            account.threads = self.fetch_pool.share(one.pk, others=number - 1)
            if is_draining and account.seconds > HANGS:
                continue  # what it claimed now would keep the run from ending
            free = 1 if one.is_probe else account.free
            if free > 0 and not account.is_closed and self._is_under_limit():
                reserved = free if is_draining else min(RESERVED, free // 4)
                options: dict[str, Any] = {"limit": free, "now": now, "reserved": reserved}
                for claim in sync_requests.claim(account=one, **options):
                    account.under_way += 1
                    self.held[claim.pk] = HeldClaim(claim, time.monotonic())
                    self._start(claim)

    def _has_capacity(self) -> bool:
        return any(
            account.has_capacity for account in self.accounts.values() if not account.is_closed
        )

    def _is_under_limit(self) -> bool:
        """Whether a claim would be read within LONGEST_WAIT, however many accounts there are.

        An account holds no more threads than its share, however many of its reads wait for them:
        what one has claimed before it began to fail does not keep others from claiming.
        """
        most = self.most * fetch_pool.SEVERAL
        held = [(one.held, one.seconds) for one in self.accounts.values()]
        if sum(threads for threads, _seconds in held) < most:
            return True
        waits = sum(threads * seconds for threads, seconds in held)
        return bool(waits / most < LONGEST_WAIT)

    def _start(self, claim: Claim) -> None:
        """Submit a claim to the pool. The client is built here: threads use no database."""
        key = (claim.connection_id, claim.priority)
        try:
            if key not in self.clients:
                priority = Priority(claim.priority).of_calls
                self.clients[key] = factory.client(claim.connection_id, priority=priority)
        except errors.PartnerError as error:
            _answers.put(ReadResult(claim, error=error))
        else:
            self.fetch_pool.put(claim, self._read, _answers)

    def _read(self, claim: Claim) -> ReadResult:
        """Fetch one entity, in a thread of the pool. An error is part of the result."""
        began = time.monotonic()
        answer, fault, fetched_at = None, None, None
        try:
            client = self.clients[claim.connection_id, claim.priority]
            answer = kinds.get(claim.kind).fetch(client, claim.uuid)
            fetched_at = timezone.now()
        except errors.PartnerError as error:
            fault = error
        return ReadResult(claim, answer, fault, fetched_at, time.monotonic() - began)

    def _gather(self) -> list[ReadResult]:
        """Wait for a result or a notification, then collect results until the batch closes.

        Nothing comes while every read hangs, and the leases have to be renewed.
        """
        batch: list[ReadResult] = []
        closes_at = float("inf")
        while len(batch) < min(MOST_IN_BATCH, self.under_way):
            try:
                result = _answers.get(timeout=min(_left(closes_at), RECLAIM_EVERY))
            except Empty:
                break
            if result is None:
                self.is_notified = True
            else:
                batch.append(result)
            closes_at = min(closes_at, self._closing_time(result))
        self.gathered_at = time.monotonic()
        self._note(batch)
        return batch

    def _note(self, batch: list[ReadResult]) -> None:
        """Note for each account what the batch shows: how long its reads take, and how they end.

        What a run that broke off had begun is stored, too, but was never counted in this one.
        """
        by_account: dict[int | None, list[ReadResult]] = {}
        for result in batch:
            if self._holds(result.claim):
                del self.held[result.claim.pk]
                by_account.setdefault(result.claim.connection_id, []).append(result)
        for pk, results in by_account.items():
            self.accounts[pk].note(results)
            fails = all(isinstance(result.error, FAILING) for result in results)
            self.fetch_pool.mark(pk, is_troubled=fails)

    def _holds(self, claim: Claim) -> bool:
        held = self.held.get(claim.pk)
        return held is not None and held.claim is claim

    def _closing_time(self, result: ReadResult | None) -> float:
        if result is None or result.claim.priority <= Priority.EVENT:
            return self.gathered_at + APART
        return time.monotonic() + LINGER

    def _store(self, batch: list[ReadResult]) -> None:
        self.counts += store.settle(batch, now=self.now())


class HeldClaim(NamedTuple):
    claim: Claim
    since: float  # by the monotonic clock: when it was claimed, or its lease last renewed


@dataclass
class AccountLoad:
    """What one run of the loop holds of one account."""

    threads: int = 1
    under_way: int = 0  # claimed and not yet stored
    seconds: float = 0.0  # that one read took, in the last batch
    is_closed: bool = False  # the service is away: claim no more

    @property
    def held(self) -> int:
        """How many threads its reads hold at most."""
        return min(self.under_way, self.threads)

    @property
    def free(self) -> int:
        return max(0, most_claimed(self.threads, seconds=self.seconds) - self.under_way)

    @property
    def has_capacity(self) -> bool:
        most = most_claimed(self.threads, seconds=self.seconds)
        return self.free >= min(self.threads, max(1, most // 4))

    def note(self, results: list[ReadResult]) -> None:
        self.under_way -= len(results)
        self.seconds = sum(result.seconds for result in results) / len(results)
        self.is_closed = self.is_closed or any(isinstance(one.error, AWAY) for one in results)


def most_claimed(threads: int, *, seconds: float) -> int:
    """How many rows may be claimed and not yet stored, given the duration of a read. 0: unknown."""
    if not seconds:
        return threads
    return threads + min(threads * AHEAD, int(threads * LONGEST_WAIT / seconds))


_run = SingleFlight(lambda now, budget: WorkerLoop(now, budget).run())


def _left(closes_at: float) -> float:
    return max(closes_at - time.monotonic(), 0)
