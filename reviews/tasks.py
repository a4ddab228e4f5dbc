"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from reviews.alerts import mails
from reviews.inbox import placement
from reviews.moderation import following
from reviews.reply import workflow
from reviews.triage import leavers


@shared_task
def update_inbox() -> None:
    """Update what changes with time: late reviews, reviews of people who have left, and sent
    replies to request again."""
    now = timezone.now()
    workflow.end_stuck(now=now)
    leavers.release(now=now)
    placement.place_pending(now=now)
    placement.place_refused(now=now)
    placement.mark_late(now=now)
    following.look_again(now=now)


@shared_task
def send_alerts() -> None:
    """Create and mail the alerts of low ratings, and mail the digests."""
    now = timezone.now()
    mails.create_alerts(now=now)
    mails.mail(now=now)
    mails.digest(now=now)
