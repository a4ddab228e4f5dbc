"""Background entries of the room."""

from celery import shared_task
from django.utils import timezone

from reservations import guest_list, habits


@shared_task
def measure_habits() -> None:
    habits.measure(now=timezone.now())


@shared_task
def measure_regulars() -> None:
    guest_list.measure_regulars(now=timezone.now())
