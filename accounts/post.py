"""Mails of one round. A mail server that is away is asked once in it, not once for each mail."""

import logging
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import send_mail

from accounts.models import User

logger = logging.getLogger(__name__)


class Post:
    """What it does not take is for the sender to keep, and to bring again in a later round."""

    def __init__(self) -> None:
        self.is_away = False

    def send(self, user: User, subject: str, body: str) -> bool:
        if self.is_away:
            return False
        try:
            send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [user.email])
        except OSError as fault:  # every fault of a mail server is one of these
            # What the server has answered is about this one mail.
            self.is_away = not isinstance(fault, SMTPResponseException | SMTPRecipientsRefused)
            logger.warning("mail.not_sent", extra={"user_id": user.pk})
            return False
        return True
