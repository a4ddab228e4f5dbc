"""Where sign-in and second factor follow our rules and not the library's defaults."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse

from accounts import audit, devices, second_factor
from accounts.models import User
from lib.encryption import decrypt, encrypt


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """People are invited; nobody signs up."""
        return False

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Note a wrong password on the account it was meant for; an unknown address is no one."""
        person = User.objects.filter(email__iexact=credentials.get("email") or "").first()
        if person:
            audit.record(person, "failed to sign in")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        audit.record(user, "signed in")
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Whoever must have a second factor keeps the last one."""
        if not second_factor.is_required_of(authenticator.user):
            return True
        return second_factor.factors_of(authenticator.user).exclude(pk=authenticator.pk).exists()


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]  # allauth ships no types
    def end_sessions(self, sessions: list[UserSession]) -> None:
        """Sign a person out elsewhere, from the devices too that they let others use."""
        super().end_sessions(sessions)
        devices.end_others(context.request)
