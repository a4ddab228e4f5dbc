"""Refuse to start with credentials that could not be stored or read."""

from typing import Any

from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured

from lib import encryption


def check_encryption_keys(**_kwargs: Any) -> list[Error]:
    try:
        encryption.keyring()
    except ImproperlyConfigured as fault:
        return [Error(str(fault), hint="`make setup` writes a key into .env.", id="partner.E001")]
    return []
