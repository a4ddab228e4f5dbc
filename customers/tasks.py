"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from customers import duplicates, privacy


@shared_task
def purge() -> None:
    privacy.purge(now=timezone.now())


@shared_task
def measure_duplicates() -> None:
    duplicates.measure(now=timezone.now())
