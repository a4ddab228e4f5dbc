"""Decorator that asks for the password again before credentials are changed.

The age that still counts is ACCOUNT_REAUTHENTICATION_TIMEOUT.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.forms import ReauthenticateForm
from allauth.account.internal.flows.reauthentication import (
    is_reauthentication_required,
    reauthenticate_by_password,
)
from allauth.core.internal import ratelimit
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

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


class PasswordAgainForm(ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """The password inside a form with secrets, so that both are sent at once and neither is kept.

    Guesses are counted as on the page that asks for the password.
    """

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, user=request.user, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        rate = {"app": "allauth.account", "action": "reauthenticate", "user": self.user}
        if not ratelimit.consume(self.request, **rate):
            raise cast(ValidationError, get_adapter().validation_error("too_many_login_attempts"))
        return cast(str, super().clean_password())


def password_again(request: HttpRequest) -> PasswordAgainForm | None:
    """The form for the password, if the person has one and it has to be given again; else None.

    A right password in the request counts from here on, and nothing has to be given again.
    """
    if is_fresh(request):
        return None
    form = PasswordAgainForm(request.POST if "password" in request.POST else None, request=request)
    if form.is_valid():
        note_fresh_sign_in(request)
        return None
    return form
