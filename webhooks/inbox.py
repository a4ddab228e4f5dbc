"""Stores deliveries in groups: requests that wait share one INSERT, hence one commit.

One thread per process owns the only connection of this path, outside Django's pool, with its own
timeouts. A request learns "stored" only after the commit, and gives up after `PATIENCE`.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any

from django.db import OperationalError, connections

from lib.database.own_connection import own_connection
from partner.models.webhook_tokens import NO_TOKEN, KnownToken, TokenTable
from webhooks.models import Delivery

logger = logging.getLogger(__name__)

PATIENCE = 0.6  # seconds a sender waits for our database before it gets 503
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


class PendingDelivery:
    """A request in the queue. Without a body it only requests that the tokens are read."""

    __slots__ = ("_answered", "error", "given_up_at", "is_stored", "raw", "received_at", "token")

    def __init__(
        self,
        raw: bytes | None = None,
        token: KnownToken = NO_TOKEN,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self.raw = raw
        self.token = token
        self.received_at = datetime.now(UTC)
        self.given_up_at = time.monotonic() + patience
        self.is_stored = False
        self.error: Exception | None = None
        # A bare lock, because it is the cheapest thing that can be waited for with a limit.
        self._answered = threading.Lock()
        self._answered.acquire()

    def fill(self, raw: bytes) -> None:
        """Set the body, and start to count the time that the database takes."""
        self.given_up_at = time.monotonic() + PATIENCE
        self.raw = raw

    def wait(self) -> bool:
        """Wait for the answer, in steps, because the limit moves when the bytes have come."""
        while (left := self.given_up_at - time.monotonic()) > 0:
            if self._answered.acquire(timeout=min(left, PATIENCE)):
                break
        return self.is_stored

    def answer(self, *, is_stored: bool, error: Exception | None = None) -> None:
        self.is_stored, self.error = is_stored, error
        self._answered.release()


class TokensUnknown(Exception):
    """The tokens could not be read, so no token can be checked."""


class Inbox(threading.Thread):
    """The writer of one process."""

    def __init__(self) -> None:
        super().__init__(name="webhooks-inbox", daemon=True)
        self._queue: SimpleQueue[PendingDelivery] = SimpleQueue()
        self._tokens: TokenTable | None = None
        self._is_stopping = False
        self._reread_at = float("-inf")

    def put(self, pending: PendingDelivery) -> None:
        """Queue a delivery that a request waits for."""
        self._queue.put(pending)

    def tokens(self) -> TokenTable:
        """Return the tokens that count, at most a second old. Raises `TokensUnknown`.

        The last known tokens are used while the database is down: rows cannot be stored then,
        but wrong tokens are still refused.
        """
        if self._is_stale():
            # One request in a second reads them: only one waits for a database that is away.
            self._reread_at = time.monotonic()
            question = PendingDelivery()
            self._queue.put(question)
            question.wait()
        if self._tokens is None:
            raise TokensUnknown
        return self._tokens

    def _is_stale(self) -> bool:
        # That there is no connection is never believed: it may have been set up just now.
        return not self._tokens or time.monotonic() - self._reread_at > REREAD

    def run(self) -> None:
        # On SQLite `in_turn` waits instead.
        own = own_connection(sqlite={"timeout": 0}, postgresql=POSTGRES_OPTIONS)
        connections["default"] = own
        # Before the first event, which would otherwise wait for the opening of the database.
        self._attempt(self._read_tokens)
        while not self._is_stopping:
            self._serve(self._next())
        connections["default"].close()

    def stop(self) -> None:
        """End the thread after the current batch."""
        self._is_stopping = True
        self._queue.put(PendingDelivery())
        self.join()

    def _next(self) -> list[PendingDelivery]:
        """Wait for a delivery, and take all others in the queue."""
        batch = [self._queue.get()]
        # The only taker, so what is there may be taken without asking twice.
        while len(batch) < MOST_ROWS and not self._queue.empty():
            batch.append(self._queue.get())
        return batch

    def _serve(self, batch: list[PendingDelivery]) -> None:
        now = time.monotonic()
        waiting = [pending for pending in batch if pending.given_up_at > now]
        rows = [pending for pending in waiting if pending.raw is not None]
        if len(rows) < len(waiting):
            self._attempt(self._read_tokens)
        is_stored = bool(rows) and self._attempt(lambda: insert(rows))
        for pending in waiting:
            pending.answer(is_stored=is_stored)

    def _attempt(self, work: Callable[[], None]) -> bool:
        """Try, and once more on a fresh connection if the old one turned out to be dead.

        A first try that did commit and could not say so leaves a second row, which is harmless:
        two deliveries of one event cost one read.
        """
        was_open = connections["default"].connection is not None
        began = time.monotonic()
        if self._try(work):
            return True
        has_waited = time.monotonic() - began > PATIENCE / 4
        return was_open and not has_waited and self._try(work)

    def _try(self, work: Callable[[], None]) -> bool:
        try:
            in_turn(work)
        # Whatever it was: if this thread ended, every delivery would be refused from then on.
        except Exception as error:
            logger.warning("deliveries cannot be stored: %s", type(error).__name__)
            connections["default"].close()
            return False
        return True

    def _read_tokens(self) -> None:
        self._tokens = TokenTable.read()


def in_turn(work: Callable[[], None]) -> None:
    """Do the work as soon as SQLite's one write lock is free; PostgreSQL has a queue of its own.

    SQLite waits by sleeping longer and longer, up to 100 ms, and two busy web processes then
    starve each other. Looking every millisecond finds the gap between two of the other's commits.
    """
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            return work()
        except OperationalError as error:
            if "database is locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.001)


def insert(batch: list[PendingDelivery]) -> None:
    """One statement in autocommit mode: when it returns, all of the rows are on the disk."""
    connection = connections["default"]
    values: list[Any] = []
    for pending in batch:
        at = connection.ops.adapt_datetimefield_value(pending.received_at)
        size = len(pending.raw or b"")
        slot, connection_id = pending.token.slot, pending.token.connection_id
        values += (at, pending.raw, size, slot.value, connection_id)
    rows = ", ".join(["(%s, %s, %s, %s, %s)"] * len(batch))
    with connection.cursor() as cursor:
        cursor.execute(f"{INSERT} {rows}", values)
