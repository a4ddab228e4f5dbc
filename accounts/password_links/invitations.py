"""The link with which an invited person chooses a password: once, within a week."""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

SALT = "accounts.invitations"
LIFETIME = timedelta(days=7)


def link_for(user: User) -> str:
    token = signing.dumps([user.pk, state_of(user)], salt=SALT)
    return f"{settings.PUBLIC_URL}{reverse('accounts:accept_invitation')}?token={token}"


def invited(token: str) -> User | None:
    """The person whom a link was made for, unless it is forged, too old or used."""
    try:
        pk, state = signing.loads(token, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    states = [state_of(user, secret=secret) for secret in secrets] if user else []
    return user if any(constant_time_compare(state, one) for one in states) else None


def state_of(user: User, *, secret: str | None = None) -> str:
    """A digest that changes with the password and each sign-in, so that a link works once."""
    known = f"{user.pk}{user.password}{user.last_login}"
    return salted_hmac(SALT, known, secret=secret).hexdigest()[:16]
