"""Keep-alive HTTP/1.1 connection pool that refuses private addresses.

`http.client` rather than urllib3 on this path: the same call at three fifths of the processor
time (docs/partner.md). What a pool of urllib3 adds is what a call to the partner must not have:
retries, redirects, proxies.
"""

import select
import socket
import ssl
import weakref
from functools import lru_cache
from http.client import HTTPS_PORT, HTTPConnection
from urllib.parse import urlsplit

from partner.http import addresses
from partner.http.ssrf_guard import guarded_socket

CONNECT_TIMEOUT = 3.0
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
