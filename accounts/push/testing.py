"""A push service for tests: real HTTP on this machine, which opens messages as a browser does.

It is written from RFC 8291 and RFC 8292 and shares no code with what sends.
"""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from accounts.push.web_push import Subscription

HANG = 0  # an answer that never comes: the connection is closed without one


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derive(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


@dataclass
class FakeBrowser:
    """A browser that has subscribed: its endpoint, and the keys that only it has."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = b"sixteen letters!"

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> Subscription:
        return Subscription(self.endpoint, encode(self.point), encode(self.auth))

    def open(self, body: bytes) -> bytes:
        """Decrypt a body of one record."""
        salt, size, sender = body[:16], body[20], body[21:86]
        if size != len(sender):
            raise ValueError("the sender's key is cut")
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), other)
        info = b"WebPush: info\0" + self.point + sender
        secret = derive(shared, salt=self.auth, info=info, length=32)
        key = derive(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
        nonce = derive(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
        record = AESGCM(key).decrypt(nonce, body[86:], None).rstrip(b"\0")
        if record[-1:] != b"\2":
            raise ValueError("not the last record")
        return record[:-1]


@dataclass(frozen=True)
class ReceivedPush:
    """A request that the push service got, opened."""

    headers: dict[str, str]
    payload: dict[str, Any]
    claims: dict[str, Any]
    key: str  # of the sender


class PushService:
    """Takes messages (201) unless `answers` holds other statuses for the next ones."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: list[int] = []
        self.retry_after = ""
        self.received: list[ReceivedPush] = []
        self.requests = 0
        self._browsers: dict[str, FakeBrowser] = {}

    def subscribe(self) -> FakeBrowser:
        path = f"/push/{uuid4()}?token=a+b"
        browser = FakeBrowser(self.address + path)
        self._browsers[path] = browser
        return browser

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        self.requests += 1
        status = self.answers.pop(0) if self.answers else 201
        if 200 <= status < 300:
            self.received.append(self._open(path, headers, body))
        return status

    def _open(self, path: str, headers: dict[str, str], body: bytes) -> ReceivedPush:
        scheme, _space, rest = headers["authorization"].partition(" ")
        facts = dict(part.strip().split("=", 1) for part in rest.split(","))
        if (scheme, headers["content-encoding"]) != ("vapid", "aes128gcm"):
            raise ValueError("another scheme")
        payload = json.loads(self._browsers[path].open(body))
        return ReceivedPush(headers, payload, verified(facts["t"], key=facts["k"]), facts["k"])

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Titles and sentences, as people read them."""
        return [(one.payload["title"], one.payload["body"]) for one in self.received]


def verified(token: str, *, key: str) -> dict[str, Any]:
    """The claims of a signature; raises `InvalidSignature`."""
    signed, _dot, signature = token.rpartition(".")
    raw = decode(signature)
    numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims: dict[str, Any] = json.loads(decode(signed.split(".")[1]))
    return claims


@contextmanager
def running_push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = service.take(self.path, headers, body)
            if status == HANG:
                self.close_connection = True
                return
            self.send_response(status)
            if status == 307:
                self.send_header("Location", f"{service.address}/elsewhere")
            if service.retry_after:
                self.send_header("Retry-After", service.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """A test's output is not a log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    # It notices its end at the next look: by default every half a second, once a test.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
