"""How far jobs are, and when they will be done."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from mirror.models import Job, Slice, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.sync_requests import UNREAD

# Of these it is known how many rows they name: all, or what they named before they broke off.
LISTED = (Slice.State.READING, Slice.State.DONE, Slice.State.FAILED, Slice.State.SHORT)
LAST_SLICES = 200
# Where no slice ended for so long, nobody worked. With a night in which the machine was off, the
# rest of an hour would take days.
STANDSTILL = timedelta(minutes=15)


def progress(job: Job) -> dict[str, int]:
    """Count slices and rows, for the progress bar and `--wait`. Two queries."""
    [(_job, done)] = with_progress([job])
    return done


def with_progress(jobs: Iterable[Job]) -> list[tuple[Job, dict[str, int]]]:
    """Every job with its counts. Two queries, whatever their number."""
    jobs = list(jobs)
    listed = {facts.pop("job"): facts for facts in _listed(jobs)}
    rows = SyncRequest.objects.filter(UNREAD, slice__job__in=jobs).order_by()
    unread = dict(rows.values_list("slice__job").annotate(Count("pk")))
    return [(job, _counts(listed.get(job.pk, NONE), unread.get(job.pk, 0))) for job in jobs]


def _listed(jobs: list[Job]) -> Any:
    slices = Slice.objects.filter(job__in=jobs).order_by()
    return slices.values("job").annotate(
        slices=Count("pk"),
        slices_done=Count("pk", filter=Q(state=Slice.State.DONE)),
        slices_listed=Count("pk", filter=Q(state__in=LISTED)),
        slices_failed=Count("pk", filter=Q(state=Slice.State.FAILED)),
        found=Sum("found"),
        repaired=Sum("repaired"),
    )


# Of a job without a listing, for no place is set up.
NONE = {
    "slices": 0,
    "slices_done": 0,
    "slices_listed": 0,
    "slices_failed": 0,
    "found": 0,
    "repaired": 0,
}


def _counts(listed: dict[str, int], unread: int) -> dict[str, int]:
    return {**listed, "read": max(listed["found"] - unread, 0), "unread": unread}


def first_copy() -> str:
    """How far the newest backfill is while it runs, in words. Four queries."""
    job = Job.objects.filter(purpose=Job.Purpose.BACKFILL, state=Job.State.RUNNING).last()
    if job is None:
        return ""
    done = progress(job)
    words = _("%(read)s of %(found)s read") % {
        "read": number_format(done["read"], force_grouping=True),
        "found": number_format(done["found"], force_grouping=True),
    }
    now = timezone.now()
    end = eta(job, done, now=now)
    left = _("about %(time)s left") % {"time": timeuntil(end, now)} if end else ""
    return f"{words} · {left}" if left else words


def eta(job: Job, done: dict[str, int], *, now: datetime) -> datetime | None:
    """Guess the end from the pace of late, once there is one."""
    if not job.is_open:
        return None
    read, time = _read_of_late(job, now=now)
    if read < sync_requests.CHUNK or not done["slices_listed"]:
        return None
    rows_to_come = done["found"] * done["slices"] / done["slices_listed"] - done["read"]
    return now + time / read * max(rows_to_come, 0)


def _read_of_late(job: Job, *, now: datetime) -> tuple[int, timedelta]:
    """The rows of the last slices, and how long they took; since the last standstill at most."""
    ended = job.slices.filter(done_at__isnull=False).order_by("-done_at")
    moments: list[Any] = list(ended.values_list("done_at", "found")[:LAST_SLICES])
    if len(moments) < LAST_SLICES:
        moments.append((job.started_at, 0))
    rows, rows_until, began = 0, 0, now
    for done_at, found in moments:
        if began - done_at > STANDSTILL:
            break
        # The first of them only marks the beginning: its own rows were read before.
        rows, rows_until, began = rows + rows_until, found, done_at
    return rows, now - began
