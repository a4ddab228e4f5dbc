"""A small threaded HTTP/1.1 server.

The sandbox must be able to hang up without an answer, to stop half way through a body and to send
one byte at a time. A WSGI or ASGI server owns the socket and finishes every answer it began, so
the few dozen lines that speak HTTP are our own: keep-alive, Content-Length, chunked requests.
"""

import socket
import threading
import time
from collections.abc import Callable
from http.client import responses as PHRASES
from typing import BinaryIO

from partner_sandbox.http.message import SandboxRequest, SandboxResponse

MAX_LINE = 64 * 1024
MAX_HEADERS = 100
MAX_BODY = 10 * 1024 * 1024
IDLE_SECONDS = 75.0


Application = Callable[[SandboxRequest], SandboxResponse]


class BadRequest(Exception):
    """What came is not HTTP; answered with a bare 400 and a closed connection."""


class Server:
    def __init__(self, host: str, port: int, application: Application) -> None:
        self.application = application
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._stopping = False

    def serve(self) -> None:
        while not self._stopping:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(connection)
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def stop(self) -> None:
        self._stopping = True
        _shut(self._listener)
        for connection in list(self._open):
            _shut(connection)

    def _converse(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(IDLE_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection.makefile("rb") as stream:
                while self._answer_one(connection, stream):
                    pass
        except BadRequest:
            _send_quietly(connection, b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        except (OSError, ValueError):
            pass
        finally:
            self._open.discard(connection)
            _shut(connection)

    def _answer_one(self, connection: socket.socket, stream: BinaryIO) -> bool:
        line = stream.readline(MAX_LINE)
        if not line.strip():
            return bool(line)
        request, version = _read_head(line, stream)
        if request.headers.get("expect", "").lower() == "100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.body = _read_body(request.headers, stream)
        connection_header = request.headers.get("connection", "").lower()
        keep = connection_header != "close" and (
            version == "HTTP/1.1" or connection_header == "keep-alive"
        )
        return _send(connection, request, self.application(request), keep=keep)


def _read_head(line: bytes, stream: BinaryIO) -> tuple[SandboxRequest, str]:
    try:
        method, target, version = line.decode("latin-1").split()
    except ValueError:
        raise BadRequest from None
    if not version.startswith("HTTP/1."):
        raise BadRequest
    return SandboxRequest(method.upper(), target, _read_headers(stream)), version


def _read_headers(stream: BinaryIO) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(MAX_HEADERS):
        line = stream.readline(MAX_LINE)
        if line in (b"\r\n", b"\n"):
            return headers
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon or not line.endswith(b"\n"):
            raise BadRequest
        headers[name.strip().lower()] = value.strip()
    raise BadRequest


def _read_body(headers: dict[str, str], stream: BinaryIO) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return _read_chunks(stream)
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MAX_BODY:
        raise BadRequest
    body = stream.read(int(length))
    if len(body) < int(length):
        raise BadRequest
    return body


def _read_chunks(stream: BinaryIO) -> bytes:
    parts: list[bytes] = []
    total = 0
    while True:
        try:
            size = int(stream.readline(MAX_LINE).partition(b";")[0], 16)
        except ValueError:
            raise BadRequest from None
        total += size
        if size < 0 or total > MAX_BODY:
            raise BadRequest
        if size == 0:
            _read_headers(stream)  # trailers
            return b"".join(parts)
        parts.append(stream.read(size))
        stream.readline(MAX_LINE)


def _send(
    connection: socket.socket, request: SandboxRequest, response: SandboxResponse, *, keep: bool
) -> bool:
    if response.drop:
        return False
    keep = keep and not response.truncate
    head = [
        f"HTTP/1.1 {response.status} {PHRASES.get(response.status, 'Answer')}",
        f"Content-Type: {response.content_type}",
        f"Content-Length: {len(response.body)}",
        f"Connection: {'keep-alive' if keep else 'close'}",
        *(f"{name}: {value}" for name, value in response.headers),
    ]
    body = b"" if request.method == "HEAD" else response.body
    if response.truncate:
        body = body[: len(body) // 2]
    message = "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n"
    if response.trickle_ms:
        connection.sendall(message)
        _trickle(connection, body, response.trickle_ms / 1000)
    else:
        connection.sendall(message + body)
    return keep


def _trickle(connection: socket.socket, body: bytes, pause: float) -> None:
    for position in range(len(body)):
        connection.sendall(body[position : position + 1])
        time.sleep(pause)


def _send_quietly(connection: socket.socket, data: bytes) -> None:
    try:
        connection.sendall(data)
    except OSError:
        return


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    finally:
        connection.close()
