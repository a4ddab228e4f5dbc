"""Ends a sign-in that was idle for SESSION_IDLE_MINUTES.

Requests that an open page sends by itself do not count as activity.
"""

import time

from django.conf import settings
from django.http import HttpRequest

LAST_USE = "last_use"
# The session is saved at most this often for it.
RESOLUTION_SECONDS = 30


def is_over(request: HttpRequest) -> bool:
    """Return whether the sign-in has been idle for too long; 0 knows no such limit."""
    limit = settings.SESSION_IDLE_MINUTES * 60
    last_use = request.session.get(LAST_USE)
    return bool(limit and last_use is not None and time.time() - last_use > limit)


def note_use(request: HttpRequest) -> None:
    """Record the time of a person's activity."""
    if not settings.SESSION_IDLE_MINUTES or is_automatic(request):
        return
    now = time.time()
    if abs(now - request.session.get(LAST_USE, 0)) >= RESOLUTION_SECONDS:
        request.session[LAST_USE] = now


def is_automatic(request: HttpRequest) -> bool:
    """Return whether an open page sent this by itself: live updates and the parts they refresh."""
    reads = request.method in {"GET", "HEAD"}
    return reads and ("HX-Request" in request.headers or request.path.startswith("/live/"))
