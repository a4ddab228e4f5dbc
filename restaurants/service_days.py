"""What is kept by service day is filed anew when a restaurant's clock or day start is corrected.

Rows are filed as they are read, so a correction leaves the older ones under their former day. The
rooms that keep such rows say how theirs are filed; which restaurants are due follows from their
columns, whoever changed them: a page, a file or the database admin.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from restaurants.models import AppliedClock, Restaurant

# A process may read by the former clock for as long as it keeps its directory, and store a while
# later: until then everything is looked through again.
SETTLES_AFTER = timedelta(minutes=1)

# Each files the rows of a restaurant by its present clock and returns how many moved. Repeating
# it moves nothing. Filled once at start: this room stands below the others.
RECOMPUTERS: list[Callable[[Restaurant], int]] = []


def recompute_corrected(*, now: datetime) -> int:
    """File anew what belongs to corrected restaurants. Returns how many rows moved."""
    _meet_new_ones()
    return sum(_recompute(applied_clock, now=now) for applied_clock in AppliedClock.objects.due())


def _meet_new_ones() -> None:
    """Whatever a restaurant has when it is first met was filed by the clock that it has then."""
    new = Restaurant.objects.filter(applied_clock=None)
    AppliedClock.objects.bulk_create(
        [
            AppliedClock(restaurant=one, timezone=one.timezone, day_start=one.day_start)
            for one in new
        ],
        ignore_conflicts=True,
    )


def _recompute(applied_clock: AppliedClock, *, now: datetime) -> int:
    since = applied_clock.notice(now=now)
    moved = sum(
        recompute_service_days(applied_clock.restaurant) for recompute_service_days in RECOMPUTERS
    )
    if now - since >= SETTLES_AFTER:
        applied_clock.settle()
    return moved
