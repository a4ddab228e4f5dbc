"""Carry a job to its end in this process, whether or not workers help."""

import time
from collections.abc import Callable

from django.utils import timezone

from mirror import jobs
from mirror.drain import drain
from mirror.models import Job

PAUSE = 0.2
SAY_EVERY = 5.0


def until_done(job: Job, *, say: Callable[[str], object]) -> None:
    """Return when the job is closed. Says how far it is every few seconds."""
    said_at = 0.0
    while job.is_open:
        jobs.advance(now=timezone.now())
        drain()
        job.refresh_from_db()
        if time.monotonic() - said_at > SAY_EVERY:
            say(line(job))
            said_at = time.monotonic()
        if job.is_open:
            time.sleep(PAUSE)
    say(line(job))
    for piece in job.slices.filter(state="failed"):
        say(f"  {piece}: {piece.sentence}")


def line(job: Job) -> str:
    done = jobs.progress(job)
    return (
        f"{job.state}: {done['read']:,} of {done['found']:,} read, {done['slices_done']} of "
        f"{done['slices']} listings done, {done['repaired']:,} new or different"
    )
