"""Deletes comparisons that ended long ago: an account makes one an hour, of dozens of listings.

A job is deleted whole. What a part of it would show on the page of jobs would be false.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, QuerySet, Window
from django.db.models.functions import RowNumber

from mirror.models import Job, Slice, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.sync_requests import CHUNK, UNREAD

KEPT = timedelta(days=30)
MOST = 200  # jobs of one run, each in a transaction of its own
PLACE = ("kind", "group_uuid", "restaurant_uuid")


def delete_old(*, now: datetime, most: int = MOST) -> int:
    """Delete old comparisons, the oldest first, except those that still answer a question.

    Backfills stay: they say which days were ever read.
    """
    is_read = ~Exists(SyncRequest.objects.filter(UNREAD, slice__job=OuterRef("pk")))
    ended = Job.objects.filter(is_read, purpose=Job.Purpose.SWEEP, ended_at__lt=now - KEPT)
    old = ended.exclude(pk__in=set(_needed())).order_by("pk")
    pks = list(old.values_list("pk", flat=True)[:most])
    for pk in pks:
        _delete(pk)
    return len(pks)


def _needed() -> Iterator[int]:
    """Jobs by which others are still judged. Four queries, and one for each step of takeovers."""
    slices = Slice.objects.order_by()
    # Where nothing is proven, a place is complete since then: completeness.first_listed.
    yield from _first_of(slices.exclude(listing_began_at=None), PLACE, "listing_began_at")
    # Whether a list is short again: short_lists. It looks for the last one before.
    sweeps = slices.filter(job__purpose=Job.Purpose.SWEEP).exclude(state=Slice.State.WAITING)
    yield from _first_of(sweeps, (*PLACE, "by"), "-pk")
    # The last one of each account stands on the health page.
    done = Job.objects.filter(purpose=Job.Purpose.SWEEP, state=Job.State.DONE).order_by()
    yield from done.values("connection").annotate(last=Max("pk")).values_list("last", flat=True)
    yield from _waited_for()


def _first_of(slices: QuerySet[Slice], place: tuple[str, ...], order: str) -> QuerySet[Slice, int]:
    """The job of the first slice in this order at each place. Equal ones follow by key."""
    key = F(order[1:]).desc() if order.startswith("-") else F(order).asc()
    rank = Window(RowNumber(), partition_by=[F(name) for name in place], order_by=[key, F("pk")])
    return slices.annotate(rank=rank).filter(rank=1).values_list("job", flat=True)


def _waited_for() -> Iterator[int]:
    """Those that took over what a job reads which is still open: it ends only with their reads."""
    still_open = [Job.State.RUNNING, Job.State.PAUSED]
    slices = Slice.objects.order_by()
    fresh = dict(slices.filter(waited_for_by__job__state__in=still_open).values_list("pk", "job"))
    found: dict[int, int] = {}
    while fresh := {pk: job for pk, job in fresh.items() if pk not in found}:
        found |= fresh
        fresh = dict(slices.filter(waited_for_by__in=fresh).values_list("pk", "job"))
    yield from found.values()


def _delete(pk: int) -> None:
    """In short transactions that lock in the order of keys, as every writer of requests does."""
    rows = SyncRequest.objects.filter(slice__job=pk)
    while rows.exists():
        with transaction.atomic():
            first = rows.order_by("pk").values_list("pk", flat=True)[:CHUNK]
            chosen = SyncRequest.objects.filter(pk__in=list(first))
            SyncRequest.objects.filter(pk__in=sync_requests.locked(chosen)).update(slice=None)
    Job.objects.filter(pk=pk).delete()
