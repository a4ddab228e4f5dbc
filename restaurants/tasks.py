"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from restaurants import service_days
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.invitations.models import Invitation


@shared_task
def recompute_service_days() -> None:
    service_days.recompute_corrected(now=timezone.now())


@shared_task
def end_emergency_access() -> None:
    EmergencyAccess.objects.end_due(now=timezone.now())


@shared_task
def delete_expired_invitations() -> None:
    """Delete expired invitations with their names and addresses."""
    Invitation.objects.filter(expires_at__lt=timezone.now()).delete()
