"""Limits exports and reveals per person and hour, so that a stolen sign-in cannot copy all data.

The limits are in ACCOUNT_RATE_LIMITS, well above what ordinary work needs.
"""

import logging
import math
import time
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

logger = logging.getLogger(__name__)

APP = "allauth.account"


def spend(request: HttpRequest, action: str) -> None:
    """Count one `export` or `reveal` of the person; respond 429 when there were too many."""
    user = request.user
    if ratelimit.consume(request, app=APP, action=action, user=user, limit_get=True):
        return
    logger.warning("quotas.exceeded", extra={"action": action, "user_id": user.pk})
    request.minutes_left = minutes_left(request, action, user=user)  # type: ignore[attr-defined]  # for 429.html
    raise ImmediateHttpResponse(ratelimit.respond_429(request))


def minutes_left(
    request: HttpRequest, action: str, *, key: str | None = None, user: Any = None
) -> int:
    """Minutes until the action is free again, rounded up. A read of the cache for each rate."""
    now = time.time()
    ends = [now]
    for rate in ratelimit.get_rates(app=APP, action=action):
        about = {"app": APP, "action": action, "rate": rate, "key": key, "user": user}
        counted = cache.get(ratelimit.get_cache_key(request, **about), [])  # the newest first
        if len(counted) >= rate.amount:
            ends.append(counted[rate.amount - 1] + rate.duration)
    return max(1, math.ceil((max(ends) - now) / 60))
