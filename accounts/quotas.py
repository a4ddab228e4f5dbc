"""Limits exports and reveals per person and hour, so that a stolen sign-in cannot copy all data.

The limits are in ACCOUNT_RATE_LIMITS, well above what ordinary work needs.
"""

import logging

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.http import HttpRequest

from accounts.rate_limits import APP, minutes_left

logger = logging.getLogger(__name__)


def spend(request: HttpRequest, action: str) -> None:
    """Count one `export` or `reveal` of the person; respond 429 when there were too many."""
    user = request.user
    if ratelimit.consume(request, app=APP, action=action, user=user, limit_get=True):
        return
    logger.warning("quotas.exceeded", extra={"action": action, "user_id": user.pk})
    request.minutes_left = minutes_left(request, action, user=user)  # type: ignore[attr-defined]  # for 429.html
    raise ImmediateHttpResponse(ratelimit.respond_429(request))
