"""One Web Push request (RFC 8030): encrypted for the device, signed, sent by our own transport.

The library encrypts and signs; the transport refuses private addresses and redirects, and limits
time and size. An endpoint, a key or a payload is never part of a log line or of an error.
"""

import os
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from accounts.push.vapid import authorization
from partner.http.addresses import AddressRefused, check_address
from partner.http.protocol import Request, retry_after
from partner.http.transport import Lost, NotConnected, TooLarge, Transport
from partner.http.user_agent import user_agent

READ_TIMEOUT = 10.0
AUTH_BYTES, POINT_BYTES = 16, 65


class Subscription(NamedTuple):
    """Where a browser wants its messages, and the keys that only it can open them with."""

    endpoint: str
    p256dh: str
    auth: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: what may be logged, and what a signature is for."""
        parts = urlsplit(self.endpoint)
        return f"{parts.scheme}://{parts.netloc}"


@dataclass(frozen=True, kw_only=True)
class WebPush:
    """A message. A later one with the same topic replaces it while it waits at the service."""

    payload: bytes
    seconds_to_live: int
    topic: str = ""
    urgency: str = "normal"


class PushOutcome(Enum):
    ACCEPTED = "accepted"
    GONE = "gone"  # the subscription has ended
    UNDELIVERABLE = "undeliverable"  # this very message is refused whenever it is sent
    REFUSED = "refused"  # later it may be taken
    NO_ANSWER = "no answer"


class PushAnswer(NamedTuple):
    outcome: PushOutcome
    status: int | None = None
    retry_after: float = 0.0

    @property
    def problem(self) -> str:
        return str(self.status) if self.status else PushOutcome.NO_ANSWER.value


OUTCOMES = {
    404: PushOutcome.GONE,
    410: PushOutcome.GONE,
    400: PushOutcome.UNDELIVERABLE,
    413: PushOutcome.UNDELIVERABLE,
}


def check_subscription(subscription: Subscription) -> None:
    """Raise ValueError for an address or keys that no browser has made. Resolves no name."""
    check_address(subscription.origin)
    if not _is_push_service(urlsplit(subscription.endpoint).hostname or ""):
        raise ValueError("not a push service that we send to")
    point, secret = _bytes(subscription.p256dh), _bytes(subscription.auth)
    if not subscription.endpoint.isascii() or "[" in subscription.origin:
        raise ValueError("not the address of a push service")
    if len(point) != POINT_BYTES or len(secret) != AUTH_BYTES:
        raise ValueError("not the keys of a browser")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def _is_push_service(host: str) -> bool:
    return any(host == known or host.endswith(f".{known}") for known in settings.PUSH_HOSTS)


def send(
    subscription: Subscription,
    message: WebPush,
    *,
    signer: Vapid02,
    transport: Transport,
    now: datetime,
) -> PushAnswer:
    """Send once. Whatever the push service and the network do is an outcome."""
    request = build(subscription, message)
    headers = _headers(subscription, message, signer=signer, now=now)
    try:
        response = transport.send(
            subscription.origin, request, headers=headers, read_timeout=READ_TIMEOUT
        )
    except (AddressRefused, NotConnected, Lost, TooLarge):
        return PushAnswer(PushOutcome.NO_ANSWER)
    if 200 <= response.status < 300:
        return PushAnswer(PushOutcome.ACCEPTED, response.status)
    outcome = OUTCOMES.get(response.status, PushOutcome.REFUSED)
    return PushAnswer(outcome, response.status, retry_after(response) or 0.0)


def build(subscription: Subscription, message: WebPush) -> Request:
    parts = urlsplit(subscription.endpoint)
    return Request(
        operation="web_push",
        method="POST",
        path=f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}",
        safe_path="/…",
        body=encrypt(subscription, message.payload),
        content_type="application/octet-stream",
    )


def encrypt(subscription: Subscription, payload: bytes) -> bytes:
    """Encrypt for this browser alone (RFC 8291), with a key pair of this message alone."""
    body: bytes = http_ece.encrypt(
        payload,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(subscription.p256dh),
        auth_secret=_bytes(subscription.auth),
        version="aes128gcm",
    )
    return body


def _headers(
    subscription: Subscription, message: WebPush, *, signer: Vapid02, now: datetime
) -> dict[str, str]:
    headers = {
        "Authorization": authorization(subscription.origin, signer=signer, now=now),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(message.seconds_to_live),
        "Urgency": message.urgency,
        "User-Agent": user_agent(),
    }
    return headers | ({"Topic": message.topic} if message.topic else {})


def _bytes(text: str) -> bytes:
    found: bytes = b64urldecode(text.encode())
    return found
