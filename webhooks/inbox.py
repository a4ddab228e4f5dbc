"""Stores deliveries in groups: requests that wait share one INSERT, hence one commit.

One thread of a process reads the bodies and stores them, by a connection of its own with its own
timeouts. While it waits for a slow sender, the requests start others; one too many ends. A pool
with a thread for each body is shorter, but took 1.17 times the processor time on PostgreSQL.

Another thread notifies a worker after the commit and flushes the counts of what has no row, so that
no answer waits for the broker.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, partial
from queue import SimpleQueue
from typing import Any

from django.conf import settings
from django.db import connections, transaction

from lib.database.own_connection import own_connection, release_connection
from lib.processes.single_flight import SingleFlight
from partner.models import Connection
from partner.models.webhook_tokens import NO_TOKEN, KnownToken, TokenTable
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of
from webhooks.tasks import route

logger = logging.getLogger(__name__)

Read = Callable[[], bytes]
Noted = KnownToken | CountKey  # whose delivery was stored, or what is to be counted

PATIENCE = 0.6  # seconds a sender waits for our database before it gets 503
OVERDUE = 0.05  # seconds after which a request starts another thread
LOCK_TIMEOUT = 0.45  # seconds
REREAD = 1.0  # seconds that the tokens are believed; a rotation is done by mail
NOTIFY_INTERVAL = 0.05  # seconds; the first of a burst leaves at once
# While no worker takes them, more messages would only wait at the broker.
NOTIFY_INTERVAL_BEHIND = 1.0
NOTIFICATION_EXPIRES = 60  # seconds; a worker that returns after an hour needs one, not thousands
FLUSH_INTERVAL = 5.0  # seconds
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
    """A request that waits. Without a body to read it only requests that the tokens are read."""

    def __init__(self, read: Read | None = None, *, token: KnownToken = NO_TOKEN) -> None:
        self.read, self.token, self.received_at = read, token, datetime.now(UTC)
        self.raw: bytes | None = None
        self.outcome: bool | Exception = TimeoutError() if read else False
        # It moves on when the body is there: from then on counts how long the database takes.
        self.ends_at = time.monotonic() + (settings.WEBHOOK_BODY_SECONDS if read else PATIENCE)
        # A bare lock, because it is the cheapest thing that can be waited for with a limit.
        self.answered = threading.Lock()
        self.answered.acquire()


class Inbox:
    """Where requests bring their bodies. Whatever may block blocks one of its threads.

    Without threads the calling one does it, by its own connection: so does a view.
    """

    def __init__(self, *, has_threads: bool) -> None:
        self._has_threads = has_threads
        self.connection = connections["default"]
        if has_threads:
            # On SQLite `_attempt` waits instead.
            self.connection = own_connection(sqlite={"timeout": 0}, postgresql=POSTGRES_OPTIONS)
            self.connection.inc_thread_sharing()
        self._queue: SimpleQueue[PendingDelivery] = SimpleQueue()
        self._at_the_queue = threading.Lock()
        self._read: deque[PendingDelivery] = deque()
        self._store_read = SingleFlight(self._store_batch)
        self._tokens: TokenTable | None = None
        self._reread_at = self._flush_at = float("-inf")
        self._is_new = threading.Event()
        self._noted: deque[Noted] = deque()
        self._counts: Counter[Noted] = Counter()
        self._interval = NOTIFY_INTERVAL

    def tokens(self) -> TokenTable | None:
        """Return the tokens that count, at most a second old; none if they were never read.

        The last known tokens are used while the database is down: rows cannot be stored then,
        but wrong tokens are still refused.
        """
        # That there is no connection is never believed: it may have been set up just now.
        if not self._tokens or time.monotonic() - self._reread_at > REREAD:
            # One request in a second reads them: only one waits for a database that is away.
            self._reread_at = time.monotonic()
            self._serve(PendingDelivery())
        return self._tokens

    def take(self, read: Read, *, token: KnownToken) -> bool:
        """Return whether the body is stored. Raises what the reading raises, or `TimeoutError`.

        It is read in another thread, because the server's own reading knows no time limit. The
        answer after a `TimeoutError` closes the connection, and that ends the reading.
        """
        pending = PendingDelivery(read, token=token)
        self._serve(pending)
        outcome = pending.outcome
        if isinstance(outcome, Exception):
            raise outcome
        if outcome:
            self._noted.append(token)
            self._is_new.set()
        return outcome

    def count(self, what: HourlyCount.What) -> None:
        """Count what gets no row."""
        self._noted.append(CountKey(what.value, hour_of(datetime.now(UTC))))

    def _serve(self, pending: PendingDelivery) -> None:
        """Have it processed, and wait no longer than it may take."""
        if not self._has_threads:
            return self._process(pending)
        self._queue.put(pending)
        if pending.answered.acquire(timeout=OVERDUE):
            return
        threading.Thread(target=self._work, daemon=True, name="webhooks-inbox").start()
        while (left := pending.ends_at - time.monotonic()) > 0:
            if pending.answered.acquire(timeout=min(left, PATIENCE)):
                return

    def _work(self) -> None:
        """Read bodies and store them, until another thread waits at the empty queue."""
        connections["default"] = self.connection
        # What one that waits for a slow sender has read before.
        self._store_read()
        while self._at_the_queue.acquire(blocking=not self._queue.empty()):
            pending = self._queue.get()
            self._at_the_queue.release()
            self._process(pending)

    def _process(self, pending: PendingDelivery) -> None:
        try:
            if pending.read is not None:
                pending.raw = pending.read()
                pending.outcome, pending.ends_at = False, time.monotonic() + PATIENCE
            self._read.append(pending)
        # Whatever it was, the request waits for it.
        except Exception as error:
            pending.outcome = error
            pending.answered.release()
        if self._queue.empty():
            self._store_read()

    def _store_batch(self) -> None:
        batch = [self._read.popleft() for _ in range(len(self._read))]
        waiting = [pending for pending in batch if pending.ends_at > time.monotonic()]
        bodies = [pending for pending in waiting if pending.raw is not None]
        if len(bodies) < len(waiting):
            self._attempt(self._read_tokens)
        is_stored = bool(bodies) and self._attempt(partial(insert, bodies))
        for pending in waiting:
            pending.outcome = is_stored
            pending.answered.release()

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
            # Whatever it was: without an answer every delivery would be refused from then on.
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

    def run(self) -> None:
        """Follow up for ever, in a thread of its own: no answer waits for the broker."""
        while True:
            self._is_new.wait(FLUSH_INTERVAL)
            self.follow_up()
            time.sleep(self._interval)

    def follow_up(self) -> None:
        """Notify a worker of what was stored, and flush the counts every few seconds."""
        if self._is_new.is_set():
            self._is_new.clear()
            self._notify()
        if time.monotonic() > self._flush_at:
            self._flush_at = time.monotonic() + FLUSH_INTERVAL
            self.flush()

    def _notify(self) -> None:
        """Wake a worker. It may fail, which is counted: the sweep finds the rows without it."""
        try:
            route.apply_async(expires=NOTIFICATION_EXPIRES)
        # Kombu lets through whatever the broker's own library raises.
        except Exception as error:
            logger.warning("no worker was notified; the sweep will: %s", type(error).__name__)
            self.count(HourlyCount.What.NOT_NOTIFIED)

    def flush(self) -> None:
        """Write what was noted, or keep it for later."""
        self._counts.update(self._noted.popleft() for _ in range(len(self._noted)))
        try:
            if self._counts:
                is_behind = Delivery.objects.is_behind(now=datetime.now(UTC))
                self._interval = NOTIFY_INTERVAL_BEHIND if is_behind else NOTIFY_INTERVAL
                flush_counts(self._counts)
                self._counts.clear()
        # Whatever it was: the counts are flushed later, and the thread must go on.
        except Exception as error:
            logger.warning("the counts are not flushed yet: %s", type(error).__name__)
        finally:
            release_connection()  # this thread may now sleep for hours


def insert(bodies: list[PendingDelivery]) -> None:
    """One statement in autocommit mode: when it returns, all of the rows are on the disk."""
    connection = connections["default"]
    values: list[Any] = []
    for one in bodies:
        at = connection.ops.adapt_datetimefield_value(one.received_at)
        values += (at, one.raw, len(one.raw or b""), one.token.slot.value, one.token.connection_id)
    marks = ", ".join(["(%s, %s, %s, %s, %s)"] * len(bodies))
    with connection.cursor() as cursor:
        cursor.execute(f"{INSERT} {marks}", values)


def flush_counts(noted: Counter[Noted]) -> None:
    """Add to the hourly counts and record which tokens were used, in one transaction."""
    used = {(one.connection_id, one.slot) for one in noted if isinstance(one, KnownToken)}
    with transaction.atomic():
        HourlyCount.objects.add((e, n) for e, n in noted.items() if isinstance(e, CountKey))
        for connection_id, slot in sorted(used):
            Connection(pk=connection_id).note_webhook_use(slot, at=datetime.now(UTC))


@cache
def inbox_of_process() -> Inbox:
    """The one of a web process, with its threads."""
    started = Inbox(has_threads=True)
    threading.Thread(target=started.run, daemon=True, name="webhooks-follow-up").start()
    # Before the first event, which would otherwise wait for the opening of the database.
    started.tokens()
    return started
