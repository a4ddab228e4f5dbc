"""Encryption of secrets at rest: a text field that is stored encrypted.

The keys come from `settings.ENCRYPTION_KEYS`, newest first: the first one writes, all of them
read. To change keys: put a new one in front, run `manage.py rotate_keys`, drop the old one.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.conf import settings
from django.core.exceptions import FieldError, ImproperlyConfigured
from django.db import models, transaction
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    TextField = models.TextField[str, str]
else:  # Django's own class takes no type parameters at run time
    TextField = models.TextField

_hooks: dict[str, Callable[[], int]] = {}


class DecryptionFailed(Exception):
    """A stored secret that no key of ENCRYPTION_KEYS opens. Never carries the ciphertext."""


@lru_cache(maxsize=4)
def _ring(keys: tuple[str, ...]) -> MultiFernet:
    if not keys:
        raise ImproperlyConfigured("ENCRYPTION_KEYS is empty: secrets cannot be stored or read.")
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError:
        raise ImproperlyConfigured(
            "ENCRYPTION_KEYS holds something that is not a Fernet key (32 bytes, url-safe base64)."
        ) from None


def keyring() -> MultiFernet:
    """Return the current keys; raises ImproperlyConfigured if they are missing or malformed."""
    return _ring(tuple(settings.ENCRYPTION_KEYS))


def encrypt(text: str) -> str:
    return keyring().encrypt(text.encode()).decode()


def decrypt(ciphertext: str) -> str:
    try:
        return keyring().decrypt(ciphertext.encode()).decode()
    except InvalidToken:
        raise DecryptionFailed("A stored secret cannot be opened with ENCRYPTION_KEYS.") from None


def stored_digest(salt: str, text: str) -> str:
    """A keyed hash of a text that is not stored itself. Another SECRET_KEY does not change it."""
    return salted_hmac(salt, text, secret=settings.DIGEST_KEY, algorithm="sha256").hexdigest()


class EncryptedTextField(TextField):
    """Text that is stored encrypted. NULL and "" are stored as they are.

    A wrong key raises `DecryptionFailed`: handing out the ciphertext would send it to the
    partner as a password. Equal texts have different ciphertexts, so nothing but `isnull` can
    be looked up.
    """

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return encrypt(value) if value else value

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        return decrypt(value) if value else value

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name != "isnull":
            raise FieldError(f"{self.name} is encrypted: only isnull can be looked up.")
        return super().get_lookup(lookup_name)

    def value_to_string(self, obj: models.Model) -> str:
        """Leave secrets out of `dumpdata`: a dump is a file that travels."""
        return ""


def on_rotation(name: str, hook: Callable[[], int]) -> None:
    """Register `hook`: it re-encrypts secrets kept outside our columns and returns how many."""
    _hooks[name] = hook


def rotate(ciphertext: str) -> str:
    """Re-encrypt with the newest key."""
    try:
        return keyring().rotate(ciphertext.encode()).decode()
    except InvalidToken:
        raise DecryptionFailed("A stored secret cannot be opened with ENCRYPTION_KEYS.") from None


def encrypted_columns() -> Iterator[tuple[type[models.Model], list[str]]]:
    for model in apps.get_models():
        names = [f.attname for f in model._meta.fields if isinstance(f, EncryptedTextField)]
        if names:
            yield model, names


def rotate_all() -> dict[str, int]:
    """Re-encrypt every secret with the newest key; return how many rows of what.

    In one transaction: after an error everything still needs the old key.
    """
    with transaction.atomic():
        done = {
            model._meta.label: _rotate_rows(model, names) for model, names in encrypted_columns()
        }
        return done | {name: hook() for name, hook in _hooks.items()}


def _rotate_rows(model: type[models.Model], names: list[str]) -> int:
    # The row lock keeps a secret that is being saved meanwhile from being set back.
    rows = model._base_manager.select_for_update().only("pk", *names)
    count = 0
    # All at once: they are few, and a cursor on the server would outlive a transaction that fails.
    for row in rows:
        model._base_manager.filter(pk=row.pk).update(**{name: getattr(row, name) for name in names})
        count += 1
    return count
