"""The only place that opens a socket to the partner: one method, no retry, no redirect.

Connections are kept alive in a pool and refuse private addresses. `http.client` rather than urllib3
on this path: the same call at three fifths of the processor time (docs/partner.md). What a pool of
urllib3 adds is what a call to the partner must not have: retries, redirects, proxies.

Tokens are requested with requests-oauthlib (`partner/auth/token_host.py`), through guarded sockets
too.
"""

import select
import socket
import ssl
import threading
import weakref
import zlib
from contextlib import suppress
from functools import lru_cache
from http.client import HTTPS_PORT, HTTPConnection, HTTPException, HTTPResponse
from typing import Protocol
from urllib.parse import urlsplit

from partner.auth import token_host
from partner.clock import SYSTEM, Clock
from partner.http import addresses
from partner.http.protocol import Request, Response
from partner.http.ssrf_guard import guarded_socket

CONNECT_TIMEOUT = 3.0
READ_TIMEOUT = 15.0
TOTAL_TIMEOUT = 25.0
# A page of 10,000 identifiers is 0.4 MB. Anything near this cap is not an answer of this API.
BODY_CAP = 20 * 1024 * 1024
CHUNK = 256 * 1024
GZIP = 16 + zlib.MAX_WBITS
# At least as many as a process has threads that fetch.
MOST_IDLE = 64
AT_ONCE = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


class HttpConnection(HTTPConnection):
    """Connects to checked addresses only; the name stays for TLS and the Host header."""

    sock: socket.socket

    def connect(self) -> None:
        self.sock = guarded_socket(self.host, self.port, timeout=CONNECT_TIMEOUT, options=AT_ONCE)


class HttpsConnection(HttpConnection):
    default_port = HTTPS_PORT

    def connect(self) -> None:
        super().connect()
        try:
            self.sock = _trust().wrap_socket(self.sock, server_hostname=self.host)
        except BaseException:
            self.close()
            raise


class ConnectionPool:
    """Idle connections of a process to one base address, shared by its threads."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(addresses.check_address(base_url))
        self.prefix = parts.path
        self._make = HttpsConnection if parts.scheme == "https" else HttpConnection
        self._host, self._port = parts.hostname or "", parts.port or self._make.default_port
        self._idle: list[HttpConnection] = []
        weakref.finalize(self, _close, self._idle)

    def take(self) -> HttpConnection:
        """Return a connection that is open. Raises what the socket, the name or TLS raises."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was quicker
                break
            if not _was_ended(connection):
                return connection
            connection.close()
        connection = self._make(self._host, self._port)
        connection.connect()
        return connection

    def give_back(self, connection: HttpConnection) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(connection)
        else:
            connection.close()


def _close(connections: list[HttpConnection]) -> None:
    for connection in connections:
        connection.close()


def _was_ended(connection: HttpConnection) -> bool:
    """Return whether the peer closed the connection, or sent bytes without a request."""
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(0))


@lru_cache(maxsize=1)
def _trust() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


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
