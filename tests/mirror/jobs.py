"""Jobs for tests: started, and carried to their end."""

from datetime import timedelta

from mirror import kinds
from mirror.jobs import completeness, lifecycle
from mirror.kinds import EntityLocation
from mirror.queue.worker_loop import process_queue
from tests.mirror.conftest import NOW

TODAY = NOW.date()


def backfill(**options):
    options = {"since": TODAY - timedelta(days=3), "until": TODAY, "now": NOW, **options}
    return lifecycle.backfill(**options)


def finish(job, *, now=NOW):
    for _ in range(10):
        lifecycle.advance(now=now)
        process_queue(now=lambda: now)
    job.refresh_from_db()
    return job


def set_listing(listing):
    object.__setattr__(kinds.get("customer"), "list", listing)


def proven(place):
    return completeness.proven("customer", EntityLocation(place.group.uuid))
