"""How complete the copy of the guests is: their number, until when, and whether a backfill runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Min

from customers.models import Customer
from mirror.models import Completeness, Job, Slice
from restaurants.models import Group

COUNTED_FOR = 60  # seconds: counting 300,000 rows for every page would be its largest query


class Coverage(NamedTuple):
    guests: int
    complete_at: datetime | None
    is_reading: bool


def coverage_of(groups: Sequence[Group]) -> Coverage:
    """Two queries, and one count for each group within a minute."""
    return Coverage(
        guests=sum(count_of(group) for group in groups),
        complete_at=_complete_at(groups),
        is_reading=_is_reading(groups),
    )


def count_of(group: Group) -> int:
    def count() -> int:
        return Customer.objects.present().filter(group=group).count()

    return int(cache.get_or_set(f"customers:count:{group.pk}", count, COUNTED_FOR) or 0)


def _complete_at(groups: Sequence[Group]) -> datetime | None:
    """The oldest of the groups: only up to then are all of them complete."""
    rows = Completeness.objects.filter(kind="customer", group_uuid__in=[g.uuid for g in groups])
    known = rows.values("group_uuid").annotate(at=Min("complete_at"))
    instants = [row["at"] for row in known]
    return min(instants) if instants and len(instants) == len(groups) else None


def _is_reading(groups: Sequence[Group]) -> bool:
    pieces = Slice.objects.filter(kind="customer", group_uuid__in=[g.uuid for g in groups])
    running = pieces.filter(job__state=Job.State.RUNNING, job__purpose=Job.Purpose.BACKFILL)
    return running.exclude(state=Slice.State.DONE).exists()
