"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from mirror.tasks import work as read_what_is_due
from outbox import engine


@shared_task
def work() -> None:
    """Send and verify due intents. Started after each submit, and periodically by beat."""
    if engine.work(now=timezone.now()):
        read_what_is_due.delay()
