"""Middleware for each request of a person: language, idle end, device, second factor, audit."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY as SHOWN
from allauth.core.internal.httpkit import get_client_ip
from allauth.usersessions.models import UserSession
from auditlog.middleware import AuditlogMiddleware
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.forms import SECOND_FACTOR_FIRST
from accounts.models import User
from accounts.shared_devices import devices
from accounts.sign_in import second_factor, sessions
from lib.web.htmx import beside_the_page


def speak_their_language(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """The language of the profile wins over the browser's, which LocaleMiddleware has read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "")
        if language:
            # Not reset afterwards: LocaleMiddleware names the language in the response, and
            # activates another one at the next request.
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return get_response(request)

    return middleware


def end_idle_sessions(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Sign out people who were idle for SESSION_IDLE_MINUTES."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            if sessions.is_idle_too_long(request):
                logout(request)
            else:
                sessions.note_use(request)
        return get_response(request)

    return middleware


class SignInRequired(LoginRequiredMiddleware):
    def handle_no_permission(  # type: ignore[override]  # the stubs know only of a redirect
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        """Whatever a part of an open page asks for, the answer is a message beside it.

        Nothing is replaced and nobody is led away: somebody may be writing on that page. A form
        of a whole page leads back to that page: the address of many opens by no GET.
        """
        # A device's offline copy counts on the redirect that a page gets.
        if "HX-Request" not in request.headers or "Offline-Copy" in request.headers:
            if request.method == "POST":
                # In the address: a message would store a session for whoever sends anything.
                sign_in = reverse("account_login", query={"unsent": 1})
                return redirect_to_login(page_of_form(request), sign_in)
            return super().handle_no_permission(request, view_func)
        answer = render(request, "components/sign_in_ended.html", status=401)
        return beside_the_page(answer)


def page_of_form(request: HttpRequest) -> str:
    """The page that the form was sent from if it is one of ours, else the first page."""
    page = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(page, hosts, require_https=request.is_secure()):
        return "/"
    return urlsplit(page)._replace(scheme="", netloc="").geturl() or "/"


def renew_session_id(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Rotate the session id after a re-authentication."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.user.is_authenticated:
            return get_response(request)
        shown, key = request.session.get(SHOWN), request.session.session_key
        response = get_response(request)
        if request.session.get(SHOWN) != shown and request.session.session_key == key:
            request.session.cycle_key()
            sessions = UserSession.objects.filter(session_key=key)
            sessions.update(session_key=request.session.session_key)
        return response

    return middleware


def hold_shared_device(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Reduce the rights of a person who took a shared device over by PIN."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if devices.DEVICE in request.session and devices.device_of(request) is None:
            devices.leave_if_over(request)
        if devices.is_switched(request) and isinstance(request.user, User):
            request.user.is_on_shared_device = True
        return get_response(request)

    return middleware


def ask_second_factor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect people who need a second factor to its set-up until they have one.

    Not on a shared device: there it was checked when the PIN was set.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or is_account_page(request):
            return get_response(request)
        if not second_factor.is_missing(request, user):
            return get_response(request)
        if user.is_on_shared_device:
            logout(request)
            messages.info(request, SECOND_FACTOR_FIRST)
            return redirect("account_login")
        messages.info(request, _("Your role asks for a second factor. Please set one up."))
        return redirect("mfa_index")

    return middleware


def is_account_page(request: HttpRequest) -> bool:
    return request.path.startswith(reverse("mfa_index").removesuffix("2fa/"))


class ActorMiddleware(AuditlogMiddleware):  # type: ignore[misc]  # auditlog ships no types
    """Passes the person and the address of a request to the audit trail.

    The library trusts any X-Forwarded-For; this uses the rule of the sign-in, so that a visitor
    cannot forge the recorded address.
    """

    @staticmethod
    def _get_remote_addr(request: HttpRequest) -> str | None:
        return get_client_ip(request) or None

    @staticmethod
    def _get_remote_port(request: HttpRequest) -> int | None:
        return None


def leave_no_copies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid caching of every page, in browsers too, unless its view sets a header.

    After a sign-out on a shared device, Back must not show the last guest.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        if getattr(request, "has_signed_out", False):
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware
