"""The only place that sends anything to the partner: one method, no retry, no redirect.

Everything leaves through libcurl: API calls, push messages, and the token request that
requests-oauthlib writes (`partner/auth/token_host.py`). libcurl brings kept connections, TLS, time
limits and decompression. Two things that it would do by itself are taken from it here: it resolves
no name (`addresses.py` does, and libcurl connects to what was checked there and to nothing else),
and it never sends a request a second time when a kept connection breaks.
"""

import math
import select
import ssl
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

import certifi
import pycurl

from lib.database.own_connection import release_connection
from partner.auth import token_host
from partner.clock import SYSTEM, Clock
from partner.http import addresses
from partner.http.protocol import Lost, NotConnected, Request, Response, TooLarge

__all__ = ["READ_TIMEOUT", "Lost", "NotConnected", "PooledTransport", "TooLarge", "Transport"]

CONNECT_TIMEOUT = 6.0  # for all addresses of a name, and TLS
READ_TIMEOUT = 15.0
TOTAL_TIMEOUT = 25.0
# A page of 10,000 identifiers is 0.4 MB. Anything near this cap is not an answer of this API.
BODY_CAP = 20 * 1024 * 1024

OPTIONS: Mapping[int, Any] = {
    pycurl.NOSIGNAL: 1,  # signals belong to the main thread
    pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
    pycurl.PROXY: "",  # none of the machine's either
    pycurl.FOLLOWLOCATION: 0,
    pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_1_1,
    pycurl.ACCEPT_ENCODING: "gzip",
    pycurl.PATH_AS_IS: 1,
    pycurl.CONNECTTIMEOUT_MS: round(CONNECT_TIMEOUT * 1000),
    pycurl.LOW_SPEED_LIMIT: 1,
}


class CurlHandle:
    """A curl handle for one base address; used by one thread at a time.

    Its name is looked up here, once: a connection that is opened later leads to the same addresses.
    """

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(addresses.check_address(base_url))
        host = _ascii(parts.hostname or "")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        netloc = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._base = f"{parts.scheme}://{netloc}{parts.path}"
        self._curl = pycurl.Curl()
        self._configure()
        # Whatever name a URL had, it would lead there.
        self._curl.setopt(
            pycurl.RESOLVE, [f"*:{port}:{','.join(addresses.resolve(host, port=port))}"]
        )
        self._reset()

    def _configure(self) -> None:
        for option, value in {**OPTIONS, **_trust()}.items():
            self._curl.setopt(option, value)
        self._curl.setopt(pycurl.SOCKOPTFUNCTION, self._allow_to_connect)
        self._curl.setopt(pycurl.PREREQFUNCTION, self._allow_once)
        self._curl.setopt(pycurl.HEADERFUNCTION, self._receive_header)
        self._curl.setopt(pycurl.WRITEFUNCTION, self._receive_body)

    def _reset(self) -> None:
        self._is_sent = False
        self._fault: Exception | None = None
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []
        self._total = 0

    def exchange(
        self, request: Request, *, headers: Mapping[str, str], read_timeout: float, now: datetime
    ) -> Response:
        """Send once and read the whole answer. After a fault the handle must be closed."""
        self._reset()
        self._prepare(request, headers=headers, read_timeout=read_timeout)
        try:
            self._curl.perform()
        except pycurl.error as error:
            raise self._reason(error) from error
        status = self._curl.getinfo(pycurl.RESPONSE_CODE)
        return Response(status, self._headers, b"".join(self._pieces), now)

    def was_ended(self) -> bool:
        """Return whether the peer closed the kept connection, or sent bytes without a request.

        libcurl looks only once a second. A write must not be sent where no answer can come.
        """
        descriptor = self._curl.getinfo(pycurl.ACTIVESOCKET)
        if descriptor == pycurl.SOCKET_BAD:
            return True
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._curl.close()

    def _prepare(
        self, request: Request, *, headers: Mapping[str, str], read_timeout: float
    ) -> None:
        curl = self._curl
        curl.setopt(pycurl.URL, self._base + request.path)
        if request.is_write:
            curl.setopt(pycurl.POSTFIELDS, request.body or b"")
        else:
            curl.setopt(pycurl.HTTPGET, 1)
        curl.setopt(pycurl.CUSTOMREQUEST, request.method)
        curl.setopt(pycurl.HTTPHEADER, _lines(headers))
        curl.setopt(pycurl.TIMEOUT_MS, round(TOTAL_TIMEOUT * 1000))
        curl.setopt(pycurl.LOW_SPEED_TIME, math.ceil(read_timeout))  # silence, in whole seconds

    def _reason(self, error: pycurl.error) -> Exception:
        name = f"curl {error.args[0]}"
        if self._fault:
            return self._fault
        return Lost(name) if self._is_sent else NotConnected(name)

    # --- Called by libcurl --------------------------------------------------------------------

    def _allow_to_connect(self, _socket: int, _purpose: int) -> int:
        """None for a second request, see `_allow_once`."""
        return pycurl.SOCKOPT_ERROR if self._is_sent else pycurl.SOCKOPT_OK

    def _allow_once(self, *_addresses: Any) -> int:
        """Abort what would be a second request: libcurl repeats one that got no answer."""
        if self._is_sent:
            return pycurl.PREREQFUNC_ABORT
        self._is_sent = True
        return pycurl.PREREQFUNC_OK

    def _receive_header(self, line: bytes) -> None:
        name, colon, value = line.decode("latin-1").partition(":")
        if colon:
            self._headers[name.lower()] = value.strip()
        elif name.startswith("HTTP/"):  # an interim answer came before this one
            self._headers = {}

    def _receive_body(self, piece: bytes) -> int | None:
        self._total += len(piece)
        if self._total > BODY_CAP:
            self._fault = TooLarge()
            return 0
        self._pieces.append(piece)
        return None


