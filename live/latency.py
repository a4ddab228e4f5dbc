"""Latency of each step from an event to the painted screen."""

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from live.announcements import Scope
from live.models import Announcement, LatencySample

INSTANTS = ("received_at", "fetched_at", "stored_at", "announced_at", "painted_at")
# Enough for a steady 95th percentile, little enough to be read on every look at the health page.
SAMPLE = 2000
# A beacon that claims more was delayed on its own way, or made up.
LONGEST_PAINT = timedelta(minutes=1)


class Spread(NamedTuple):
    """How long one step took, in seconds."""

    samples: int
    p50: float
    p95: float


def sample_of(
    line: Announcement, *, received_at: datetime | None = None, fetched_at: datetime | None = None
) -> LatencySample:
    """Return the sample of a change so far, not yet saved."""
    return LatencySample(
        kind=line.kind,
        uuid=line.uuid,
        version=line.version,
        group_id=line.group_id,
        restaurant_id=line.restaurant_id,
        received_at=received_at,
        fetched_at=fetched_at,
        stored_at=line.at,
    )


def begin(samples: Iterable[LatencySample]) -> None:
    """Store the samples of changes, in the transaction that announces them. The first note counts.

    Meant for changes that somebody may be waiting for: a backfill would only fill the table.
    """
    LatencySample.objects.bulk_create(samples, ignore_conflicts=True)


def paint(
    *, kind: str, uuid: UUID, version: int, took: timedelta, scope: Scope, now: datetime
) -> None:
    """Note that a browser has painted this version. The first screen counts.

    Samples that were never begun, or that the user may not see, are ignored.

    Browsers' clocks are not ours: the arrival of the beacon stands for the painting (so the
    figure is never too good), and only the time between message and paint is the browser's.
    """
    sample = LatencySample.objects.filter(
        kind=kind, uuid=uuid, version=version, painted_at=None
    ).first()
    if sample is None or not scope.sees(sample):
        return
    if sample.stored_at <= now - took and now <= sample.stored_at + LONGEST_PAINT:
        unpainted = LatencySample.objects.filter(pk=sample.pk, painted_at=None)
        unpainted.update(announced_at=now - took, painted_at=now)


def percentiles(*, within: timedelta = timedelta(hours=1)) -> dict[str, Spread]:
    """The spread of each hop, by the name of its end, and of the whole way as `total`.

    A hop that nothing has passed is absent. Costs one query of at most `SAMPLE` rows.
    """
    recent = LatencySample.objects.filter(stored_at__gte=timezone.now() - within).order_by(
        "-stored_at"
    )
    rows = list(recent.values_list(*INSTANTS)[:SAMPLE])
    ends = {name.removesuffix("_at"): index for index, name in enumerate(INSTANTS)}
    legs = [(end, (index - 1, index)) for end, index in ends.items() if index]
    legs.append(("total", (0, len(INSTANTS) - 1)))
    spreads = {name: _spread(rows, *leg) for name, leg in legs}
    return {name: spread for name, spread in spreads.items() if spread}


def _spread(rows: Iterable[tuple[datetime | None, ...]], start: int, end: int) -> Spread | None:
    pairs = ((row[start], row[end]) for row in rows)
    took = sorted((late - early).total_seconds() for early, late in pairs if early and late)
    if not took:
        return None
    return Spread(samples=len(took), p50=_rank(took, 0.50), p95=_rank(took, 0.95))


def _rank(ordered: list[float], share: float) -> float:
    return ordered[math.ceil(share * len(ordered)) - 1]


def delete_old(*, now: datetime) -> int:
    return LatencySample.objects.filter(stored_at__lt=now - timedelta(days=1)).delete()[0]
