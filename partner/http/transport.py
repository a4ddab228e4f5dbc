"""The only place that opens a socket to the partner: one method, no retry, no redirect.

Tokens are requested with requests-oauthlib (`partner/auth/token_host.py`), through guarded sockets
too.
"""

import threading
import zlib
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Protocol

from partner.auth import token_host
from partner.clock import SYSTEM, Clock
from partner.http import addresses
from partner.http.pool import ConnectionPool, HttpConnection
from partner.http.protocol import Request, Response

READ_TIMEOUT = 15.0
TOTAL_TIMEOUT = 25.0
# A page of 10,000 identifiers is 0.4 MB. Anything near this cap is not an answer of this API.
BODY_CAP = 20 * 1024 * 1024
CHUNK = 256 * 1024
GZIP = 16 + zlib.MAX_WBITS


class NotConnected(Exception):
    """Nothing was sent: the name, the address, the connection or the certificate failed."""


class Lost(Exception):
    """The request was sent, and no whole answer came back."""


class TooLarge(Exception):
    """The answer is larger than any answer of this API."""


class Transport(Protocol):
    """Interface of a transport. Tests use `partner.testing.FakeTransport`."""

    @property
    def clock(self) -> Clock: ...

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response: ...

    def request_token(self, credentials: token_host.ClientCredentials) -> token_host.Granted: ...


class PooledTransport:
    """One connection pool per base address, shared by the threads of a process."""

    def __init__(self, *, clock: Clock = SYSTEM) -> None:
        self.clock = clock
        self._pools: dict[str, ConnectionPool] = {}
        self._lock = threading.Lock()

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response:
        """Send once and read the whole answer, within `TOTAL_TIMEOUT`."""
        pool = self._to(base_url)
        started_at, started = self.clock.now(), self.clock.uptime()
        try:
            connection = pool.take()
        except addresses.AddressRefused:
            raise
        except (OSError, UnicodeError) as fault:  # UnicodeError: a name that cannot be resolved
            raise NotConnected(type(fault).__name__) from fault
        try:
            if connection.sock.gettimeout() != read_timeout:  # setting it is a system call
                connection.sock.settimeout(read_timeout)
            answer = _request_once(connection, pool.prefix, request, headers)
            body = self._read(answer, give_up_at=started + TOTAL_TIMEOUT)
        except BaseException as fault:
            connection.close()  # what is left unread must not become the next call's answer
            if isinstance(fault, (HTTPException, OSError, zlib.error)):
                raise Lost(type(fault).__name__) from fault
            raise
        if not answer.will_close:
            pool.give_back(connection)
        named = {name.lower(): value for name, value in answer.getheaders()}
        return Response(status=answer.status, headers=named, body=body, started_at=started_at)

    def request_token(self, credentials: token_host.ClientCredentials) -> token_host.Granted:
        return token_host.request_token(credentials)

    def _read(self, answer: HTTPResponse, *, give_up_at: float) -> bytes:
        """Read in chunks with a total time limit, so that a slow body cannot hold a worker."""
        pieces, total = [], 0
        is_zipped = answer.getheader("Content-Encoding", "").lower() in ("gzip", "x-gzip")
        unzip = zlib.decompressobj(GZIP) if is_zipped else None
        while piece := answer.read1(CHUNK):
            if unzip:  # no further than the cap: a small body may hold an enormous one
                piece = unzip.decompress(piece, BODY_CAP + 1 - total)
            pieces.append(piece)
            total += len(piece)
            if total > BODY_CAP:
                raise TooLarge
            if self.clock.uptime() > give_up_at:
                raise Lost("too slow")
        if answer.length or (unzip and pieces and not unzip.eof):
            raise Lost("cut short")
        answer.close()
        return b"".join(pieces)

    def _to(self, base_url: str) -> ConnectionPool:
        found = self._pools.get(base_url)
        if found is None:
            with self._lock:
                found = self._pools.setdefault(base_url, ConnectionPool(base_url))
        return found


def _request_once(
    connection: HttpConnection, prefix: str, request: Request, headers: dict[str, str]
) -> HTTPResponse:
    with suppress(BrokenPipeError):  # a refusal may come before the whole request was sent
        connection.request(request.method, prefix + request.path, request.body, headers)
    return connection.getresponse()
