"""Slow and greedy clients meet the proxy: nobody else waits, and Couvert hears nothing of them."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from tests.faults.installation import Installation, open_installation
from tests.faults.proxy import Proxy
from tests.faults.test_slow_clients import EVENT, QUICK_SECONDS, drip, ended, many_open_files

pytestmark = pytest.mark.faults

HEADER_SECONDS, SEND_SECONDS = 10, 20  # in the configuration
PEOPLE = 250  # requests under way from one address
# Loopback has many addresses: everybody else has 127.0.0.1.
SLOW, GREEDY = "127.0.0.66", "127.0.0.67"
ROUNDS = 10
HOST = b"Host: 127.0.0.1\r\n"
HALF_A_FORM = (
    b"POST /accounts/login/ HTTP/1.1\r\n" + HOST + b"Content-Length: 1000\r\n"
    b"Cookie: csrf=tttttttttttttttttttttttttttttttt\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin="
)
HALF_A_HEAD = b"GET / HTTP/1.1\r\n" + HOST + b"X-Slow: "
ALL_WELL = {"live": {200}, "ready": {200}, "event": {200}, "page": {200}, "form": {200}}


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with pytest.MonkeyPatch.context() as patch, many_open_files():
        patch.setenv("BEHIND_PROXY", "true")
        with open_installation(seed=15, processes=(), web_workers=2) as running:
            running.collect_static()
            running.begin(("web",))
            yield running


@pytest.fixture(scope="module")
def proxy(installation) -> Iterator[Proxy]:
    web_port = int(installation.environment["WEB_PORT"])
    with TemporaryDirectory(prefix="couvert-proxy-") as folder:
        Path(folder).chmod(0o755)  # nginx works as nobody
        proxy = Proxy(Path(folder), web_port=web_port)
        with proxy.running():
            yield proxy


def test_nginx_takes_the_configuration(proxy):
    assert proxy.check() == ""


def test_plain_http_leads_to_tls(proxy):
    wire = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=QUICK_SECONDS)
    with closing(wire):
        wire.request("GET", "/accounts/login/?next=/", headers={"Host": "couvert.example.org"})
        answer = wire.getresponse()
        found = answer.status, answer.headers["Location"]

    assert found == (301, "https://couvert.example.org/accounts/login/?next=/")


def test_slow_and_greedy_clients_hold_up_nobody(installation, proxy):
    """1,200 connections without a byte, 600 half heads and 240 clients that never read. And 420
    forms in drops from one address: what is beyond its share is refused at once.
    """
    file = b"GET " + largest_file(installation) + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    with ExitStack() as stack:
        deaf = [stack.enter_context(begun(proxy, file * 100, GREEDY)) for _ in range(240)]
        idle = [stack.enter_context(connected(proxy)) for _ in range(1200)]
        heads = [stack.enter_context(begun(proxy, HALF_A_HEAD)) for _ in range(600)]
        forms = [stack.enter_context(begun(proxy, HALF_A_FORM)) for _ in range(420)]
        feed = drip([*heads, *forms])

        assert answers(installation, proxy, meanwhile=feed) == ALL_WELL
        found = outcomes(forms, within=SEND_SECONDS)
        assert found.refused > 0
        assert found.under_way <= PEOPLE
        assert ended([*idle, *heads], within=HEADER_SECONDS + 5) == 1800
        assert are_let_go(deaf, within=SEND_SECONDS)
        assert answers(installation, proxy, meanwhile=feed) == ALL_WELL


def test_no_secret_of_an_address_is_written_down(installation, proxy):
    token = re.findall(r"token=([\w-]+)", installation.webhook_url)[0]
    installation.kill("web")
    try:
        assert status(proxy, "POST", event_path(installation), EVENT.encode()) == 502
    finally:
        installation.begin(("web",))

    written = [
        file.read_text(errors="replace") for file in proxy.folder.rglob("*") if file.is_file()
    ]
    assert not [text for text in written if token in text]


@contextmanager
def connected(proxy: Proxy, source: str = SLOW) -> Iterator[socket.socket]:
    address = ("127.0.0.1", proxy.port)
    with socket.create_connection(address, timeout=10, source_address=(source, 0)) as wire:
        yield wire


@contextmanager
def begun(proxy: Proxy, beginning: bytes, source: str = SLOW) -> Iterator[ssl.SSLSocket]:
    """A connection whose client has sent this much, and takes little."""
    with connected(proxy, source) as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with unverified().wrap_socket(plain) as wire:
            wire.sendall(beginning)
            yield wire


@cache
def unverified() -> ssl.SSLContext:
    """One for all: reading the authorities, of which none is used, costs more than a connection."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Outcomes(NamedTuple):
    refused: int  # with 429
    under_way: int


def outcomes(sockets: list[ssl.SSLSocket], *, within: float) -> Outcomes:
    """What became of these, once no more than their share are under way or the time is over.

    On a slow machine the first ones have ended before the last ones begin.
    """
    ends, left, refused = time.monotonic() + within, list(sockets), 0
    while len(left) > PEOPLE and time.monotonic() < ends:
        silent = []
        for wire in left:
            wire.settimeout(0.02)
            try:
                refused += wire.recv(12) == b"HTTP/1.1 429"
            except TimeoutError:
                silent.append(wire)
            except OSError:
                continue
        left = silent
    return Outcomes(refused, len(left))


def are_let_go(sockets: list[ssl.SSLSocket], *, within: float) -> bool:
    """Whether the proxy closed every one of these: a byte to it is refused then."""
    ends = time.monotonic() + within
    left = list(sockets)
    while left and time.monotonic() < ends:
        left = [wire for wire in left if is_open(wire)]
        time.sleep(0.2)
    return not left


def is_open(wire: ssl.SSLSocket) -> bool:
    return wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1) == b"\x01"  # ESTABLISHED


def largest_file(installation: Installation) -> bytes:
    folder = installation.folder / "static"
    files = (file for file in folder.rglob("*") if file.is_file())
    largest = max(files, key=lambda file: file.stat().st_size)
    return f"/static/{largest.relative_to(folder)}".encode()


def event_path(installation: Installation) -> str:
    return "/webhooks/" + installation.webhook_url.split("/webhooks/")[1]


def answers(
    installation: Installation, proxy: Proxy, *, meanwhile=lambda: None
) -> dict[str, set[int]]:
    """The different answers to several rounds from another address; 0 for one that was late."""
    form = f"csrfmiddlewaretoken={'t' * 32}&login=nobody@example.org&password=wrong".encode()
    requests = {
        "live": ("GET", "/health/live", b""),
        "ready": ("GET", "/health/ready", b""),
        "event": ("POST", event_path(installation), EVENT.encode()),
        "page": ("GET", "/accounts/login/", b""),
        "form": ("POST", "/accounts/password/reset/", form),
    }
    found: dict[str, set[int]] = {name: set() for name in requests}
    for _ in range(ROUNDS):
        for name, request in requests.items():
            found[name].add(status(proxy, *request))
        meanwhile()
    return found


def status(proxy: Proxy, method: str, path: str, body: bytes) -> int:
    wire = http.client.HTTPSConnection(
        "127.0.0.1", proxy.port, timeout=QUICK_SECONDS, context=unverified()
    )
    headers = {
        "Cookie": f"csrf={'t' * 32}",
        "Referer": f"https://127.0.0.1:{proxy.port}/",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with closing(wire):
        try:
            wire.request(method, path, body=body or None, headers=headers)
            return wire.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
