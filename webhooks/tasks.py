"""The background entries of this room."""

from celery import shared_task
from django.utils import timezone

from mirror import tasks as mirror
from webhooks import routing
from webhooks.models import Delivery


@shared_task
def route() -> None:
    """Turn what was delivered into wishes, and read at once. Beat sends it too: the sweep."""
    if routing.route_new(now=timezone.now()):
        mirror.work()


@shared_task
def forget() -> None:
    Delivery.objects.forget_old(now=timezone.now())
