"""Reads request bodies whole before Django, and limits how many are read at once.

The server ends a body that was cut off as it ends a whole one: half a note would be saved. And its
reading knows no time limit, so that a half-sent form holds its thread until the sender is gone.
The proxy limits how long that may take (docs/deploy.md); this module limits how many there may be.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from threading import Condition
from typing import Any

from allauth.core.internal.httpkit import get_client_ip
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest

from config.requests.refusals import LARGEST_BYTES

# Bodies under way in one process, and from one address: an office has one. Browsers send forms
# whole, so that a place is free again soon: many forms at once wait for theirs, and only those of a
# sender who holds all places are refused.
BODIES = 32
BODIES_PER_ADDRESS = 8
PATIENCE_SECONDS = 1.0
WAITING = 64  # each holds a thread of the pages
PIECE_BYTES = 64 * 1024

Environ = dict[str, Any]


class BodyRefused(Exception):
    """Carries the status to answer."""


class BodyReader:
    """Reads bodies, and counts who sends them to this process."""

    def __init__(self) -> None:
        self._lock = Condition()
        self._open: Counter[str] = Counter()
        self._waiting = 0

    def read(self, environ: Environ) -> BytesIO:
        """Return the whole body, or raise `BodyRefused`."""
        with self._under_way(client_address(environ)):
            return read_whole(environ["wsgi.input"], length=body_length(environ))

    @contextmanager
    def _under_way(self, address: str) -> Iterator[None]:
        self._enter(address)
        try:
            yield
        finally:
            self._leave(address)

    def _enter(self, address: str) -> None:
        with self._lock:
            if not self._wait_for_place(address):
                raise BodyRefused("503 Service Unavailable")
            self._open[address] += 1

    def _wait_for_place(self, address: str) -> bool:
        if self._has_place(address):
            return True
        if self._waiting >= WAITING:
            return False
        self._waiting += 1
        try:
            return self._lock.wait_for(lambda: self._has_place(address), PATIENCE_SECONDS)
        finally:
            self._waiting -= 1

    def _has_place(self, address: str) -> bool:
        return self._open.total() < BODIES and self._open[address] < BODIES_PER_ADDRESS

    def _leave(self, address: str) -> None:
        with self._lock:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            self._lock.notify_all()


def read_whole(stream: Any, *, length: int) -> BytesIO:
    body = BytesIO()
    for start in range(0, length, PIECE_BYTES):
        size = min(PIECE_BYTES, length - start)
        piece = read_piece(stream, size)
        if len(piece) < size:
            raise BodyRefused("400 Bad Request")
        body.write(piece)
    body.seek(0)
    return body


def read_piece(stream: Any, size: int) -> bytes:
    """Return it, or less where the connection was lost."""
    try:
        return bytes(stream.read(size))
    except OSError:
        return b""


def body_length(environ: Environ) -> int:
    """Return what is worth reading: Django refuses longer ones, and takes none without a length."""
    text = environ.get("CONTENT_LENGTH") or "0"
    length = int(text) if text.isdecimal() and len(text) < 20 else 0
    return length if length <= LARGEST_BYTES else 0


def client_address(environ: Environ) -> str:
    """Return the visitor's address by the sign-in's rule: proxies of ours are believed."""
    request = HttpRequest()
    request.META = environ
    try:
        address = get_client_ip(request)
    except (ImproperlyConfigured, PermissionDenied):
        address = None
    return address or str(environ.get("REMOTE_ADDR", ""))
