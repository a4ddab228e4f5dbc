"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from live import latency
from live.models import Announcement, PushEvent
from live.push import sending


@shared_task
def delete_old() -> None:
    now = timezone.now()
    Announcement.objects.all().delete_old(now=now)
    latency.delete_old(now=now)
    PushEvent.objects.all().delete_old(now=now)


@shared_task
def send_pushes() -> None:
    """Turn what happened into push messages, and send those that are due."""
    sending.send_due(now=timezone.now())
