"""Background entries of the room."""

from celery import shared_task
from django.utils import timezone

from restaurants import service_days


@shared_task
def recompute_service_days() -> None:
    service_days.recompute_corrected(now=timezone.now())
