"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from mirror.tasks import work as read_what_is_due
from outbox import engine


@shared_task
def work() -> None:
    """Send and check what is due. Offered by a hint after each intent, and by the beat."""
    if engine.work(now=timezone.now()):
        read_what_is_due.delay()
