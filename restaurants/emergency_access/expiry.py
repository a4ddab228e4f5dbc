"""Ends roles that were taken for a while: at the person's next request, and by the worker.

Both, so that a worker that stands still leaves nobody in.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from restaurants.emergency_access.models import EmergencyAccess


def end_emergency_access(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """One query at requests of superusers, none at those of others."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if getattr(request.user, "is_superuser", False):
            mine = EmergencyAccess.objects.filter(person=request.user.pk)
            mine.end_due(now=timezone.now())
        return get_response(request)

    return middleware
