"""Sessions in the database, as Django keeps them, read by a question that is written once."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from lib.database.compiled_queries import prepared_models


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        """Django's own, which each request begins with."""
        for session in _running(self.session_key or "", timezone.now()):
            return session  # type: ignore[no-any-return]
        self._session_key = None
        return None


def fix_end(request: HttpRequest) -> None:
    """Let a sign-in end SESSION_HOURS from now.

    By default a session would last that long from the last time it was saved.
    """
    ends = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    request.session.set_expiry(ends)


@prepared_models
def _running(key: str, now: datetime) -> Any:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
