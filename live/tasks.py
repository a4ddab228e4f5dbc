"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from live import latency
from live.models import Announcement


@shared_task
def forget() -> None:
    now = timezone.now()
    Announcement.objects.all().forget(now=now)
    latency.forget(now=now)
