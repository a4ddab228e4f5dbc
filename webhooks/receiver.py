"""The webhook receiver: check the token, read the body, commit the row, answer 200.

A WSGI program beside Django's: without middleware no delivery can end in a redirect, a refused host
or a session, and nothing is parsed before it is stored. After one 200 an event is never sent again
(contract, "Receiver obligations"), so 200 means on the disk: committed or, while SQLite is locked,
in a file beside it. Every fault that a second delivery could mend gets another status.

Requests that wait share one INSERT, hence one commit. One thread of a process reads the bodies and
stores them, by a connection of its own; while it waits for a slow sender, the requests start
others. Another thread reads the tokens, notifies a worker and counts what has no row.
"""

import json
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, partial
from itertools import count
from queue import SimpleQueue
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import prometheus_client
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import IntegrityError, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from lib.database.own_connection import own_connection, release_connection
from lib.processes.single_flight import SingleFlight
from partner.models import Connection
from partner.models.webhook_tokens import KnownToken, TokenTable
from webhooks.events import decompressed, is_object
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of
from webhooks.spool import Spool, StoredBody
from webhooks.tasks import route

logger = logging.getLogger(__name__)

PATHS = frozenset({"/webhooks/partner/", "/webhooks/partner"})
MOST_BYTES = 64 * 1024
LONGEST_TOKEN = 512
LONGEST_LENGTH = 12  # digits of which any number is too large
STORE_SECONDS = 0.6  # seconds a sender waits for our database before it gets 503
# With a file to go to it is not answered 503 for want of processor time.
STORE_SECONDS_WITH_FILES = 2.0
OVERDUE = 0.05  # seconds after which a request starts another thread
LOCK_TIMEOUT = 0.45  # seconds
REREAD = 1.0  # seconds that the tokens are believed; a rotation is done by mail
FLUSH_EACH = 5  # times: a write may have to wait, and notifications with it
NOTIFY_INTERVAL = 0.05  # seconds; the first of a burst leaves at once
NOTIFICATION_EXPIRES = 60  # seconds; a worker that returns after an hour needs one, not thousands
POSTGRES_OPTIONS = {
    "application_name": "couvert-receiver",
    # A server that has gone without a word must not hold a thread for a quarter of an hour.
    **{"connect_timeout": 1, "tcp_user_timeout": 1000},
    **{"keepalives_idle": 1, "keepalives_interval": 1, "keepalives_count": 2},
    # Switching synchronous_commit off elsewhere may be a choice; here it would lose receipts.
    "options": "-c statement_timeout=500 -c lock_timeout=450 -c synchronous_commit=on",
}
INSERT = f"INSERT INTO {Delivery._meta.db_table} (received_at, raw, size, slot, connection_id)"
# What middleware sets elsewhere: a browser that comes here makes no page of the answer.
BROWSER_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "private, no-store"),
]
if settings.SECURE_HSTS_SECONDS:
    hsts = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"
    BROWSER_HEADERS.append(("Strict-Transport-Security", hsts))
ANSWERS = prometheus_client.Counter(
    "couvert_webhook_answers", "Answers of the receiver, by status", ["status"]
)
Environ = dict[str, Any]
Counted = KnownToken | CountKey  # whose delivery was stored, or what is to be counted
What = HourlyCount.What


class ReceiverAnswer(NamedTuple):
    status: str
    body: bytes
    headers: list[tuple[str, str]]
    counted_as: What | None


def _answer(
    status: str, body: Any, counted_as: What | None = None, *headers: tuple[str, str]
) -> ReceiverAnswer:
    raw = json.dumps(body).encode()
    own = [("Content-Type", "application/json"), ("Content-Length", str(len(raw)))]
    return ReceiverAnswer(status, raw, [*own, *BROWSER_HEADERS, *headers], counted_as)


