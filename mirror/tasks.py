"""Celery tasks of the app."""

from celery import current_app, shared_task
from django.utils import timezone

from lib.database import sqlite
from mirror import drift
from mirror.jobs import lifecycle, new_places, retention
from mirror.processes import heartbeat
from mirror.queue import moved_groups, parked
from mirror.queue.worker_loop import process_queue


@shared_task
def work() -> None:
    """Serve what is due. Beat sends this every other second, notifications send it sooner."""
    heartbeat.beat("worker", now=timezone.now())
    if process_queue()["unfinished"]:
        work.delay()


@shared_task
def advance() -> None:
    """Take backfills and sweeps one step on, and read what they found."""
    lifecycle.advance(now=timezone.now())
    work.delay()


@shared_task
def sweep() -> None:
    now = timezone.now()
    moved_groups.adopt_strays(now=now)
    if lifecycle.sweep_if_due(now=now):
        advance.delay()


@shared_task
def repair() -> None:
    """Read what was parked for a passing reason, and restaurants that are new to their group."""
    if new_places.read_new_places(now=timezone.now()):
        advance.delay()
    if parked.retry_passing(now=timezone.now()):
        work.delay()


@shared_task
def delete_old() -> None:
    now = timezone.now()
    retention.delete_old(now=now)
    drift.delete_old(now=now)


@shared_task
def count_indexes() -> None:
    """Count the indexes of SQLite. One statement, of less than a second."""
    sqlite.count_indexes()


def offer(name: str) -> None:
    """Offer a task by its name, as beat does."""
    current_app.send_task(name)
