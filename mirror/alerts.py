"""Faults that people must hear of although nobody looks: by mail, and on top of every page."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.post import Post
from lib.compiled_queries import prepared
from mirror import health
from mirror.models import Alert
from restaurants.access import can
from restaurants.models import Membership
from restaurants.shell import Shell

WATCH = "mirror.view_health"

AGAIN_AFTER = timedelta(hours=1)
# A state must last before it wakes anyone: a worker's restart is no fault.
LASTS = timedelta(minutes=2)
# After a mail that reached nobody.
TRY_AGAIN = timedelta(minutes=5)


def check(*, now: datetime) -> None:
    """Open, repeat and close alerts after what the sections say."""
    parts = health.sections(now)
    wrong = {p.name: p for p in parts if p.state in (health.LATE, health.DOWN)}
    for section in wrong.values():
        _raise(section, now=now)
    for alert in Alert.objects.filter(closed_at=None).exclude(cause__in=wrong):
        _close(alert, now=now)


def of_shell(shell: Shell) -> list[str]:
    """What stands on top of every page of those who can do something about it."""
    if not can(shell.user, WATCH):
        return []
    told = [sentence for (sentence,) in _lasting(timezone.now() - LASTS)]
    return told if shell.user.owns_installation else in_brief(told)


def in_brief(told: list[str]) -> list[str]:
    """What admins of one group read: a sentence may name restaurants of another."""
    brief = _("The copy of the service has a fault. The owners of the installation see which.")
    return [brief] if told else []


@prepared
def _lasting(since: datetime) -> Any:
    found = Alert.objects.filter(closed_at=None, opened_at__lte=since)
    return found.order_by("opened_at").values_list("sentence")


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
    if alert.sentence != section.sentence:  # it stands on every page meanwhile
        Alert.objects.filter(pk=alert.pk).update(sentence=section.sentence)
    if new or now - alert.told_at < AGAIN_AFTER:
        return
    claimed = Alert.objects.filter(pk=alert.pk, told_at=alert.told_at)
    if not claimed.update(told_at=now):
        return
    if not _mail(_("Couvert: %(title)s") % {"title": section.title}, section.sentence):
        soon = now - AGAIN_AFTER + TRY_AGAIN
        Alert.objects.filter(pk=alert.pk, told_at=now).update(told_at=soon)


def _close(alert: Alert, *, now: datetime) -> None:
    was_told = alert.told_at >= alert.opened_at
    if Alert.objects.filter(pk=alert.pk, closed_at=None).update(closed_at=now) and was_told:
        _mail(_("Couvert: over"), _("This is over: %(what)s") % {"what": alert.sentence})


def _mail(subject: str, sentence: str) -> bool:
    """Write to each by themselves: the admins of two groups need not know each other.

    False if nobody could be reached.
    """
    watching = Membership.objects.allowing(WATCH).values("user")
    admins = User.objects.filter(
        Q(is_superuser=True) | Q(is_owner=True) | Q(pk__in=watching), is_active=True
    )
    post = Post()
    reached = [post.send(user, *_words_for(user, subject, sentence)) for user in admins]
    return any(reached) or not reached


def _words_for(user: User, subject: str, sentence: str) -> tuple[str, str]:
    says = sentence if user.owns_installation else in_brief([sentence])[0]
    return subject, f"{says}\n\n{settings.PUBLIC_URL}/setup/mirror/\n"
