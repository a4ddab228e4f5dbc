"""The HTTP server itself, spoken to over raw sockets."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from partner_sandbox.http.message import SandboxRequest, SandboxResponse
from partner_sandbox.http.server import Server

PATIENCE = 10.0  # seconds for the first word; no test waits so long


def application(request: SandboxRequest) -> SandboxResponse:
    answers = {
        "/drop": SandboxResponse(drop=True),
        "/cut": SandboxResponse(body=b"0123456789", truncate=True),
        "/slow": SandboxResponse(body=b"012", trickle_ms=20),
    }
    echo = f"{request.method} {request.target} {request.body.decode()}"
    return answers.get(request.target) or SandboxResponse(
        body=echo.encode(), content_type="text/plain"
    )


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server("127.0.0.1", 0, application)
    threading.Thread(target=server.serve, daemon=True).start()
    yield server
    server.stop()


def talk(server: Server, data: bytes, *, wait: float = 0.3) -> bytes:
    """Send, and read until the server hangs up or, once it spoke, says nothing for a while."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(data)
        heard = b""
        try:
            while part := connection.recv(65536):
                heard += part
                connection.settimeout(wait)
        except TimeoutError:
            pass
        return heard


def test_it_works(server: Server) -> None:
    heard = talk(server, b"GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n")

    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")
    assert heard.endswith(b"\r\n\r\nGET /a?b=c ")


def test_a_connection_carries_many_requests(server: Server) -> None:
    one = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"

    heard = talk(server, one + b"ab" + one + b"cd")

    assert b"POST / ab" in heard
    assert b"POST / cd" in heard


def test_a_chunked_body_is_put_together(server: Server) -> None:
    heard = talk(
        server,
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
    )

    assert heard.endswith(b"POST / abcde")


def test_expect_100_is_answered(server: Server) -> None:
    heard = talk(server, b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na")

    assert heard.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")


def test_head_has_no_body(server: Server) -> None:
    assert talk(server, b"HEAD / HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n")


def test_a_drop_says_nothing(server: Server) -> None:
    assert talk(server, b"GET /drop HTTP/1.1\r\n\r\n") == b""


def test_a_cut_body_is_shorter_than_promised(server: Server) -> None:
    heard = talk(server, b"GET /cut HTTP/1.1\r\n\r\n")

    assert b"Content-Length: 10" in heard
    assert heard.endswith(b"\r\n\r\n01234")


def test_a_slow_body_arrives_in_the_end(server: Server) -> None:
    started = time.monotonic()

    heard = talk(server, b"GET /slow HTTP/1.1\r\nConnection: close\r\n\r\n")

    assert heard.endswith(b"012")
    assert time.monotonic() - started >= 0.06


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\r\n\r\n",
        b"GET / SPDY/3\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_is_not_http_is_400_and_hung_up(server: Server, data: bytes) -> None:
    assert talk(server, data).startswith(b"HTTP/1.1 400 Bad Request\r\n")
