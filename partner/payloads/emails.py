"""E-mail addresses as the service takes them: ASCII throughout, a plain name, a whole domain."""

import re

import idna
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
NAME = re.compile(rf"(?=.{{1,64}}\Z){ATOM}(?:\.{ATOM})*")
DOMAIN = re.compile(rf"(?=.{{1,253}}\Z)(?:{LABEL}\.)+{LABEL}")

NO_ADDRESS = _("This is not an e-mail address.")
NO_ASCII_NAME = _(
    "The service takes no letter with an accent and no other script before the @. "
    "Ask for another address."
)
NO_DOMAIN = _("The service takes no address with this ending. Ask for another address.")


def sendable_email(text: str) -> str:
    """Return the address as it is sent, or raise `ValidationError` saying what the service takes.

    An international domain is written in its ASCII form (IDNA 2008), which means the same host.
    Python's own codec knows the older standard alone: it would make straße.de another domain.
    """
    name, at, domain = text.strip().rpartition("@")
    if not (name and at and domain):
        raise ValidationError(NO_ADDRESS)
    if not name.isascii():
        raise ValidationError(NO_ASCII_NAME)
    if not NAME.fullmatch(name):
        raise ValidationError(NO_ADDRESS)
    return f"{name}@{_ascii_domain(domain)}"


def _ascii_domain(domain: str) -> str:
    try:
        plain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        raise ValidationError(NO_DOMAIN) from None
    if not DOMAIN.fullmatch(plain):
        raise ValidationError(NO_DOMAIN)
    return plain


def is_same_email(one: str, other: str) -> bool:
    """Compare two addresses, however an international domain is written in them."""
    return _comparable(one) == _comparable(other)


def _comparable(text: str) -> str:
    name, at, domain = text.strip().rpartition("@")
    try:
        return f"{name}{at}{_ascii_domain(domain)}".casefold()
    except ValidationError:
        return text.strip().casefold()


def is_sendable(text: str) -> bool:
    try:
        sendable_email(text)
    except ValidationError:
        return False
    return True
