"""TRACE is answered nowhere: it would repeat a request, cookies included, to whoever sent it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

Handler = Callable[[HttpRequest], HttpResponse]


def refuse_trace(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        return get_response(request)

    return middleware
