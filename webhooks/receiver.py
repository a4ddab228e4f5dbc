"""The webhook receiver: check the token, read the body, commit the row, answer 200.

A WSGI program beside Django's: without middleware no delivery can end in a redirect, a refused host
or a session, and nothing is parsed before it is stored. After one 200 an event is never sent again
(contract, "Receiver obligations"), so 200 means committed; every fault that a second delivery could
mend gets another status.
"""

import os
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qs

from django.conf import settings
from prometheus_client import Counter

from partner.models.webhook_tokens import KnownToken, TokenTable
from webhooks.events import is_object
from webhooks.inbox import Inbox, PendingDelivery, TokensUnknown
from webhooks.models import HourlyCount
from webhooks.worker_notifier import WorkerNotifier

PATHS = frozenset({"/webhooks/partner/", "/webhooks/partner"})
MOST_BYTES = 64 * 1024
LONGEST_TOKEN = 512
# Threads that read bodies. More than the server has, so that none waits behind a slow sender.
READERS = 256
JSON = ("Content-Type", "application/json")
# What middleware sets elsewhere: a browser that comes here makes no page of the answer.
BROWSER_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "private, no-store"),
]
if settings.SECURE_HSTS_SECONDS:
    hsts = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"
    BROWSER_HEADERS.append(("Strict-Transport-Security", hsts))

Environ = dict[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], object]


class ReceiverAnswer(NamedTuple):
    status: str
    body: bytes
    headers: list[tuple[str, str]]


def _answer(status: str, body: bytes, *headers: tuple[str, str]) -> ReceiverAnswer:
    length = ("Content-Length", str(len(body)))
    return ReceiverAnswer(status, body, [JSON, length, *BROWSER_HEADERS, *headers])


RECEIVED = _answer("200 OK", b'{"data": {}}')
INCOMPLETE = _answer("400 Bad Request", b'{"error": "the body is incomplete"}')
NOT_FOUND = _answer("404 Not Found", b'{"error": "not found"}')
NOT_POST = _answer("405 Method Not Allowed", b'{"error": "POST only"}', ("Allow", "POST"))
OVERSIZE = _answer("413 Content Too Large", b'{"error": "the body is larger than 64 KiB"}')
UNAVAILABLE = _answer("503 Service Unavailable", b'{"error": "not stored, send it again"}')


Read = Callable[[], bytes]


class ReceiverBackend(Protocol):
    """Where the receiver stores and counts: the threads of this process, or a view's request."""

    def tokens(self) -> TokenTable: ...
    def take(self, read: Read, *, token: KnownToken) -> bool: ...
    def notify(self, token: KnownToken) -> None: ...
    def count(self, what: HourlyCount.What) -> None: ...


class ThreadedBackend:
    """The backend of the running product. Whatever may block blocks one of its threads."""

    def __init__(self) -> None:
        self._inbox = Inbox()
        self._notifier = WorkerNotifier()
        self._readers = Readers(self._inbox)
        self._inbox.start()
        self._notifier.start()
        self.tokens = self._inbox.tokens
        self.notify, self.count = self._notifier.notify, self._notifier.count

    def take(self, read: Read, *, token: KnownToken) -> bool:
        """Have the body read and stored. Raises what the reading raised.

        In another thread, because the server's own reading knows no time limit; that thread
        hands the bytes to the inbox itself, so that this one is woken only once. The answer
        after a `TimeoutError` closes the connection, and that ends the other thread.
        """
        pending = PendingDelivery(token=token, patience=settings.WEBHOOK_BODY_SECONDS)
        self._readers.put(read, pending)
        if pending.wait():
            return True
        if pending.error is not None:
            raise pending.error
        if pending.raw is None:
            raise _Refused(INCOMPLETE, HourlyCount.What.INCOMPLETE)
        return False