RECEIVED = _answer("200 OK", {"data": {}})
INCOMPLETE = _answer("400 Bad Request", {"error": "the body is incomplete"}, What.INCOMPLETE)
NOT_FOUND = _answer("404 Not Found", {"error": "not found"}, What.WRONG_TOKEN)
NOT_POST = _answer("405 Method Not Allowed", {"error": "POST only"}, None, ("Allow", "POST"))
TOO_LARGE = {"error": "the body is larger than 64 KiB"}
OVERSIZE = _answer("413 Content Too Large", TOO_LARGE, What.OVERSIZE)
NOT_STORED = {"error": "not stored, send it again"}
UNAVAILABLE = _answer("503 Service Unavailable", NOT_STORED, What.UNAVAILABLE)


def receive(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
    """The WSGI program: config/wsgi.py calls it for `PATHS`."""
    answer = handle(environ, inbox=inbox_of_process())
    ANSWERS.labels(answer.status[:3]).inc()
    start_response(answer.status, answer.headers)
    return [answer.body]


@csrf_exempt
@login_not_required
def view(request: HttpRequest) -> HttpResponse:
    """The same for what serves Django alone, a test client for instance."""
    own = Inbox()
    own.refresh()
    answer = handle(request.META, inbox=own)
    own.refresh()
    transaction.on_commit(own.follow_up)
    return HttpResponse(answer.body, status=int(answer.status[:3]), headers=dict(answer.headers))


def handle(environ: Environ, *, inbox: "Inbox") -> ReceiverAnswer:
    """Answer one request, and count it if it leaves no row."""
    answer = _check_and_store(environ, inbox)
    if answer.counted_as:
        inbox.count(answer.counted_as)
    return answer


def _check_and_store(environ: Environ, inbox: "Inbox") -> ReceiverAnswer:
    """The token is checked first: without it the answer reveals nothing."""
    if inbox.tokens is None:
        return UNAVAILABLE
    token = inbox.tokens.find(_given_token(environ))
    if token is None:
        return NOT_FOUND
    if environ["REQUEST_METHOD"] != "POST":
        return NOT_POST
    try:
        is_stored = inbox.take(partial(_read, environ), token=token)
    except OverflowError:
        return OVERSIZE
    except OSError:  # a connection that was lost; a TimeoutError is one too
        return INCOMPLETE
    return RECEIVED if is_stored else UNAVAILABLE


def _given_token(environ: Environ) -> str:
    """Return the token of the address. A missing, doubled or endless one costs the same work."""
    # An address is no form: a + in a token that somebody chose stands for itself.
    query = environ.get("QUERY_STRING", "").replace("+", "%2B")
    try:
        given = parse_qs(query, max_num_fields=20).get("token", [])
    except ValueError:
        given = []
    return given[0] if len(given) == 1 and len(given[0]) <= LONGEST_TOKEN else ""


def _read(environ: Environ) -> bytes:
    """Return the whole body. Counts bytes instead of trusting the length."""
    declared = environ.get("CONTENT_LENGTH") or ""
    if declared and not (declared.isascii() and declared.isdigit()):
        raise OSError("the length is no number")
    # Without a length a body may still come in chunks. The server ends a broken one as it ends a
    # whole one; but no beginning of a JSON object is a JSON object itself.
    length = None if environ.get("wsgi.input_terminated") and not declared else 0
    length = int(declared.lstrip("0")[:LONGEST_LENGTH] or 0) if declared else length
    is_long = length is not None and length > MOST_BYTES
    limit = MOST_BYTES + 1 if length is None else length
    raw = b"" if is_long else bytes(environ["wsgi.input"].read(limit))
    if is_long or len(raw) > MOST_BYTES:
        raise OverflowError
    content = decompressed(raw, most=MOST_BYTES)
    if not (is_object(content) if length is None else len(raw) == length):
        raise OSError("the body is incomplete")
    return content


class PendingDelivery:
    """A request that waits until its body is stored."""

    def __init__(self, read: Callable[[], bytes], token: KnownToken) -> None:
        self.read, self.token, self.received_at = read, token, datetime.now(UTC)
        self.raw, self.outcome = b"", False
        self.error: Exception | None = TimeoutError()
        # It moves on when the body is there: from then on counts how long the database takes.
        self.ends_at = time.monotonic() + settings.WEBHOOK_BODY_SECONDS
        # A bare lock, because it is the cheapest thing that can be waited for with a limit.
        self.answered = threading.Lock()
        self.answered.acquire()

    @property
    def body(self) -> StoredBody:
        return StoredBody(
            self.received_at, self.raw, self.token.slot.value, self.token.connection_id
        )


class Inbox:
    """Where requests bring their bodies. Without threads, in a view, the caller does the work."""

    def __init__(self, *, has_threads: bool = False, spool: Spool | None = None) -> None:
        self._has_threads, self._spool = has_threads, spool
        self._store_seconds = STORE_SECONDS_WITH_FILES if spool else STORE_SECONDS
        self.connection = connections["default"]
        if has_threads:
            # On SQLite `_store` waits instead.
            self.connection = own_connection(sqlite={"timeout": 0}, postgresql=POSTGRES_OPTIONS)
            self.connection.inc_thread_sharing()
        # None until they were read once. While the database is away, the last known ones count.
        self.tokens: TokenTable | None = None
        self._queue: SimpleQueue[PendingDelivery] = SimpleQueue()
        self._at_the_queue = threading.Lock()
        self._read: deque[PendingDelivery] = deque()
        self._store_read = SingleFlight(self._store)
        self._is_new = threading.Event()
        self._uncounted: deque[Counted] = deque()
        self._counts: Counter[Counted] = Counter()

    def take(self, read: Callable[[], bytes], *, token: KnownToken) -> bool:
        """Return whether the body is stored. Raises what the reading raises, or `TimeoutError`.

        It is read in another thread, because the server's own reading knows no time limit. The
        answer after a `TimeoutError` closes the connection, and that ends the reading.
        """
        pending = PendingDelivery(read, token)
        if not self._has_threads:
            self._process(pending)
        else:
            self._queue.put(pending)
            if not pending.answered.acquire(timeout=OVERDUE):
                threading.Thread(target=self._work, daemon=True, name="webhooks-inbox").start()
                while (left := pending.ends_at - time.monotonic()) > 0:
                    if pending.answered.acquire(timeout=min(left, self._store_seconds)):
                        break
        if pending.error:
            raise pending.error
        if pending.outcome:
            self._uncounted.append(token)
            self._is_new.set()
        return pending.outcome

    def count(self, what: What) -> None:
        """Count what gets no row."""
        self._uncounted.append(CountKey(what.value, hour_of(datetime.now(UTC))))

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
            pending.raw = pending.read()
            pending.error, pending.ends_at = None, time.monotonic() + self._store_seconds
            self._read.append(pending)
        except Exception as error:  # whatever it was, the request waits for it
            pending.error = error
            pending.answered.release()
        if self._queue.empty():
            self._store_read()

    def _store(self) -> None:
        """Store what was read. Try again while SQLite is locked, or once on a fresh connection.

        SQLite itself would sleep longer and longer, and two busy web processes then starve each
        other. A try that did commit and could not say so leaves a second row, which is harmless.
        """
        waiting = self._take_read()
        ends_at = time.monotonic() + LOCK_TIMEOUT
        may_be_dead = self.connection.connection is not None
        is_stored = not waiting
        while not is_stored:
            try:
                insert([one.body for one in waiting])
                is_stored = True
            # Whatever it was: without an answer every delivery would be refused from then on.
            except Exception as error:
                is_locked = "database is locked" in str(error)
                if not is_locked:
                    self.connection.close()
                if time.monotonic() > ends_at or not (is_locked or may_be_dead):
                    waiting += self._take_read()  # their turn at the lock would come too late
                    is_stored = self._keep(waiting, error)
                    break
                may_be_dead = may_be_dead and is_locked
                time.sleep(0.001)
        for pending in waiting:
            pending.outcome = is_stored
            pending.answered.release()

    def _take_read(self) -> list[PendingDelivery]:
        """Take what was read and whose sender still waits."""
        read = [self._read.popleft() for _ in range(len(self._read))]
        return [one for one in read if one.ends_at > time.monotonic()]

    def _keep(self, waiting: list[PendingDelivery], error: Exception) -> bool:
        """Return whether they are in a file. What breaks a rule of the tables would stay there."""
        logger.warning("deliveries cannot be stored: %s", type(error).__name__)
        if self._spool is None or isinstance(error, IntegrityError):
            return False
        return self._spool.keep(one.body for one in waiting)

    def run(self) -> None:
        """Follow up for ever, in a thread with a connection of its own."""
        connections["default"] = own_connection(sqlite={"timeout": 1}, postgresql=POSTGRES_OPTIONS)
        refreshed_at, turns = float("-inf"), count()
        while True:
            self.follow_up()
            if time.monotonic() > refreshed_at + REREAD:
                refreshed_at = time.monotonic()
                self.refresh(is_flushing=next(turns) % FLUSH_EACH == 0)
            self.store_kept()
            time.sleep(NOTIFY_INTERVAL)
            self._is_new.wait(REREAD)

    def store_kept(self) -> None:
        """Store what waits in files, and go on with the next turn if it cannot be stored yet."""
        try:
            if self._spool and self._spool.empty_into(insert):
                self._is_new.set()
        except Exception as error:  # whatever it was: the files stay
            logger.warning("kept deliveries have to wait: %s", type(error).__name__)
            release_connection()

    def follow_up(self) -> None:
        """Wake a worker. It may fail, which is counted: the sweep finds the rows without it."""
        if not self._is_new.is_set():
            return
        self._is_new.clear()
        try:
            route.apply_async(expires=NOTIFICATION_EXPIRES)
        # Kombu lets through whatever the broker's own library raises.
        except Exception as error:
            logger.warning("no worker was notified; the sweep will: %s", type(error).__name__)
            self.count(What.NOT_NOTIFIED)

    def refresh(self, *, is_flushing: bool = True) -> None:
        """Read the tokens; write which were used, and the counts, or keep them for later."""
        self._counts.update(self._uncounted.popleft() for _ in range(len(self._uncounted)))
        try:
            self.tokens = TokenTable.read()
            if self._counts and is_flushing:
                flush_counts(self._counts)
                self._counts.clear()
        except Exception as error:  # whatever it was: the next time may be better
            logger.warning("tokens or counts have to wait: %s", type(error).__name__)
            release_connection()


def insert(bodies: list[StoredBody]) -> None:
    """One statement in autocommit mode: when it returns, all of the rows are on the disk."""
    connection = connections["default"]
    values: list[Any] = []
    for one in bodies:
        at = connection.ops.adapt_datetimefield_value(one.received_at)
        values += (at, one.raw, len(one.raw), one.slot, one.connection_id)
    marks = ", ".join(["(%s, %s, %s, %s, %s)"] * len(bodies))
    with connection.cursor() as cursor:
        cursor.execute(f"{INSERT} VALUES {marks}", values)


def flush_counts(noted: Counter[Counted]) -> None:
    """Add to the hourly counts and record which tokens were used, in one transaction."""
    used = {(one.connection_id, one.slot) for one in noted if isinstance(one, KnownToken)}
    with transaction.atomic():
        HourlyCount.objects.add((e, n) for e, n in noted.items() if isinstance(e, CountKey))
        for connection_id, slot in sorted(used):
            Connection(pk=connection_id).note_webhook_use(slot, at=datetime.now(UTC))


@cache
def inbox_of_process() -> Inbox:
    """The one of a web process, with its threads and with tokens before the first event."""
    started = Inbox(has_threads=True, spool=Spool.beside_sqlite())
    started.refresh()
    release_connection()
    threading.Thread(target=started.run, daemon=True, name="webhooks-follow-up").start()
    return started
