"""Stores deliveries in groups: requests that wait share one INSERT, hence one commit.

One thread of a process reads the bodies and stores them, by a connection of its own with its own
timeouts. While it waits for a slow sender, the requests start others; one too many ends.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import Any

from django.conf import settings
from django.db import Error, connections

from lib.broker.worker_signals import notify_workers
from lib.database.own_connection import own_connection
from lib.processes.single_flight import SingleFlight
from partner.models.webhook_tokens import NO_TOKEN, KnownToken, TokenTable
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of
from webhooks.tasks import route
from webhooks.worker_notifier import WorkerNotifier

logger = logging.getLogger(__name__)

Read = Callable[[], bytes]

PATIENCE = 0.6  # seconds a sender waits for our database before it gets 503
OVERDUE = 0.05  # seconds after which a request starts another thread
MOST_ROWS = 100  # of up to 64 KiB in one statement
REREAD = 1.0  # seconds that the tokens are believed; a rotation is done by mail

LOCK_TIMEOUT = 0.45  # seconds
POSTGRES_OPTIONS = {
    "application_name": "couvert-receiver",
    "connect_timeout": 1,
    # A server that has gone without a word must not hold this thread for a quarter of an hour.
    "tcp_user_timeout": 1000,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    # Switching synchronous_commit off elsewhere may be a choice; here it would lose receipts.
    "options": "-c statement_timeout=500 -c lock_timeout=450 -c synchronous_commit=on",
}
INSERT = (
    f"INSERT INTO {Delivery._meta.db_table} (received_at, raw, size, slot, connection_id) VALUES"
)


class TokensUnknown(Exception):
    """The tokens could not be read, so no token can be checked."""


class ReceiverBackend:
    """Stores and counts by the connection of the calling thread, as a view does."""

    def tokens(self) -> TokenTable:
        try:
            return TokenTable.read()
        except Error as error:
            raise TokensUnknown from error

    def take(self, read: Read, *, token: KnownToken) -> bool:
        """Return whether the body is stored. Raises what the reading raises."""
        return self.store(read(), token=token)

    def store(self, raw: bytes, *, token: KnownToken) -> bool:
        try:
            insert([(datetime.now(UTC), raw, token)])
        except Error:
            return False
        return True

    def notify(self, token: KnownToken) -> None:
        notify_workers(route)

    def count(self, what: HourlyCount.What) -> None:
        HourlyCount.objects.add([(CountKey(what.value, hour_of(datetime.now(UTC))), 1)])


class PendingDelivery:
    """A request in the queue. Without a body to read it only requests that the tokens are read."""

    def __init__(self, read: Read | None = None, *, token: KnownToken = NO_TOKEN) -> None:
        self.read, self.token, self.received_at = read, token, datetime.now(UTC)
        self.raw: bytes | None = None
        self.error: Exception | None = None
        self.is_stored = False
        patience = settings.WEBHOOK_BODY_SECONDS if read else PATIENCE
        self.given_up_at = time.monotonic() + patience
        # A bare lock, because it is the cheapest thing that can be waited for with a limit.
        self._answered = threading.Lock()
        self._answered.acquire()

    def answer(self, *, is_stored: bool = False, error: Exception | None = None) -> None:
        self.is_stored, self.error = is_stored, error
        self._answered.release()

    def wait(self, seconds: float) -> bool:
        """Whether the answer came so soon, and in time: that limit moves with the bytes."""
        left = self.given_up_at - time.monotonic()
        return self._answered.acquire(timeout=max(0, min(seconds, left)))


class Inbox(ReceiverBackend):
    """The backend of a web process. Whatever may block blocks one of its threads."""

    def __init__(self) -> None:
        # On SQLite `_attempt` waits instead.
        self.connection = own_connection(sqlite={"timeout": 0}, postgresql=POSTGRES_OPTIONS)
        self.connection.inc_thread_sharing()
        self._queue: SimpleQueue[PendingDelivery] = SimpleQueue()
        self._read: deque[PendingDelivery] = deque()
        self._at_the_queue = threading.Lock()
        self._store_read = SingleFlight(self._store_batches)
        self._tokens: TokenTable | None = None
        self._reread_at = float("-inf")
        self._notifier = WorkerNotifier()
        self._notifier.start()
        # Before the first event, which would otherwise wait for the opening of the database.
        self._queue.put(PendingDelivery())
        self._start_thread()

    def tokens(self) -> TokenTable:
        """Return the tokens that count, at most a second old. Raises `TokensUnknown`.

        The last known tokens are used while the database is down: rows cannot be stored then,
        but wrong tokens are still refused.
        """
        # That there is no connection is never believed: it may have been set up just now.
        if not self._tokens or time.monotonic() - self._reread_at > REREAD:
            # One request in a second reads them: only one waits for a database that is away.
            self._reread_at = time.monotonic()
            self._serve(PendingDelivery())
        if self._tokens is None:
            raise TokensUnknown
        return self._tokens

    def take(self, read: Read, *, token: KnownToken) -> bool:
        """Have the body read and stored. Raises what the reading raises, or `TimeoutError`.

        In another thread, because the server's own reading knows no time limit. The answer after
        a `TimeoutError` closes the connection, and that ends the reading.
        """
        pending = PendingDelivery(read, token=token)
        self._serve(pending)
        if pending.error is not None:
            raise pending.error
        if pending.raw is None:
            raise TimeoutError
        return pending.is_stored

    def notify(self, token: KnownToken) -> None:
        self._notifier.notify(token)

    def count(self, what: HourlyCount.What) -> None:
        self._notifier.count(what)

    def _serve(self, pending: PendingDelivery) -> None:
        self._queue.put(pending)
        if pending.wait(OVERDUE):
            return
        self._start_thread()
        while pending.given_up_at > time.monotonic() and not pending.wait(PATIENCE):
            pass

    def _start_thread(self) -> None:
        threading.Thread(target=self._work, daemon=True, name="webhooks-inbox").start()

    def _work(self) -> None:
        """Read bodies and store them, until another thread waits at the empty queue."""
        connections["default"] = self.connection
        # What one that waits for a slow sender has read before.
        self._store_read()
        while self._at_the_queue.acquire(blocking=not self._queue.empty()):
            pending = self._queue.get()
            self._at_the_queue.release()
            self._fetch(pending)
            if self._queue.empty() or len(self._read) >= MOST_ROWS:
                self._store_read()

    def _fetch(self, pending: PendingDelivery) -> None:
        try:
            if pending.read is not None:
                pending.raw = pending.read()
                # From now on counts how long the database takes.
                pending.given_up_at = time.monotonic() + PATIENCE
        # Whatever it was, the request waits for it.
        except Exception as error:
            pending.answer(error=error)
        else:
            self._read.append(pending)

    def _store_batches(self) -> None:
        while batch := [self._read.popleft() for _ in range(min(len(self._read), MOST_ROWS))]:
            self._store_batch(batch)

    def _store_batch(self, batch: list[PendingDelivery]) -> None:
        now = time.monotonic()
        waiting = [pending for pending in batch if pending.given_up_at > now]
        rows = [(one.received_at, one.raw, one.token) for one in waiting if one.raw is not None]
        if len(rows) < len(waiting):
            self._attempt(self._read_tokens)
        is_stored = bool(rows) and self._attempt(partial(insert, rows))
        for pending in waiting:
            pending.answer(is_stored=is_stored)

    def _attempt(self, work: Callable[[], None]) -> bool:
        """Try, and again while SQLite is locked, or once on a fresh connection if the old was dead.

        SQLite itself would wait by sleeping longer and longer, up to 100 ms, and two busy web
        processes then starve each other. Looking every millisecond finds the gap between two of
        the other's commits. A first try that did commit and could not say so leaves a second row,
        which is harmless: two deliveries of one event cost one read.
        """
        ends_at = time.monotonic() + LOCK_TIMEOUT
        may_be_dead = self.connection.connection is not None
        while True:
            try:
                work()
                return True
            # Whatever it was: if this thread ended, every delivery would be refused from then on.
            except Exception as error:
                is_locked = "database is locked" in str(error)
                if not is_locked:
                    self.connection.close()
                if time.monotonic() > ends_at or not (is_locked or may_be_dead):
                    logger.warning("deliveries cannot be stored: %s", type(error).__name__)
                    return False
                may_be_dead = may_be_dead and is_locked
            time.sleep(0.001)

    def _read_tokens(self) -> None:
        self._tokens = TokenTable.read()


def insert(rows: list[tuple[datetime, bytes, KnownToken]]) -> None:
    """One statement in autocommit mode: when it returns, all of the rows are on the disk."""
    connection = connections["default"]
    values: list[Any] = []
    for received_at, raw, token in rows:
        at = connection.ops.adapt_datetimefield_value(received_at)
        values += (at, raw, len(raw), token.slot.value, token.connection_id)
    marks = ", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(f"{INSERT} {marks}", values)
