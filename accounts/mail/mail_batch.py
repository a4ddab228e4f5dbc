"""A batch of mails that stops at the first connection fault, instead of waiting for each mail."""

import logging
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import send_mail

from accounts.mail.mail_queue import NOT_SENT
from accounts.models import User

# Anything else is the connection.
OF_ONE_MAIL = (SMTPResponseException, SMTPRecipientsRefused, ValueError)

logger = logging.getLogger(__name__)


class MailBatch:
    """Mails it could not send are the caller's to keep and to send with a later batch."""

    def __init__(self) -> None:
        self.is_down = False

    def send(self, user: User, subject: str, body: str) -> bool:
        if self.is_down:
            return False
        try:
            send_mail(" ".join(subject.split()), body, settings.DEFAULT_FROM_EMAIL, [user.email])
        except NOT_SENT as fault:
            self.is_down = not isinstance(fault, OF_ONE_MAIL)
            logger.warning("mail.not_sent", extra={"user_id": user.pk})
            return False
        return True
