"""Django's sessions in the database, and when a sign-in ends.

One that was idle for SESSION_IDLE_MINUTES ends; requests that an open page sends by itself do not
count as activity.
"""

import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from lib.database.compiled_queries import prepared

LAST_USE = "last_use"
# The session is saved at most this often for it.
RESOLUTION_SECONDS = 30


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        """Read the session by a compiled query; one that is unknown or over is left to Django."""
        for (data,) in _data_of(self.session_key, timezone.now()):
            return self.decode(data)
        return super().load()


@prepared
def _data_of(key: str, now: datetime) -> Any:
    running = Session.objects.filter(session_key=key, expire_date__gt=now)
    return running.values_list("session_data")


def fix_end(request: HttpRequest) -> None:
    """Let a sign-in end SESSION_HOURS from now.

    By default a session would last that long from the last time it was saved.
    """
    ends = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    request.session.set_expiry(ends)


def is_idle_too_long(request: HttpRequest) -> bool:
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
    """Return whether an open page sent this by itself: live updates, parts, the copy."""
    reads = request.method in {"GET", "HEAD"}
    is_sent_by_page = "HX-Request" in request.headers or "Offline-Copy" in request.headers
    return reads and (is_sent_by_page or request.path.startswith("/live/"))