class Transport(Protocol):
    """Interface of a transport. Tests use `partner.testing.FakeTransport`."""

    @property
    def clock(self) -> Clock: ...

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response: ...

    def request_token(self, credentials: token_host.ClientCredentials) -> token_host.Granted: ...


class PooledTransport:
    """The curl handles of a process that are not in use, by base address."""

    def __init__(self, *, clock: Clock = SYSTEM) -> None:
        self.clock = clock
        self._idle: dict[str, list[CurlHandle]] = defaultdict(list)

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response:
        """Send once and read the whole answer, within `TOTAL_TIMEOUT`."""
        release_connection()
        now = self.clock.now()
        handle = self._take(base_url)
        try:
            response = handle.exchange(request, headers=headers, read_timeout=read_timeout, now=now)
        except BaseException:
            handle.close()  # what is left unread must not become the next call's answer
            raise
        self._idle[base_url].append(handle)
        return response

    def request_token(self, credentials: token_host.ClientCredentials) -> token_host.Granted:
        return token_host.request_token(credentials, send=self.send)

    def _take(self, base_url: str) -> CurlHandle:
        idle = self._idle[base_url]
        with suppress(IndexError):  # none is left
            while (handle := idle.pop()).was_ended():
                handle.close()
            return handle
        try:
            return CurlHandle(base_url)
        except (OSError, UnicodeError) as fault:  # a name that cannot be resolved
            raise NotConnected(type(fault).__name__) from fault


def _ascii(host: str) -> str:
    return host if host.isascii() else host.encode("idna").decode()


def _lines(headers: Mapping[str, str]) -> list[bytes]:
    """Headers as libcurl takes them: one without a value is one that it must not add."""
    lines = [f"{name}: {value}" for name, value in headers.items()]
    if any(not line.isprintable() for line in lines):
        raise ValueError("a header with a line break")
    return [line.encode("latin-1") for line in (*lines, *_unwanted(headers))]


def _unwanted(headers: Mapping[str, str]) -> list[str]:
    return [f"{name}:" for name in ("Expect", "Content-Type") if name not in headers]


def _trust() -> dict[int, str]:
    """Trust the authorities that Python's own TLS trusts, or those of certifi where it finds none.

    A folder is read as needed; a single file costs 1 MiB for each connection that stays open.
    """
    paths = ssl.get_default_verify_paths()
    known = {pycurl.CAINFO: paths.cafile, pycurl.CAPATH: paths.capath}
    found = {option: path for option, path in known.items() if path}
    return found or {pycurl.CAINFO: certifi.where()}
