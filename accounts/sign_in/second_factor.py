"""Who must have a second factor, who has one, and how its secret changes keys."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from accounts.sign_in.models import CHOSEN
from lib.encryption import on_rotation, rotate

HAS_ONE = "has_second_factor"


def required_everywhere() -> frozenset[str]:
    """The roles of MFA_REQUIRED_ROLES, and those chosen before there was a connection."""
    chosen = {role for role, connection in CHOSEN.value() if connection is None}
    return frozenset(settings.MFA_REQUIRED_ROLES) | chosen


def is_required_of_anybody() -> bool:
    return bool(settings.MFA_REQUIRED_ROLES or CHOSEN.value())


def is_required_of(user: User) -> bool:
    """Whether one of the person's roles must have one: everywhere, or at places of the connection
    whose owner chose it. May run two queries.
    """
    required = required_everywhere()
    if required and not user.roles.isdisjoint(required):
        return True
    chosen = CHOSEN.value()
    return bool(chosen) and not chosen.isdisjoint(user.roles_by_connection)


def factors_of(user: User) -> "QuerySet[Any]":
    """What can be a second factor; recovery codes only replace one that was lost."""
    all_kinds: QuerySet[Any] = Authenticator.objects.filter(user=user)
    return all_kinds.exclude(type=Authenticator.Type.RECOVERY_CODES)


def is_missing(request: HttpRequest, user: User) -> bool:
    """Whether the person must set up a second factor before anything else.

    A found factor is kept in the session, because the last one cannot be removed.
    """
    if request.session.get(HAS_ONE) or not is_required_of_anybody():
        return False
    if lacks_one(user):
        return True
    if is_required_of(user):
        request.session[HAS_ONE] = True
    return False


def lacks_one(user: User) -> bool:
    """Return whether the person's role asks for a second factor and none is set up."""
    return is_required_of(user) and not factors_of(user).exists()


def rotate_second_factors() -> int:
    """Re-encrypt the secrets of all second factors with the newest key; return how many."""
    count = 0
    for factor in Authenticator.objects.select_for_update().iterator():
        fresh = {key: rotated(key, value) for key, value in factor.data.items()}
        if fresh != factor.data:
            Authenticator.objects.filter(pk=factor.pk).update(data=fresh)
            count += 1
    return count


def rotated(key: str, value: Any) -> Any:
    if key in {"secret", "seed"}:
        return rotate(value)
    if key == "migrated_codes":
        return [rotate(code) for code in value]
    return value


on_rotation("second factors", rotate_second_factors)
