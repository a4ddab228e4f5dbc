"""The only place that opens a socket to the partner: one method, no retry, no redirect.

urllib3 rather than requests on this path: the same pool underneath at less than half the
processor time per call (docs/performance.md). requests-oauthlib asks for tokens
(`partner/token_host.py`) through the same guarded connections.
"""

import threading
from datetime import datetime
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit

import urllib3
from django.conf import settings
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    SSLError,
)

from partner import addresses, token_host
from partner.clock import SYSTEM, Clock
from partner.guard import GuardedHTTPPool, GuardedHTTPSPool
from partner.protocol import Request, Response

CONNECT_TIMEOUT = 3.0
READ_TIMEOUT = 15.0
TOTAL_TIMEOUT = 25.0
# A page of 10,000 identifiers is 0.4 MB. Anything near this cap is not an answer of this API.
BODY_CAP = 20 * 1024 * 1024
CHUNK = 256 * 1024
# At least as many kept connections as a process has worker threads.
POOL_SIZE = 64


class NotConnected(Exception):
    """Nothing left: the name, the address, the connection or the certificate failed."""


class Lost(Exception):
    """It left, and no whole answer came back."""


class TooLarge(Exception):
    """The answer is larger than any answer of this API."""


class Transport(Protocol):
    """What the client needs of the outside world. Tests bring their own (`partner.testing`)."""

    @property
    def clock(self) -> Clock: ...

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response: ...

    def ask_for_token(self, asking: token_host.Asking) -> token_host.Granted: ...


@lru_cache(maxsize=1)
def user_agent() -> str:
    return f"Couvert/{settings.VERSION} (+{settings.PARTNER_CONTACT})"


class PooledTransport:
    """Kept connections to every base address, shared by the threads of a process."""

    def __init__(self, *, clock: Clock = SYSTEM) -> None:
        self.clock = clock
        self._pools: dict[str, tuple[urllib3.HTTPConnectionPool, str]] = {}
        self._lock = threading.Lock()

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response:
        """Send once and read the whole answer, within `TOTAL_TIMEOUT`."""
        pool, prefix = self._pool(base_url)
        started_at, started = self.clock.now(), self.clock.uptime()
        try:
            answer = pool.urlopen(
                request.method,
                prefix + request.path,
                body=request.body,
                headers=headers,
                timeout=urllib3.Timeout(connect=CONNECT_TIMEOUT, read=read_timeout),
                retries=False,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
            )
            body = self._read(answer, give_up_at=started + TOTAL_TIMEOUT)
        except addresses.AddressRefused:
            raise
        except (NewConnectionError, ConnectTimeoutError, NameResolutionError, SSLError) as fault:
            raise NotConnected(type(fault).__name__) from fault
        except (HTTPError, OSError) as fault:
            raise Lost(type(fault).__name__) from fault
        return _response(answer, body, started_at=started_at)

    def ask_for_token(self, asking: token_host.Asking) -> token_host.Granted:
        return token_host.ask(asking)

    def _read(self, answer: urllib3.BaseHTTPResponse, *, give_up_at: float) -> bytes:
        """Read piece by piece: a body that drips for ever must not hold a worker for ever."""
        pieces, total = [], 0
        try:
            while piece := answer.read1(CHUNK, decode_content=True):
                pieces.append(piece)
                total += len(piece)
                if total > BODY_CAP:
                    raise TooLarge
                if self.clock.uptime() > give_up_at:
                    raise Lost("too slow")
        except BaseException:
            answer.close()  # what is left unread must not become the next call's answer
            raise
        answer.release_conn()
        return b"".join(pieces)

    def _pool(self, base_url: str) -> tuple[urllib3.HTTPConnectionPool, str]:
        found = self._pools.get(base_url)
        if found is None:
            with self._lock:
                found = self._pools.setdefault(base_url, _open_pool(base_url))
        return found


def _open_pool(base_url: str) -> tuple[urllib3.HTTPConnectionPool, str]:
    parts = urlsplit(addresses.check_address(base_url))
    make = GuardedHTTPSPool if parts.scheme == "https" else GuardedHTTPPool
    pool = make(parts.hostname or "", parts.port, maxsize=POOL_SIZE, block=False)
    return pool, parts.path


def _response(answer: urllib3.BaseHTTPResponse, body: bytes, *, started_at: datetime) -> Response:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Response(status=answer.status, headers=headers, body=body, started_at=started_at)
