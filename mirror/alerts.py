"""Faults that people must hear of although nobody looks: by mail, and as a banner."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from mirror import health
from mirror.models import Alert
from restaurants.models import Membership

AGAIN_AFTER = timedelta(hours=1)
# A state must last before it wakes anyone: a worker's restart is no fault.
LASTS = timedelta(minutes=2)


def check(*, now: datetime) -> None:
    """Open, repeat and close alerts after what the sections say."""
    parts = health.sections(now)
    wrong = {p.name: p for p in parts if p.state in (health.LATE, health.DOWN)}
    for section in wrong.values():
        _raise(section, now=now)
    for alert in Alert.objects.filter(closed_at=None).exclude(cause__in=wrong):
        _close(alert, now=now)


def open_now() -> list[Alert]:
    return list(Alert.objects.filter(closed_at=None))


def _raise(section: health.Section, *, now: datetime) -> None:
    alert, new = Alert.objects.get_or_create(
        cause=section.name,
        closed_at=None,
        # Told only once it has lasted: the first telling is due then.
        defaults={
            "sentence": section.sentence,
            "opened_at": now,
            "told_at": now - AGAIN_AFTER + LASTS,
        },
    )
    if new or now - alert.told_at < AGAIN_AFTER:
        return
    claimed = Alert.objects.filter(pk=alert.pk, told_at=alert.told_at)
    if claimed.update(told_at=now, sentence=section.sentence):
        _mail(_("Couvert: %(title)s") % {"title": section.title}, section.sentence)


def _close(alert: Alert, *, now: datetime) -> None:
    was_told = alert.told_at >= alert.opened_at
    if Alert.objects.filter(pk=alert.pk, closed_at=None).update(closed_at=now) and was_told:
        _mail(_("Couvert: over"), _("This is over: %(what)s") % {"what": alert.sentence})


def _mail(subject: str, sentence: str) -> None:
    watching = Membership.objects.allowing("mirror.view_health").values("user")
    admins = User.objects.filter(Q(is_superuser=True) | Q(pk__in=watching), is_active=True)
    addresses = [user.email for user in admins]
    body = f"{sentence}\n\n{settings.PUBLIC_URL}/setup/mirror/\n"
    if addresses:
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, addresses, fail_silently=True)
