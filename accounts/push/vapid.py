"""Signs requests to push services, so that they know which installation sends (RFC 8292)."""

from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from accounts.push.models import VapidKey
from lib.encryption import DecryptionFailed

# Push services take signatures of at most 24 hours; half of it allows for a wrong clock.
LIFETIME = timedelta(hours=12)


def signer() -> Vapid02:
    """The key of the installation. One query; generated the first time."""
    return Vapid02.from_pem(VapidKey.objects.current().private_key.encode())


def public_key() -> str:
    """What a browser needs to subscribe, or "" when no key decrypts ours. One query."""
    try:
        point = signer().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    except DecryptionFailed:
        return ""
    key: str = b64urlencode(point)
    return key


def authorization(origin: str, *, signer: Vapid02, now: datetime) -> str:
    claims = {"aud": origin, "exp": int((now + LIFETIME).timestamp()), "sub": contact()}
    header: str = signer.sign(claims)["Authorization"]
    return header


def contact() -> str:
    """Where a push service may write to: our public address, or the sender of our mails."""
    parts = urlsplit(settings.PUBLIC_URL)
    if parts.scheme == "https":
        return f"https://{parts.hostname}"
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
