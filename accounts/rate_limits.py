"""How long somebody waits whom a rate limit has stopped: what allauth counts is read again."""

import math
import time
from typing import Any

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

APP = "allauth.account"


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
