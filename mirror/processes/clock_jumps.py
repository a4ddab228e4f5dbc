"""Corrects stored times after the system clock is set back.

A clock that runs ahead writes due times, leases and timestamps that are in the future once it is
set right, and work would wait for as long as it ran ahead. Every process compares its clock with
the latest time that its machine has seen, and moves future times back by the difference.
"""

import logging
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, Model

from lib.registration import ExtensionPoint
from mirror.kinds import KINDS
from mirror.models import CLOCK, Heartbeat
from mirror.processes import heartbeat

logger = logging.getLogger(__name__)

# Less is what time servers correct and machines disagree by.
TOLERANCE = timedelta(seconds=10)
# No due time is written further ahead than this, but those that hold a paused backfill for ever.
LONGEST_PAUSE = timedelta(days=2)


class Moments(NamedTuple):
    """Columns of a model that hold times which this product writes and judges by its own clock."""

    model: type[Model]
    fields: tuple[str, ...]


MOMENTS: ExtensionPoint[Moments] = ExtensionPoint("Times that follow a clock set back")


def all_moments() -> list[Moments]:
    mirrored = [Moments(one.model, ("read_at", "first_seen_at", "changed_at")) for one in KINDS]
    return [*MOMENTS, *mirrored]


def follow(*, now: datetime) -> None:
    """Detect that the clock was set back. One query, and a write every few seconds."""
    latest = heartbeat.last(CLOCK)
    if latest is not None and latest - now > TOLERANCE:
        logger.warning("The clock of this machine was set back by %s.", latest - now)
        _pull_back(by=latest - now, now=now)
        # Last: a process that dies before this leaves the rest to the next look.
        Heartbeat.objects.filter(name=CLOCK).update(at=now)
    heartbeat.beat(CLOCK, now=now)


def _pull_back(*, by: timedelta, now: datetime) -> None:
    """Move future moments back. Idempotent: what was moved no longer lies ahead."""
    ahead = now, now + by + LONGEST_PAUSE
    for model, fields in all_moments():
        for field in fields:
            rows = model._base_manager.filter(**{f"{field}__range": ahead})
            rows.update(**{field: F(field) - by})
