"""Recomputes service days of stored rows when a restaurant's time zone or day start is corrected.

A row gets its service day when it is read, so older rows keep the former one after a correction.
Each app with such rows adds a function that recomputes them. Which restaurants are due follows
from their columns, so that a change by page, file or database admin is noticed alike.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from lib.registration import ExtensionPoint
from restaurants.models import AppliedClock, Restaurant

# A process may use the former clock while it caches its directory, and store rows a little later:
# until then rows are recomputed again.
SETTLES_AFTER = timedelta(minutes=1)

# Each recomputes the rows of a restaurant by its present clock and returns how many changed;
# repeating it changes nothing.
RECOMPUTERS: ExtensionPoint[Callable[[Restaurant], int]] = ExtensionPoint("Service days, corrected")


def recompute_corrected(*, now: datetime) -> int:
    """Recompute the rows of corrected restaurants. Returns how many rows changed."""
    _record_new_restaurants()
    return sum(_recompute(applied_clock, now=now) for applied_clock in AppliedClock.objects.due())


def _record_new_restaurants() -> None:
    """The first clock recorded for a restaurant is the one that its rows were stored by."""
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
