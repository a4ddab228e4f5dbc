"""Stores recovery codes as salted hashes, like passwords, instead of the seed that yields them.

The library derives a person's codes from a seed and shows them once. The worker then replaces the
seed by hashes, in the field where the library stores migrated codes: its pages count them, and its
own comparison never matches, because the adapter decrypts no hash.
"""

from datetime import datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from accounts.models import User
from lib.encryption import decrypt, encrypt

HASHER = PBKDF2PasswordHasher()
ITERATIONS = HASHER.iterations
# A set that was not viewed in this time is not shown any more.
LONGEST_UNSEEN = timedelta(hours=1)
# Shorter entries are codes of an authenticator app: no hash is computed for them.
SHORTEST = 8


def hash_seen_sets(*, now: datetime) -> int:
    """Hash every set of codes that was shown, or could have been. Return how many."""
    seen = Q(data__viewed_at__isnull=False) | Q(created_at__lte=now - LONGEST_UNSEEN)
    with_seed = all_sets().filter(seen).exclude(data__has_key="hashed")
    return sum(hash_set(pk, now=now) for pk in with_seed.values_list("pk", flat=True))


def hash_set(pk: int, *, now: datetime) -> bool:
    """Replace a seed by hashes of its unused codes. They take seconds, before the row is locked."""
    before = all_sets().filter(pk=pk).first()
    if not before:
        return False
    hashes = hash_codes(before.wrap().get_unused_codes())
    with transaction.atomic():
        row = all_sets().select_for_update().filter(pk=pk).first()
        if not row or "hashed" in row.data:
            return False
        left = [encrypt(hashes[code]) for code in row.wrap().get_unused_codes()]
        seen_at = row.data.get("viewed_at") or now.timestamp()
        row.data = {"hashed": True, "migrated_codes": left, "viewed_at": seen_at}
        row.save(update_fields=["data"])
    return True


def use(user: User, code: str) -> Any:
    """Use up one of the person's codes; return the set it was of, None if it is not one of them."""
    digits = "".join(filter(str.isdecimal, code))
    held = all_sets().filter(user=user, data__has_key="hashed").first()
    if len(digits) < SHORTEST or not held or not held.data["migrated_codes"]:
        return None
    _algorithm, iterations, salt, _hash = decrypt(held.data["migrated_codes"][0]).split("$")
    return spend(held.pk, HASHER.encode(digits, salt, int(iterations)))


def spend(pk: int, hashed: str) -> Any:
    """Remove a hash from the list, under a row lock, so that a code works once."""
    with transaction.atomic():
        row = all_sets().select_for_update().filter(pk=pk).first()
        codes = row.data["migrated_codes"] if row else []
        left = [kept for kept in codes if not constant_time_compare(decrypt(kept), hashed)]
        if not row or len(left) == len(codes):
            return None
        row.data["migrated_codes"] = left
        row.save(update_fields=["data"])
    return row


def all_sets() -> "QuerySet[Any]":
    sets: QuerySet[Any] = Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES)
    return sets


def hash_codes(codes: list[str]) -> dict[str, str]:
    """Hash the codes of one set with one salt, so that a try costs one hash and not ten."""
    salt = HASHER.salt()
    return {code: HASHER.encode(code, salt, ITERATIONS) for code in codes}


def is_hash(text: str) -> bool:
    return text.startswith(f"{HASHER.algorithm}$")
