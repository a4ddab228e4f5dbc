"""Mails about a role that a superuser took."""

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.mail import mail_queue
from accounts.models import User
from accounts.tasks import send_mails
from lib.broker.worker_signals import notify_workers
from lib.dates import date_format
from restaurants.emergency_access.models import EmergencyAccess


def notify_owners(access: EmergencyAccess) -> None:
    """Mail the owners in their own language, before the first page is opened with the role."""
    owners = User.objects.owners()
    if connection := access.group.connection_id:
        owners = owners.filter(owned_connections=connection)
    for owner in owners:
        with translation.override(owner.language or settings.LANGUAGE_CODE):
            subject = _("Couvert: somebody who runs the server took a role")
            mail_queue.enqueue(owner.email, subject=subject, body=body_of(access))
    notify_workers(send_mails)


def body_of(access: EmergencyAccess) -> str:
    until = date_format(timezone.localtime(access.ends_at), "DATETIME_FORMAT")
    words = _(
        "%(person)s has the role “%(role)s” in %(group)s until %(until)s. "
        "The reason given: %(reason)s"
    ) % {
        "person": access.person.email,
        "role": access.get_role_display(),
        "group": access.group,
        "until": until,
        "reason": access.reason,
    }
    link = f"{settings.PUBLIC_URL}/setup/people/audit/"
    trail = _("The audit trail lists what is done with it:")
    return f"{words}\n\n{trail} {link}\n"
