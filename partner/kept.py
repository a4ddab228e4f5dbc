"""Kept connections to one base address: plain HTTP/1.1 over sockets that look where they go.

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

from partner import addresses
from partner.guard import guarded_socket

CONNECT_TIMEOUT = 3.0
# At least as many as a process has readers.
MOST_IDLE = 64
AT_ONCE = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


class Plain(HTTPConnection):
    """Connects to checked addresses only; the name stays for TLS and the Host header."""

    sock: socket.socket

    def connect(self) -> None:
        self.sock = guarded_socket(self.host, self.port, timeout=CONNECT_TIMEOUT, options=AT_ONCE)


class Secure(Plain):
    default_port = HTTPS_PORT

    def connect(self) -> None:
        super().connect()
        try:
            self.sock = _trust().wrap_socket(self.sock, server_hostname=self.host)
        except BaseException:
            self.close()
            raise


class Kept:
    """The connections of a process to one base address. Threads share them, one call at a time."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(addresses.check_address(base_url))
        self.prefix = parts.path
        self._make = Secure if parts.scheme == "https" else Plain
        self._host, self._port = parts.hostname or "", parts.port or self._make.default_port
        self._idle: list[Plain] = []
        weakref.finalize(self, _close, self._idle)

    def take(self) -> Plain:
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

    def give_back(self, connection: Plain) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(connection)
        else:
            connection.close()


def _close(connections: list[Plain]) -> None:
    for connection in connections:
        connection.close()


def _was_ended(connection: Plain) -> bool:
    """Say whether the other side hung up, or spoke without being asked."""
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(0))


@lru_cache(maxsize=1)
def _trust() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