class Readers:
    """Threads that read bodies, started on demand: a slow sender delays no other."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._waiting: SimpleQueue[tuple[Read, PendingDelivery]] = SimpleQueue()
        self._lock = Lock()
        self._open = 0  # put and not yet read
        self._started = 0

    def put(self, read: Read, pending: PendingDelivery) -> None:
        with self._lock:
            self._open += 1
            is_short = self._started < min(self._open, READERS)
            self._started += is_short
        self._waiting.put((read, pending))
        if is_short:
            Thread(target=self._work, daemon=True, name="webhooks-body").start()

    def _work(self) -> None:
        while True:
            read, pending = self._waiting.get()
            try:
                pending.fill(read())
            # Whatever it was, the request waits for it.
            except Exception as error:
                pending.answer(is_stored=False, error=error)
            else:
                self._inbox.put(pending)
            with self._lock:
                self._open -= 1


@lru_cache(maxsize=1)
def _backend_of(_pid: int) -> ThreadedBackend:
    return ThreadedBackend()


_starting = Lock()


def threaded_backend() -> ThreadedBackend:
    """Return the threads of this process; a forked child starts its own."""
    with _starting:
        return _backend_of(os.getpid())


ANSWERS = Counter("couvert_webhook_answers", "Answers of the receiver, by status", ["status"])


def receive(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """The WSGI program: config/wsgi.py calls it for `PATHS`."""
    answer = judge(environ, backend=threaded_backend())
    ANSWERS.labels(answer.status[:3]).inc()
    start_response(answer.status, answer.headers)
    return [answer.body]


def judge(environ: Environ, *, backend: ReceiverBackend) -> ReceiverAnswer:
    """Answer one request. The token is checked first: without it the answer reveals nothing."""
    try:
        token = _token(environ, backend=backend)
    except TokensUnknown:
        return _refused(backend, UNAVAILABLE, HourlyCount.What.UNAVAILABLE)
    if token is None:
        return _refused(backend, NOT_FOUND, HourlyCount.What.WRONG_TOKEN)
    if environ["REQUEST_METHOD"] != "POST":
        return NOT_POST
    try:
        is_stored = backend.take(partial(_read, environ), token=token)
    except _Refused as refused:
        return _refused(backend, *refused.args)
    if not is_stored:
        return _refused(backend, UNAVAILABLE, HourlyCount.What.UNAVAILABLE)
    backend.notify(token)
    return RECEIVED


def _token(environ: Environ, *, backend: ReceiverBackend) -> KnownToken | None:
    """Return which token came along. A missing, doubled or endless one costs the same work."""
    tokens = backend.tokens()
    # An address is no form: a + in a token that somebody chose stands for itself.
    query = environ.get("QUERY_STRING", "").replace("+", "%2B")
    try:
        given = parse_qs(query, max_num_fields=20).get("token", [])
    except ValueError:
        given = []
    return tokens.find(given[0] if len(given) == 1 and len(given[0]) <= LONGEST_TOKEN else "")


def _read(environ: Environ) -> bytes:
    """Return the whole body, or raise the answer. Counts bytes instead of trusting the length."""
    declared = environ.get("CONTENT_LENGTH")
    # Without a length a body may still come in chunks. The server ends a broken one as it ends a
    # whole one; but no beginning of a JSON object is a JSON object itself.
    length = int(declared) if declared else None if environ.get("wsgi.input_terminated") else 0
    if length is not None and length > MOST_BYTES:
        raise _Refused(OVERSIZE, HourlyCount.What.OVERSIZE)
    try:
        size = MOST_BYTES + 1 if length is None else length
        raw = bytes(environ["wsgi.input"].read(size))
    # A TimeoutError is one of them.
    except OSError as error:
        raise _Refused(INCOMPLETE, HourlyCount.What.INCOMPLETE) from error
    if len(raw) > MOST_BYTES:
        raise _Refused(OVERSIZE, HourlyCount.What.OVERSIZE)
    is_whole = is_object(raw) if length is None else len(raw) == length
    if not is_whole:
        raise _Refused(INCOMPLETE, HourlyCount.What.INCOMPLETE)
    return raw


class _Refused(Exception):
    """Carries the answer and what it is counted as."""


def _refused(
    backend: ReceiverBackend, answer: ReceiverAnswer, what: HourlyCount.What
) -> ReceiverAnswer:
    backend.count(what)
    return answer
