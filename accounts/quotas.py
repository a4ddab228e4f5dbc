"""Limits exports and reveals per person and hour, so that a stolen sign-in cannot copy all data.

The limits are in ACCOUNT_RATE_LIMITS, well above what ordinary work needs.
"""

import logging

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.http import HttpRequest

logger = logging.getLogger(__name__)


def spend(request: HttpRequest, action: str) -> None:
    """Count one `export` or `reveal` of the person; respond 429 when there were too many."""
    refusal = ratelimit.consume_or_429(request, action=action, user=request.user, limit_get=True)
    if refusal:
        logger.warning("quotas.exceeded", extra={"action": action, "user_id": request.user.pk})
        raise ImmediateHttpResponse(refusal)
