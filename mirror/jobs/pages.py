"""How far jobs are, and when they will be done."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from mirror.models import Job, Slice, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.sync_requests import UNREAD


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
        slices_failed=Count("pk", filter=Q(state=Slice.State.FAILED)),
        found=Sum("found"),
        repaired=Sum("repaired"),
    )


# Of a job without a listing, for no place is set up.
NONE = {"slices": 0, "slices_done": 0, "slices_failed": 0, "found": 0, "repaired": 0}


def _counts(listed: dict[str, int], unread: int) -> dict[str, int]:
    return {**listed, "read": max(listed["found"] - unread, 0), "unread": unread}


def first_copy() -> str:
    """How far the newest backfill is while it runs, in words. Three queries."""
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
    """Guess the end from the pace so far, once there is one."""
    if not job.is_open or done["read"] < sync_requests.CHUNK or not done["slices_done"]:
        return None
    per_row = (now - job.started_at) / done["read"]
    per_slice = done["found"] / (done["slices_done"] or 1)
    rows_to_come = per_slice * done["slices"] - done["read"]
    return now + per_row * max(rows_to_come, 0)
