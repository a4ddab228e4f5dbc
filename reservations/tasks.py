"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from reservations.guest_panels import list_columns
from reservations.host_marks import store
from reservations.learnt_stays import learning
from reservations.service_day import bookings, note_readings


@shared_task
def measure_arrival_tracking() -> None:
    bookings.measure_arrival_tracking(now=timezone.now())


@shared_task
def learn_stays() -> None:
    learning.learn_due(now=timezone.now())


@shared_task
def read_unread_notes() -> None:
    note_readings.read_unread(now=timezone.now())


@shared_task
def measure_returning_guests() -> None:
    list_columns.measure_returning_guests(now=timezone.now())


@shared_task
def delete_past_host_marks() -> None:
    store.delete_past_marks(now=timezone.now())
