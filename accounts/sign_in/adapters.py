"""Adapters for django-allauth: our rules for sign-in and second factor."""

import logging
import secrets
from typing import Any
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from accounts import audit, tasks
from accounts.mail import mail_queue
from accounts.models import User
from accounts.push import devices as push_devices
from accounts.quotas import minutes_left
from accounts.shared_devices import devices
from accounts.sign_in import known_devices, recovery_codes, second_factor
from accounts.sign_in.sessions import fix_end
from lib.broker.worker_signals import notify_workers
from lib.encryption import decrypt, encrypt

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """People are invited; nobody signs up."""
        return False

    def logout(self, request: HttpRequest) -> None:
        push_devices.end_here(request)
        super().logout(request)
        request.has_signed_out = True  # type: ignore[attr-defined]  # for leave_no_copies

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the mail for the worker, so that a slow mail server delays no page."""
        site = {"name": "Couvert", "domain": settings.PUBLIC_URL}
        facts = {"email": email, "current_site": site, **context}
        mail = self.render_mail(template_prefix, email, facts)
        mail_queue.enqueue(email, subject=mail.subject, body=mail.body)
        self.notify_mail_worker()

    def notify_mail_worker(self) -> None:
        notify_workers(tasks.send_mails)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Name our public address, whatever Host a request named."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return f"{settings.PUBLIC_URL}{path.replace('UID-KEY', quote(key))}"

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Log that guessing was stopped, tied to the request by its id."""
        if code == "too_many_login_attempts":
            logger.warning("sign_in.throttled")
            if self._throttle:
                action, key = self._throttle
                minutes = minutes_left(context.request, action, key=key)
                return ValidationError(wait_of(minutes), code=code)
        error: ValidationError = super().validation_error(code, *args)
        return error

    _throttle: tuple[str, str] | None = None  # the action that is counted, and its key
    _unknown_device_usage: ratelimit.RateLimitUsage | None = None

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count attempts by device, and those of all unknown devices together."""
        key = self._get_login_attempts_cache_key(request, **credentials)
        self._throttle = ("login_failed", key)
        super().pre_authenticate(request, **credentials)
        login = credentials.get("email") or ""
        if known_devices.known_device(request, login=login):
            return
        key = salted_hmac("accounts.unknown_devices", login.lower()).hexdigest()
        self._throttle = ("login_elsewhere", key)
        self._unknown_device_usage = ratelimit.consume(
            request, app="allauth.account", action="login_elsewhere", key=key
        )
        if not self._unknown_device_usage:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """Do not count a correct password."""
        super()._rollback_login_failed_rl_usage()
        if self._unknown_device_usage:
            self._unknown_device_usage.rollback()

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count by source, so that guesses from elsewhere do not lock the person out."""
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        login = credentials.get("email") or ""
        return f"{key}:{known_devices.source_of(request, login=login)}"

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Record a wrong password on its account; an unknown address has none."""
        person = User.objects.filter(email__iexact=credentials.get("email") or "").first()
        if person:
            audit.record(person, "failed to sign in")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        audit.record(user, "signed in")
        push_devices.end_for_others(request, user)
        fix_end(request)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        known_devices.remember(response, user=user)
        return response


def wait_of(minutes: int) -> str:
    words = ngettext(
        "Too many failed login attempts. Try again in %(n)s minute.",
        "Too many failed login attempts. Try again in %(n)s minutes.",
        minutes,
    )
    return words % {"n": minutes}


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. For the hash of a recovery code return a text that equals no code."""
        text = decrypt(encrypted_text)
        return secrets.token_urlsafe() if recovery_codes.is_hash(text) else text

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
        push_devices.end_elsewhere(context.request, context.request.user)
