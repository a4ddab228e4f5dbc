"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from customers.duplicates import scores
from customers.privacy import retention


@shared_task
def purge() -> None:
    retention.purge(now=timezone.now())


@shared_task
def measure_duplicates() -> None:
    scores.measure(now=timezone.now())
