"""Clients that connect and do not send: neither the receiver nor the probes may wait for them."""

import json
import resource
import selectors
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import pytest

from tests.faults.installation import Installation, open_installation

pytestmark = pytest.mark.faults

HEADER_SECONDS = 10  # in the Procfile
# A busy machine; before, nothing was answered for 400 s.
QUICK_SECONDS = 2
ROUNDS = 10
OPEN_FILES = 4000
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: couvert.example.org\r\nX-Slow: "
# With the cookie of a visitor: without one a form is refused before its body is read.
HALF_A_FORM = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
    b"Cookie: csrf=tttttttttttttttttttttttttttttttt\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin="
)
HALF_AN_EVENT = b"POST /webhooks/partner/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with many_open_files(), open_installation(seed=9, processes=(), web_workers=2) as running:
        running.collect_static()
        running.begin(("web",))
        yield running


@contextmanager
def many_open_files() -> Iterator[None]:
    """The attack's own sockets. Fails where the machine does not allow that many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard == resource.RLIM_INFINITY or hard >= OPEN_FILES, (
        f"This attack opens {OPEN_FILES} files, and `ulimit -Hn` allows {hard}."
    )
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, OPEN_FILES), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_idle_connections_and_slow_heads_hold_up_nobody(installation):
    """1,200 connections without a byte and 1,200 with half a head, all from one address."""
    with attackers(installation, [b""] * 1200 + [HALF_A_HEAD] * 1200) as sockets:
        assert answers(installation, meanwhile=drip(sockets[1200:])) == ALL_WELL
        assert sign_in_page(installation) == 200
        assert ended(sockets, within=HEADER_SECONDS + 5) == 2400


def test_half_sent_forms_hold_up_nobody(installation):
    with attackers(installation, [HALF_A_FORM] * 420):
        assert answers(installation) == ALL_WELL
        # Nor those who only look at pages.
        assert sign_in_page(installation) == 200
    assert comes_back(installation)


def test_bodies_in_drops_hold_up_nobody(installation):
    """To the sign-in page, and to the receiver without its token."""
    with attackers(installation, [HALF_A_FORM] * 420 + [HALF_AN_EVENT] * 420) as sockets:
        assert answers(installation, meanwhile=drip(sockets)) == ALL_WELL
    assert comes_back(installation)


@contextmanager
def attackers(installation: Installation, beginnings: list[bytes]) -> Iterator[list[socket.socket]]:
    port = int(installation.environment["WEB_PORT"])
    with ExitStack() as stack:
        sockets = []
        for beginning in beginnings:
            wire = socket.create_connection(("127.0.0.1", port), timeout=10)
            sockets.append(stack.enter_context(wire))
            wire.sendall(beginning)
        yield sockets


def drip(sockets: Sequence[socket.socket]) -> Callable[[], None]:
    """One byte more for each. Those that were closed already have no more to send."""

    def send() -> None:
        for wire in sockets:
            try:
                wire.sendall(b"x")
            except OSError:
                continue

    return send


def ended(sockets: Sequence[socket.socket], *, within: float) -> int:
    """Count those that the server closed in time."""
    ends = time.monotonic() + within
    open_ones = {wire.fileno(): wire for wire in sockets}
    with selectors.DefaultSelector() as selector:
        for wire in sockets:
            selector.register(wire, selectors.EVENT_READ)
        while open_ones and time.monotonic() < ends:
            for key, _events in selector.select(timeout=1):
                if not received(open_ones[key.fd]):
                    selector.unregister(key.fd)
                    del open_ones[key.fd]
    return len(sockets) - len(open_ones)


def received(wire: socket.socket) -> bytes:
    try:
        return wire.recv(65536)
    except OSError:
        return b""


EVENT = json.dumps({"entityType": "reservation", "eventType": "reservationUpdated", "uuid": "x"})
ALL_WELL = {"live": {200}, "ready": {200}, "event": {200}}


def answers(
    installation: Installation, *, meanwhile: Callable[[], None] = lambda: None
) -> dict[str, set[int]]:
    """The different answers to several rounds of probes and events; 0 for one that was late."""
    base = installation.environment["PUBLIC_URL"]
    requests = {
        "live": (f"{base}/health/live", None),
        "ready": (f"{base}/health/ready", None),
        "event": (installation.webhook_url, EVENT.encode()),
    }
    found: dict[str, set[int]] = {name: set() for name in requests}
    for _ in range(ROUNDS):
        for name, (url, body) in requests.items():
            found[name].add(status(url, body))
        meanwhile()
    return found


def sign_in_page(installation: Installation) -> int:
    return status(f"{installation.environment['PUBLIC_URL']}/accounts/login/")


def sign_in(installation: Installation) -> int:
    """A form as a browser sends it, with the token of the page."""
    base = f"{installation.environment['PUBLIC_URL']}/accounts/login/"
    token = "t" * 32
    form = f"csrfmiddlewaretoken={token}&login=nobody@example.org&password=wrong"
    return status(base, form.encode(), Cookie=f"csrf={token}", Referer=base)


def comes_back(installation: Installation) -> bool:
    """Forms are taken again once the connections are gone: at once, on a busy machine soon."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        if sign_in(installation) == 200:
            return True
        time.sleep(0.1)
    return False


def status(url: str, body: bytes | None = None, **headers: str) -> int:
    request = urllib.request.Request(url, data=body, headers=headers)  # noqa: S310  # our own
    try:
        with urllib.request.urlopen(request, timeout=QUICK_SECONDS) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code
    except OSError:
        return 0
