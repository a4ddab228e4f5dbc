"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from reservations import arrival_tracking, guest_list_columns


@shared_task
def measure_arrival_tracking() -> None:
    arrival_tracking.measure(now=timezone.now())


@shared_task
def measure_returning_guests() -> None:
    guest_list_columns.measure_returning_guests(now=timezone.now())
