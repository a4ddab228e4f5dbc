"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from accounts.mail import mail_queue
from accounts.password_links import password_resets
from accounts.sign_in import recovery_codes


@shared_task
def send_mails() -> None:
    """Links to new passwords, and whatever the mail server has not taken yet."""
    now = timezone.now()
    password_resets.answer_requests(now=now)
    mail_queue.send_due(now=timezone.now())


@shared_task
def hash_recovery_codes() -> None:
    """Codes that were shown are kept as hashes only."""
    recovery_codes.hash_seen_sets(now=timezone.now())
