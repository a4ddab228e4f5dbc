"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from phone.calls import checking
from phone.models import Call


@shared_task
def ask() -> None:
    """Ask the service who rings. Offered when a call comes in."""
    checking.check_callers(now=timezone.now())


@shared_task
def delete_old() -> None:
    Call.objects.delete_old(now=timezone.now())
