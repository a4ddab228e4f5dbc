"""The webhook receiver: check the token, read the body, commit the row, answer 200.

A WSGI program beside Django's: without middleware no delivery can end in a redirect, a refused host
or a session, and nothing is parsed before it is stored. After one 200 an event is never sent again
(contract, "Receiver obligations"), so 200 means committed; every fault that a second delivery could
mend gets another status.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from prometheus_client import Counter

from partner.models.webhook_tokens import KnownToken
from webhooks.events import is_object
from webhooks.inbox import Inbox, ReceiverBackend, TokensUnknown
from webhooks.models import HourlyCount

PATHS = frozenset({"/webhooks/partner/", "/webhooks/partner"})
MOST_BYTES = 64 * 1024
LONGEST_TOKEN = 512
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
ANSWERS = Counter("couvert_webhook_answers", "Answers of the receiver, by status", ["status"])


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

inbox = cache(Inbox)  # the one of this process, with its threads


def receive(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """The WSGI program: config/wsgi.py calls it for `PATHS`."""
    answer = judge(environ, backend=inbox())
    ANSWERS.labels(answer.status[:3]).inc()
    start_response(answer.status, answer.headers)
    return [answer.body]


@csrf_exempt
@login_not_required
def view(request: HttpRequest) -> HttpResponse:
    """The same for what serves Django alone, a test client for instance."""
    answer = judge(request.META, backend=ReceiverBackend())
    status = int(answer.status.split(" ", 1)[0])
    return HttpResponse(answer.body, status=status, headers=dict(answer.headers))


def judge(environ: Environ, *, backend: ReceiverBackend) -> ReceiverAnswer:
    """Answer one request. The token is checked first: without it the answer reveals nothing."""
    try:
        token = _token(environ, backend=backend)
        if token is None:
            return _refused(backend, NOT_FOUND, HourlyCount.What.WRONG_TOKEN)
        if environ["REQUEST_METHOD"] != "POST":
            return NOT_POST
        if backend.take(partial(_read, environ), token=token):
            backend.notify(token)
            return RECEIVED
    except _Oversize:
        return _refused(backend, OVERSIZE, HourlyCount.What.OVERSIZE)
    except OSError:  # a connection that was lost; a TimeoutError is one too
        return _refused(backend, INCOMPLETE, HourlyCount.What.INCOMPLETE)
    except TokensUnknown:
        pass
    return _refused(backend, UNAVAILABLE, HourlyCount.What.UNAVAILABLE)


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
    """Return the whole body. Counts bytes instead of trusting the length."""
    declared = environ.get("CONTENT_LENGTH")
    # Without a length a body may still come in chunks. The server ends a broken one as it ends a
    # whole one; but no beginning of a JSON object is a JSON object itself.
    length = int(declared) if declared else None if environ.get("wsgi.input_terminated") else 0
    if length is not None and length > MOST_BYTES:
        raise _Oversize
    raw = bytes(environ["wsgi.input"].read(MOST_BYTES + 1 if length is None else length))
    if len(raw) > MOST_BYTES:
        raise _Oversize
    if not (is_object(raw) if length is None else len(raw) == length):
        raise OSError("the body is incomplete")
    return raw


class _Oversize(Exception):
    """The body is larger than `MOST_BYTES`."""


def _refused(
    backend: ReceiverBackend, answer: ReceiverAnswer, what: HourlyCount.What
) -> ReceiverAnswer:
    backend.count(what)
    return answer
