"""Whether a guest has been here, and whether a booking is still to come.

A party that is a little late has not come, and may not come at all: it counts as a visit once its
arrival is marked, or once nobody waits for it any more.
"""

from datetime import datetime

from django.db.models import Q

from reservations.models import STANDING
from reservations.phases import STILL_EXPECTED

CONFIRMED = "RECORDED"


def visited(now: datetime) -> Q:
    """Those that count as a visit."""
    is_here = Q(meal_at__lte=now) & ~Q(meal_status="")
    return Q(Q(meal_at__lte=now - STILL_EXPECTED) | is_here, status=CONFIRMED)


def ahead(now: datetime) -> Q:
    """Still to come, also somewhat late: many of those ring because of it."""
    late = Q(meal_at__gt=now - STILL_EXPECTED, meal_status="")
    return Q(Q(meal_at__gt=now) | late, status__in=STANDING)


def is_ahead(status: str, meal_status: str, meal_at: datetime, now: datetime) -> bool:
    """The same for one booking."""
    until = now if meal_status else now - STILL_EXPECTED
    return status in STANDING and meal_at > until
