"""How often one person may take personal data out: a stolen sign-in does not empty the copy.

The limits stand in ACCOUNT_RATE_LIMITS; people at work do not meet them.
"""

import logging

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.http import HttpRequest

logger = logging.getLogger(__name__)


def spend(request: HttpRequest, action: str) -> None:
    """Count one `export` or `reveal` of the person; answer 429 instead once there were too many."""
    refusal = ratelimit.consume_or_429(request, action=action, user=request.user, limit_get=True)
    if refusal:
        logger.warning("quotas.exceeded", extra={"action": action, "user_id": request.user.pk})
        raise ImmediateHttpResponse(refusal)
