"""Carry a job to its end in this process, whether or not workers help."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from django.db import connections
from django.utils import timezone

from mirror import jobs
from mirror.drain import drain
from mirror.models import Job

PAUSE = 0.2
LIST_EVERY = 1.0
SAY_EVERY = 5.0
# Longer than a task may take, because each stretch ends with idle readers; but where events never
# cease, so that a job that is over is noticed.
STRETCH = timedelta(minutes=2)


def until_done(job: Job, *, say: Callable[[str], object]) -> None:
    """Return when the job is closed. Says how far it is every few seconds.

    One thread lists while the other reads, as two workers would: no reader waits for a listing.
    """
    is_over = threading.Event()
    with ThreadPoolExecutor(max_workers=1) as pool:
        listing = pool.submit(_list_until, is_over, job.pk, say)
        try:
            while job.is_open and not listing.done():
                drain(budget=STRETCH)
                job.refresh_from_db()
                if job.is_open:
                    time.sleep(PAUSE)
        finally:
            is_over.set()
        listing.result()  # what ended it too soon is raised here
    say(line(job))
    for piece in job.slices.filter(state__in=["failed", "short"]):
        say(f"  {piece}: {piece.sentence}")


def _list_until(is_over: threading.Event, job_id: int, say: Callable[[str], object]) -> None:
    said_at = time.monotonic()
    try:
        while not is_over.is_set():
            jobs.advance(now=timezone.now())
            if time.monotonic() - said_at > SAY_EVERY:
                say(line(Job.objects.get(pk=job_id)))
                said_at = time.monotonic()
            is_over.wait(LIST_EVERY)
    finally:
        connections.close_all()


def line(job: Job) -> str:
    done = jobs.progress(job)
    return (
        f"{job.state}: {done['read']:,} of {done['found']:,} read, {done['slices_done']} of "
        f"{done['slices']} listings done, {done['repaired']:,} new or different{_short(job)}"
    )


def _short(job: Job) -> str:
    number = job.slices.filter(held__gt=0).count()
    return f", {number} far shorter than the copy" if number else ""
