"""Access log: one line and one metric per request, and a request id that its tasks inherit.

The path is logged without its query string: the receiver's secret travels there. A person appears
by number only, and only if the view has loaded the user anyway.
"""

import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from config.monitoring.metrics import REQUEST_SECONDS

logger = structlog.get_logger("couvert.requests")

Handler = Callable[[HttpRequest], HttpResponse]


def log_requests(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=uuid.uuid4().hex)
        started = time.perf_counter()
        response = get_response(request)
        record(request, response, seconds=time.perf_counter() - started)
        return response

    return middleware


def record(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    match = request.resolver_match
    route = match.route if match else "unmatched"
    REQUEST_SECONDS.labels(request.method, route, response.status_code).observe(seconds)
    logger.info(
        "request",
        method=request.method,
        path=request.path,
        status=response.status_code,
        milliseconds=round(seconds * 1000, 1),
        # Set by Django once a view has used `request.user`; the log causes no query for it.
        user_id=getattr(getattr(request, "_cached_user", None), "pk", None),
    )
