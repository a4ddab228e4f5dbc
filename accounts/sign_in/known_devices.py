"""Recognises browsers that a person signed in from, so that nobody elsewhere can lock them out.

Wrong passwords are counted by account *and* source. The source is the network address, or, in a
browser that carries this cookie of the account, that browser alone.
"""

import secrets

from allauth.core.internal.httpkit import get_client_ip
from allauth.core.internal.ratelimit import truncate_ip
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User

SALT = "accounts.known_devices"
LIFETIME_SECONDS = 180 * 24 * 3600


def remember(response: HttpResponse, *, user: User) -> None:
    """Mark the browser as known to this account."""
    response.set_signed_cookie(
        settings.KNOWN_DEVICE_COOKIE_NAME,
        f"{user.pk}:{secrets.token_urlsafe(16)}",
        salt=SALT,
        max_age=LIFETIME_SECONDS,
        httponly=True,
        secure=settings.HTTPS_ONLY,
        samesite="Lax",
    )


def known_device(request: HttpRequest, *, login: str) -> str:
    """Return the id of this browser if it is known to the account, else ""."""
    value = request.get_signed_cookie(
        settings.KNOWN_DEVICE_COOKIE_NAME, "", salt=SALT, max_age=LIFETIME_SECONDS
    )
    pk, _colon, device = (value or "").partition(":")
    is_theirs = pk.isdecimal() and User.objects.filter(pk=pk, email__iexact=login).exists()
    return device if is_theirs else ""


def source_of(request: HttpRequest, *, login: str) -> str:
    """Return whose wrong passwords are counted together for this account."""
    return known_device(request, login=login) or truncate_ip(get_client_ip(request) or "")
