"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from reviews import alarms, following, placement


@shared_task
def tend() -> None:
    """What the clock changes: reviews that become late, replies to look at again."""
    now = timezone.now()
    placement.place_pending(now=now)
    placement.place_refused(now=now)
    placement.keep_time(now=now)
    following.look_again(now=now)


@shared_task
def ring() -> None:
    """Low ratings and summaries, to those who want to hear of them."""
    now = timezone.now()
    alarms.ring(now=now)
    alarms.mail(now=now)
    alarms.digest(now=now)
