"""SSRF guard: sockets and urllib3 pools that connect to public addresses only.

The address is checked for the very socket that is opened, because a name that was public when it
was typed may resolve to a private address when it is used (DNS rebinding).
"""

import socket
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from partner.http import addresses


def guarded_socket(host: str, port: int, *, timeout: Any, options: Any) -> socket.socket:
    """Resolve, check and connect in one step, so that no second lookup can change the address."""
    fault: OSError | None = None
    for address in addresses.resolve(host, port=port):
        try:
            opened = socket.create_connection((address, port), timeout=timeout)
        except OSError as failed:
            fault = failed
            continue
        for option in options or ():
            opened.setsockopt(*option)
        return opened
    raise fault or OSError("no address")


class _Guarded(HTTPConnection):
    """Connects to checked addresses only; the name stays for TLS and the Host header."""

    def _new_conn(self) -> socket.socket:
        try:
            return guarded_socket(
                self._dns_host, self.port, timeout=self.timeout, options=self.socket_options
            )
        except socket.gaierror as fault:
            raise NameResolutionError(self.host, self, fault) from fault
        except TimeoutError as fault:
            raise ConnectTimeoutError(self, "connection timed out") from fault
        except OSError as fault:
            raise NewConnectionError(self, "connection failed") from fault


class GuardedHTTPConnection(_Guarded):
    pass


class GuardedHTTPSConnection(_Guarded, HTTPSConnection):
    pass


class GuardedHTTPPool(urllib3.HTTPConnectionPool):
    ConnectionCls = GuardedHTTPConnection


class GuardedHTTPSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = GuardedHTTPSConnection


POOLS = {"http": GuardedHTTPPool, "https": GuardedHTTPSPool}
NEVER_CONNECTED = (NewConnectionError, ConnectTimeoutError, NameResolutionError)
