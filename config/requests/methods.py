"""Refuses TRACE, which would repeat a request with its cookies."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

Handler = Callable[[HttpRequest], HttpResponse]


def refuse_trace(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        return get_response(request)

    return middleware
