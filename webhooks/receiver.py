"""The webhook receiver: check the token, read the body, commit the row, answer 200.

A WSGI program beside Django's: without middleware no delivery can end in a redirect, a refused host
or a session, and nothing is parsed before it is stored. After one 200 an event is never sent again
(contract, "Receiver obligations"), so 200 means committed; every fault that a second delivery could
mend gets another status.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from prometheus_client import Counter

from webhooks.events import is_object
from webhooks.inbox import Inbox, inbox_of_process
from webhooks.models import HourlyCount

PATHS = frozenset({"/webhooks/partner/", "/webhooks/partner"})
MOST_BYTES = 64 * 1024
LONGEST_TOKEN = 512
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


def receive(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """The WSGI program: config/wsgi.py calls it for `PATHS`."""
    answer = judge(environ, inbox=inbox_of_process())
    ANSWERS.labels(answer.status[:3]).inc()
    start_response(answer.status, answer.headers)
    return [answer.body]


@csrf_exempt
@login_not_required
def view(request: HttpRequest) -> HttpResponse:
    """The same for what serves Django alone, a test client for instance."""
    own = Inbox(has_threads=False)
    answer = judge(request.META, inbox=own)
    own.flush()
    transaction.on_commit(own.follow_up)
    return HttpResponse(answer.body, status=int(answer.status[:3]), headers=dict(answer.headers))


def judge(environ: Environ, *, inbox: Inbox) -> ReceiverAnswer:
    """Answer one request, and count it if it leaves no row."""
    answer = _judge(environ, inbox)
    if answer.counted_as:
        inbox.count(answer.counted_as)
    return answer


def _judge(environ: Environ, inbox: Inbox) -> ReceiverAnswer:
    """The token is checked first: without it the answer reveals nothing."""
    tokens = inbox.tokens()
    if tokens is None:
        return UNAVAILABLE
    token = tokens.find(_given_token(environ))
    if token is None:
        return NOT_FOUND
    if environ["REQUEST_METHOD"] != "POST":
        return NOT_POST
    try:
        is_stored = inbox.take(partial(_read, environ), token=token)
    except _Oversize:
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
