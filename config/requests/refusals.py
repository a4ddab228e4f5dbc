"""Requests that are refused before any view, and what a part of an open page is answered."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views import csrf, defaults

from lib.web.htmx import beside_the_page

Handler = Callable[[HttpRequest], HttpResponse]

# A photograph gets as far as the form that says why it is refused.
LARGEST_BYTES = 10 * 1024 * 1024


def refuse_large_bodies(get_response: Handler) -> Handler:
    """Answer 413 before the body is read: it would fill the disk before a form sees it.

    One without a length is read as empty by Django.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_number = length.isdecimal() and len(length) < 20
        if not is_number or int(length) > LARGEST_BYTES:
            if not _wants_page(request):
                return HttpResponse(status=413)
            with translation.override(translation.get_language_from_request(request)):
                return HttpResponse(render_to_string("413.html"), status=413)
        return get_response(request)

    return middleware


def refuse_trace(get_response: Handler) -> Handler:
    """Answer 405: TRACE would repeat a request with its cookies."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        return get_response(request)

    return middleware


def show_wrong_methods(get_response: Handler) -> Handler:
    """Give a 405 to a person a page: a browser shows an error without a way on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if answer.status_code == 405 and _wants_page(request):
            answer.content = render_to_string("405.html", request=request)
        return answer

    return middleware


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403: a page, or for a part of an open page a message beside it."""
    return _of_part(request, 403) or defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 alike: a place whose role has ended is not found."""
    return _of_part(request, 404) or defaults.page_not_found(request, exception)


def without_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form whose token another sign-in has replaced, as in a second tab."""
    if is_part(request):
        return beside_the_page(render(request, "components/sign_in_ended.html", status=403))
    return csrf.csrf_failure(request, reason)


def is_part(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def _wants_page(request: HttpRequest) -> bool:
    """Whether it comes from a browser: a program, and a script of ours, get a bare status."""
    return "text/html" in request.headers.get("Accept", "")


def _of_part(request: HttpRequest, status: int) -> HttpResponse | None:
    if not is_part(request):
        return None
    return beside_the_page(render(request, "components/no_longer_shown.html", status=status))
