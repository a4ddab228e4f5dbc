"""A table of mails about accounts, sent by the worker, so that no page waits for a mail server.

A refused mail is retried with growing pauses for a day.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from accounts.models import QueuedMail

logger = logging.getLogger(__name__)

# Longer than EMAIL_TIMEOUT, so that no other worker sends a mail that is being sent.
LEASE = timedelta(minutes=2)
LONGEST_PAUSE = timedelta(minutes=30)
# Every fault of a mail server, and what no mail can be made of.
NOT_SENT = (OSError, ValueError)
GIVE_UP_AFTER = timedelta(days=1)


def enqueue(recipient: str, *, subject: str, body: str) -> None:
    QueuedMail.objects.create(recipient=recipient, subject=subject[:200], body=body)


def send_due(*, now: datetime) -> int:
    """Send every due mail. Return how many were accepted."""
    sent = 0
    while mail := claim(now=now):
        sent += deliver(mail, now=now)
    return sent


def claim(*, now: datetime) -> QueuedMail | None:
    """Claim the oldest due mail. The claim of a worker that dies ends with the lease."""
    with transaction.atomic():
        due = QueuedMail.objects.filter(not_before__lte=now).order_by("not_before", "pk")
        mail = due.select_for_update(skip_locked=True).first()
        if mail:
            mail.attempts += 1
            mail.not_before = now + LEASE
            mail.save(update_fields=["attempts", "not_before"])
    return mail


def deliver(mail: QueuedMail, *, now: datetime) -> bool:
    """Send one mail; a refused one is postponed, and deleted after a day."""
    try:
        send_mail(mail.subject, mail.body, settings.DEFAULT_FROM_EMAIL, [mail.recipient])
    except NOT_SENT as fault:
        logger.warning("mail.not_sent", extra={"mail": mail.pk, "fault": type(fault).__name__})
        postpone(mail, now=now)
        return False
    mail.delete()
    return True


def postpone(mail: QueuedMail, *, now: datetime) -> None:
    if now - mail.created_at > GIVE_UP_AFTER:
        logger.error("mail.given_up", extra={"mail": mail.pk, "attempts": mail.attempts})
        mail.delete()
        return
    pause = min(timedelta(seconds=15 * 2 ** min(mail.attempts, 10)), LONGEST_PAUSE)
    QueuedMail.objects.filter(pk=mail.pk).update(not_before=now + pause)
