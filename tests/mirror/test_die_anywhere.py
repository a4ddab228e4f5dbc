"""Jobs whose worker is killed at each of their writes in turn, and which another one takes up.

Whatever was written before it died: nothing is declared complete that is not, and in the end
everything is read and the place is proven.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from uuid import uuid4

import pytest
from django.db import connection, transaction

from customers.models import Customer
from mirror.jobs import lifecycle, slice_leases
from mirror.models import Job, Slice
from mirror.queue.worker_loop import process_queue
from tests.mirror.conftest import NOW
from tests.mirror.jobs import backfill, proven

pytestmark = pytest.mark.django_db
WRITES = ("INSERT", "UPDATE", "DELETE")
LAPSED = slice_leases.LISTING_LEASE + timedelta(seconds=1)


class Killed(BaseException):
    """The process ends here: nothing catches it."""


class UndoneAgain(Exception):
    """Ends a life, so that the next one begins with the same database."""


class Death:
    """Instead of the n-th write, and of no other."""

    def __init__(self, at: int) -> None:
        self.left = at

    @property
    def has_come(self) -> bool:
        return self.left < 1

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with suppress(Killed), connection.execute_wrapper(self._count):
            yield

    def _count(self, execute, sql, *facts):
        if sql.startswith(WRITES):
            self.left -= 1
            if self.left == 0:
                raise Killed
        return execute(sql, *facts)


def in_each_life(live: Callable[[Death], None]) -> int:
    """Live with a death at the first write, then at the second … until it comes too late."""
    for number in count(1):
        death = Death(number)
        with suppress(UndoneAgain), transaction.atomic():
            live(death)
            raise UndoneAgain
        if not death.has_come:
            return number
    return 0


def live_on(death: Death, *, until: Callable[[], bool], look: Callable[[], None]) -> datetime:
    """What the tasks of a worker do, one that is killed and its successor, until the job ends."""
    now = NOW
    for _round in range(20):
        with death():
            lifecycle.advance(now=now)
        look()
        process_queue(now=partial(lambda at: at, now))
        look()
        if until():
            return now
        now += LAPSED
    raise AssertionError(list(Slice.objects.values()))


def test_a_first_copy(service, quay):
    service.guests = {uuid4(): str(number) for number in range(7)}

    def nothing_is_false():
        if proven(quay):
            assert set(Customer.objects.values_list("uuid", flat=True)) == set(service.guests)

    def live(death):
        job = backfill()
        live_on(death, until=lambda: is_over(job), look=nothing_is_false)
        nothing_is_false()
        assert proven(quay)

    assert in_each_life(live) > 10


def is_over(job: Job) -> bool:
    job.refresh_from_db()
    return job.state == Job.State.DONE


@pytest.mark.parametrize("steer", [lifecycle.pause, lifecycle.resume, lifecycle.cancel])
def test_a_person_steers_it_and_presses_the_button_again(service, steer):
    """The page offers a button again where its effect is not to be seen."""
    service.guests = {uuid4(): str(number) for number in range(7)}
    before = {lifecycle.resume: Job.State.PAUSED}.get(steer, Job.State.RUNNING)

    def live(death):
        job = backfill()
        lifecycle.advance(now=NOW)
        if before == Job.State.PAUSED:
            lifecycle.pause(job, now=NOW)
        with death():
            steer(job, now=NOW)
        job.refresh_from_db()
        if job.state == before:
            steer(job, now=NOW)
        if steer is lifecycle.pause:
            lifecycle.resume(job, now=NOW)
        if steer is not lifecycle.cancel:
            live_on(death, until=lambda: is_over(job), look=lambda: None)
            assert Customer.objects.count() == 7

    assert in_each_life(live) > 1
