"""Alerts: faults that are mailed to admins and shown on top of every page."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Case, Q, When
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from accounts.mail.mail_batch import MailBatch
from accounts.models import User
from lib.database.compiled_queries import prepared
from live.announcements import announce
from live.models import Announcement
from mirror.health import push_messages, reach, sections
from mirror.models import Alert
from mirror.queue.store import EVERYTHING
from restaurants.access import can
from restaurants.models import Group, Membership
from restaurants.shell import Shell

WATCH = "mirror.view_health"

AGAIN_AFTER = timedelta(hours=1)
# A state must last before it wakes anyone: a worker's restart is no fault.
LASTS = timedelta(minutes=2)
# Shown at once, and to everybody: nothing arrives or leaves, whatever a screen shows.
# So people who cannot mend it read what it means for them.
STANDSTILLS = {
    "worker": _lazy("No update for a moment: what you see may be old."),
    "beat": _lazy("A part of Couvert has stopped. The rest does its work meanwhile."),
    "outbox": _lazy("Changes that were sent here have not left yet."),
}
# After a mail that reached nobody.
TRY_AGAIN = timedelta(minutes=5)


def check(*, now: datetime) -> None:
    """Open, repeat and close alerts by the state of the health sections."""
    parts = sections.sections(now)
    wrong = {p.name: p for p in parts if p.state in (sections.LATE, sections.DOWN)}
    for section in wrong.values():
        _raise(section, now=now)
    for alert in Alert.objects.filter(closed_at=None).exclude(cause__in=wrong):
        _close(alert, now=now)


def of_shell(shell: Shell) -> list[str]:
    """Return the alert lines on top of a person's pages, for those who can act on them.

    A standstill is shown to everybody: screens are old and sent changes wait.
    """
    if not isinstance(shell.user, User):
        return []
    found = _open_since(timezone.now() - LASTS)
    if not can(shell.user, WATCH):
        return [str(STANDSTILLS[cause]) for cause, *_rest in found if cause in STANDSTILLS]
    # Stored in English: what has no number in it is found in the reader's catalogue.
    lines = [_(sentence) for cause, _lasts, sentence in found if cause in STANDSTILLS]
    others = [_(line) for cause, lasts, line in found if lasts and cause not in STANDSTILLS]
    return lines + (others if reach.sees_all_sections(shell.user) else in_brief(others))


def in_brief(lines: list[str]) -> list[str]:
    """The alert for admins of one group, without its sentence, which may name other groups."""
    brief = _("The copy of the service has a fault. The owners of the installation see which.")
    return [brief] if lines else []


def standstills() -> list[str]:
    """The causes that keep news from arriving or changes from leaving."""
    return [cause for cause, *_rest in _open_since(timezone.now()) if cause in STANDSTILLS]


@prepared
def _open_since(since: datetime) -> Any:
    lasts = Case(When(opened_at__lte=since, then=True), default=False)
    found = Alert.objects.filter(closed_at=None).order_by("opened_at")
    return found.values_list("cause", lasts, "sentence")


def _raise(section: sections.Section, *, now: datetime) -> None:
    alert, new = Alert.objects.get_or_create(
        cause=section.name,
        closed_at=None,
        # Mailed only once it has lasted: the first mail is due then.
        defaults={
            "sentence": section.sentence,
            "opened_at": now,
            "notified_at": now - AGAIN_AFTER + LASTS,
        },
    )
    if new:
        refresh_screens()
    if alert.sentence != section.sentence:  # it stands on every page meanwhile
        Alert.objects.filter(pk=alert.pk).update(sentence=section.sentence)
    if new or now - alert.notified_at < AGAIN_AFTER:
        return
    claimed = Alert.objects.filter(pk=alert.pk, notified_at=alert.notified_at)
    if not claimed.update(notified_at=now):
        return
    push_messages.note(alert, now=now)
    if not _mail(_("Couvert: %(title)s") % {"title": section.title}, section.sentence):
        soon = now - AGAIN_AFTER + TRY_AGAIN
        Alert.objects.filter(pk=alert.pk, notified_at=now).update(notified_at=soon)


def _close(alert: Alert, *, now: datetime) -> None:
    was_notified = alert.notified_at >= alert.opened_at
    is_mine = Alert.objects.filter(pk=alert.pk, closed_at=None).update(closed_at=now)
    if is_mine:
        refresh_screens()
    if is_mine and was_notified:
        _mail(_("Couvert: over"), _("This is over: %(what)s") % {"what": alert.sentence})


def refresh_screens() -> None:
    """Make open pages reload their alert lines."""
    groups = Group.objects.values_list("pk", flat=True)
    announce(
        Announcement(kind="alert", uuid=EVERYTHING, version=0, group_id=group) for group in groups
    )


def _mail(subject: str, sentence: str) -> bool:
    """Send one mail per person: admins of two groups must not learn each other's addresses.

    Returns False if nobody could be reached.
    """
    watching = Membership.objects.allowing(WATCH).values("user")
    admins = User.objects.filter(
        Q(is_superuser=True) | Q(is_owner=True) | Q(pk__in=watching), is_active=True
    )
    batch = MailBatch()
    reached = [batch.send(user, *_words_for(user, subject, sentence)) for user in admins]
    return any(reached) or not reached


def _words_for(user: User, subject: str, sentence: str) -> tuple[str, str]:
    text = sentence if reach.sees_all_sections(user) else in_brief([sentence])[0]
    return subject, f"{text}\n\n{settings.PUBLIC_URL}/setup/mirror/\n"
