"""Requests that are refused before any view: TRACE, and bodies over ten megabytes."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

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
            return HttpResponse(status=413)
        return get_response(request)

    return middleware


def refuse_trace(get_response: Handler) -> Handler:
    """Answer 405: TRACE would repeat a request with its cookies."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        return get_response(request)

    return middleware
