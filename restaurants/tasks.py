"""Background entries of the room."""

from celery import shared_task
from django.utils import timezone

from restaurants import filing


@shared_task
def refile() -> None:
    filing.refile_corrected(now=timezone.now())
