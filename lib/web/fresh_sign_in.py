"""Decorator that asks for the password again before credentials are changed.

The age that still counts is ACCOUNT_REAUTHENTICATION_TIMEOUT.
"""

from collections.abc import Callable
from typing import TypeVar, cast

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import (
    is_reauthentication_required,
    reauthenticate_by_password,
)
from django.http import HttpRequest, HttpResponse

View = TypeVar("View", bound=Callable[..., HttpResponse])


def needs_fresh_sign_in(view: View) -> View:
    """Ask for the password or the second factor first; then the same request goes on.

    The request is kept in the session meanwhile, so not for forms in which secrets are typed.
    """
    return cast(View, reauthentication_required(view))


def needs_fresh_sign_in_to_post(view: View) -> View:
    return cast(View, reauthentication_required(allow_get=True)(view))


def note_fresh_sign_in(request: HttpRequest) -> None:
    """The person has shown the password just now: do not ask for it again at once."""
    reauthenticate_by_password(request)


def is_fresh(request: HttpRequest) -> bool:
    return not is_reauthentication_required(request, app="account")
