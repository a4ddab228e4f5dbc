"""Runs a job to its end in this process, whether or not workers help (`--wait`)."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from queue import Empty, SimpleQueue

from django.db import connections
from django.utils import timezone

from mirror.jobs import lifecycle
from mirror.jobs import pages as jobs_pages
from mirror.models import Job
from mirror.queue.worker_loop import process_queue

PAUSE = 0.1
LIST_EVERY = 1.0
REPORT_EVERY = 5.0
# Longer than a task may take, because each stretch ends with idle threads; but not endless, so that
# a finished job is noticed where events never cease.
STRETCH = timedelta(minutes=2)


def run_until_done(job: Job, *, report: Callable[[str], object]) -> None:
    """Return when the job is closed; report its progress every few seconds.

    One thread lists while the other reads, as two workers would: no read waits for a listing. When
    all is read, the next list is read, or the job closed, at once.
    """
    signals = SimpleQueue[bool]()  # all is read; True: and the job is over
    with ThreadPoolExecutor(max_workers=1) as pool:
        listing = pool.submit(_list_until, signals, job.pk, report)
        try:
            while job.is_open and not listing.done():
                if process_queue(budget=STRETCH):
                    signals.put(False)
                time.sleep(PAUSE)
                job.refresh_from_db()
        finally:
            signals.put(True)
        listing.result()  # what ended it too soon is raised here
    report(line(job))
    for piece in job.slices.filter(state__in=["failed", "short"]):
        report(f"  {piece}: {piece.sentence}")


def _list_until(signals: SimpleQueue[bool], job_id: int, report: Callable[[str], object]) -> None:
    reported_at, is_over = time.monotonic(), False
    try:
        while not is_over:
            lifecycle.advance(now=timezone.now())
            if time.monotonic() - reported_at > REPORT_EVERY:
                report(line(Job.objects.get(pk=job_id)))
                reported_at = time.monotonic()
            with suppress(Empty):
                is_over = signals.get(timeout=LIST_EVERY)
    finally:
        connections.close_all()


def line(job: Job) -> str:
    done = jobs_pages.progress(job)
    return (
        f"{job.state}: {done['read']:,} of {done['found']:,} read, {done['slices_done']} of "
        f"{done['slices']} listings done, {done['repaired']:,} new or different{_short(job)}"
    )


def _short(job: Job) -> str:
    number = job.slices.filter(held__gt=0).count()
    return f", {number} far shorter than the copy" if number else ""
