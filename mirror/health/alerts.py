"""Alerts: faults that are mailed to those whose they are and shown on top of their pages."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Case, QuerySet, When
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from accounts.mail.mail_batch import MailBatch
from accounts.models import User
from lib.database import bulk
from lib.database.compiled_queries import prepared
from lib.labels import labelled
from live.announcements import announce
from live.models import Announcement
from mirror.health import push_messages, reach, sections
from mirror.models import Alert
from mirror.queue.store import EVERYTHING
from restaurants.access import can
from restaurants.models import Group
from restaurants.shell import Shell

WATCH = reach.RIGHT

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
# Why the others are as they are: without a key each copy grows old and each change waits.
ROOTS = {"worker", "token", "api"}
# After a mail that reached nobody.
TRY_AGAIN = timedelta(minutes=5)
OPEN_COLUMNS = ("cause", "connection_id", "connection__name")

Key = tuple[str, int | None]
Wrong = dict[Key, sections.Section]


class OpenAlert(NamedTuple):
    """An open alert as pages show it."""

    cause: str
    connection: int | None
    account: str | None  # the name of the connection
    lasts: bool
    sentence: str
    translations: dict[str, str] | None

    @property
    def words(self) -> str:
        """The sentence in the language of the reader."""
        return (self.translations or {}).get(get_language() or "") or _(self.sentence)


class TranslatedFault(NamedTuple):
    """A section that is wrong, and the same in every language."""

    section: sections.Section
    languages: dict[str, sections.Section]

    @property
    def translations(self) -> dict[str, str]:
        return {code: part.sentence for code, part in self.languages.items()}


def check(*, now: datetime) -> None:
    """Open, repeat and close alerts by the state of the health sections.

    A fixed number of queries but for messages that are due, however many accounts are at fault.
    """
    _update(sections.sections(now), _open_alerts(), now=now)


def check_standstills(*, now: datetime) -> None:
    """The same for standstills alone: in a fraction of the time, so that it can be done often."""
    alerts = _open_alerts().filter(cause__in=STANDSTILLS)
    _update(sections.standstill_sections(now), alerts, now=now)


def _open_alerts() -> QuerySet[Alert]:
    return Alert.objects.filter(closed_at=None)


def _update(parts: Iterable[sections.Section], alerts: Iterable[Alert], *, now: datetime) -> None:
    """Bring the alerts up to date that these sections can open and close."""
    wrong = _wrong(parts)
    if wrong:
        _adopt(wrong)
    languages = _translated(wrong, now=now)
    faults = {
        key: TranslatedFault(section, {code: parts[key] for code, parts in languages.items()})
        for key, section in wrong.items()
    }
    known = {_key(alert): alert for alert in alerts}
    _open([fault for key, fault in faults.items() if key not in known], now=now)
    lasting = [(alert, faults[key]) for key, alert in known.items() if key in faults]
    _reword(lasting)
    mails = MailBatch()
    for alert, fault in lasting:
        if now - alert.notified_at >= AGAIN_AFTER:
            _notify(alert, fault, mails, now=now)
    _close([alert for key, alert in known.items() if key not in faults], mails, now=now)


def _key(alert: Alert) -> Key:
    return alert.cause, alert.connection_id


def _wrong(parts: Iterable[sections.Section]) -> Wrong:
    states = (sections.LATE, sections.DOWN)
    return {(part.name, part.connection): part for part in parts if part.state in states}


def _translated(wrong: Wrong, *, now: datetime) -> dict[str, Wrong]:
    """The sections that are wrong in every language; of one that is over meanwhile, as it was.

    Accounts that work are not looked at again: one of two hundred may be at fault for days.
    """
    found = {}
    for code, _name in settings.LANGUAGES if wrong else ():
        with override(code):
            found[code] = wrong | _wrong(sections.anew(wrong.values(), now))
    return found


def _adopt(wrong: Iterable[Key]) -> None:
    """Give alerts from before the first connection to it, and those of the version before."""
    accounts = {connection for _cause, connection in wrong if connection}
    if len(accounts) == 1:
        (only,) = accounts
        rows = Alert.objects.filter(closed_at=None)
        known = rows.filter(connection=only).values_list("cause", flat=True)
        causes = {cause for cause, connection in wrong if connection} - set(known)
        rows.filter(connection=None, cause__in=causes).update(connection=only)


def of_shell(shell: Shell) -> list[str]:
    """Return the alert lines on top of a person's pages, for those who can act on them.

    A standstill is shown to everybody whom it concerns: screens are old and sent changes wait.
    """
    if not isinstance(shell.user, User):
        return []
    rows = [OpenAlert(*row) for row in _open_since(timezone.now() - LASTS)]
    found = sorted(rows, key=lambda one: one.cause not in ROOTS)
    reader = _Reader(shell) if found else None
    return list(dict.fromkeys(line for one in found if reader and (line := reader.line(one))))


class _Reader:
    """What one person reads of open alerts. One query for those who read of every account."""

    def __init__(self, shell: Shell) -> None:
        self.user: User = shell.user
        self.may_watch = can(self.user, WATCH)
        self._places = shell.restaurants

    def line(self, alert: OpenAlert) -> str:
        is_standstill = alert.cause in STANDSTILLS
        if not (alert.lasts or is_standstill) or not self._is_concerned(alert):
            return ""
        if reach.sees_whole(self.user, alert.connection):
            return self._named(alert)
        if not self._watches(alert):
            return str(STANDSTILLS[alert.cause]) if is_standstill else ""
        return alert.words if is_standstill else in_brief(alert.connection)

    def _named(self, alert: OpenAlert) -> str:
        if alert.account and reach.has_several_accounts(self.user):
            return labelled(alert.account, alert.words)
        return alert.words

    def _is_concerned(self, alert: OpenAlert) -> bool:
        """Whether the fault is of the machine, or of an account with places of theirs."""
        if alert.connection is None or reach.sees_whole(self.user, alert.connection):
            return True
        return any(place.group.connection_id == alert.connection for place in self._places)

    def _watches(self, alert: OpenAlert) -> bool:
        if alert.connection is None:
            return self.may_watch
        return any(
            place.group.connection_id == alert.connection and can(self.user, WATCH, place)
            for place in self._places
        )


def in_brief(connection: int | None) -> str:
    """The alert without its sentence: of the account for admins of one group, because it may name
    other groups; of the machine for whoever does not run it."""
    if connection is None:
        return _("A part of Couvert has a fault. Whoever runs the installation sees which.")
    return _("The copy of the service has a fault. The owners of the installation see which.")


def standstills() -> list[str]:
    """The causes that keep news from arriving or changes from leaving."""
    return list(dict.fromkeys(cause for cause, _connection in open_standstills()))


def open_standstills() -> list[Key]:
    rows = _open_since(timezone.now())
    return [(cause, connection) for cause, connection, *_rest in rows if cause in STANDSTILLS]


@prepared
def _open_since(since: datetime) -> Any:
    lasts = Case(When(opened_at__lte=since, then=True), default=False)
    found = Alert.objects.filter(closed_at=None).order_by("opened_at")
    return found.values_list(*OPEN_COLUMNS, lasts, "sentence", "translations")


def _open(faults: list[TranslatedFault], *, now: datetime) -> None:
    """Mailed only once they have lasted: the first mail is due then."""
    # Another process may open the same ones at this moment.
    Alert.objects.bulk_create(
        [
            Alert(
                cause=fault.section.name,
                connection_id=fault.section.connection,
                sentence=fault.section.sentence,
                translations=fault.translations,
                opened_at=now,
                notified_at=now - AGAIN_AFTER + LASTS,
            )
            for fault in faults
        ],
        ignore_conflicts=True,
    )
    refresh_screens(fault.section.connection for fault in faults)


def _reword(lasting: Iterable[tuple[Alert, TranslatedFault]]) -> None:
    """Store sentences that have changed, such as how long it lasts: they stand on every page."""
    changed = []
    for alert, fault in lasting:
        if alert.sentence != fault.section.sentence:
            alert.sentence, alert.translations = fault.section.sentence, fault.translations
            changed.append(alert)
    if changed:
        with transaction.atomic():  # one commit
            bulk.update(changed, ["sentence", "translations"])


def _notify(alert: Alert, fault: TranslatedFault, mails: MailBatch, *, now: datetime) -> None:
    claimed = Alert.objects.filter(pk=alert.pk, notified_at=alert.notified_at)
    if not claimed.update(notified_at=now):
        return
    push_messages.note(alert, now=now)
    if not _mail_fault(fault, mails):
        soon = now - AGAIN_AFTER + TRY_AGAIN
        Alert.objects.filter(pk=alert.pk, notified_at=now).update(notified_at=soon)


def _close(over: list[Alert], mails: MailBatch, *, now: datetime) -> None:
    if not over:
        return
    with transaction.atomic():
        rows = Alert.objects.filter(pk__in=[alert.pk for alert in over], closed_at=None)
        mine = set(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
        rows.update(closed_at=now)
    closed = [alert for alert in over if alert.pk in mine]
    refresh_screens(alert.connection_id for alert in closed)
    for alert in closed:
        if alert.notified_at >= alert.opened_at:
            _mail_end(alert, mails)


def refresh_screens(connections: Iterable[int | None]) -> None:
    """Make open pages of these accounts, or of all for the machine's, reload their alert lines."""
    concerned = set(connections)
    if not concerned:
        return
    groups = Group.objects.order_by("pk")
    if None not in concerned:
        groups = groups.filter(connection__in=concerned)
    announce(
        Announcement(kind="alert", uuid=EVERYTHING, version=0, group_id=group)
        for group in groups.values_list("pk", flat=True)
    )


def _mail_fault(fault: TranslatedFault, mails: MailBatch) -> bool:
    """Send one mail per person: admins of two groups must not learn each other's addresses.

    Returns False if nobody could be reached.
    """
    section, reached = fault.section, []
    for user in reach.watchers(section.connection):
        with override(user.language or settings.LANGUAGE_CODE):
            part = fault.languages.get(get_language() or "", section)
            sees_whole = reach.sees_whole(user, section.connection)
            title = part.heading if reach.has_several_accounts(user) else part.title
            text = part.sentence if sees_whole else in_brief(section.connection)
            subject = _("Couvert: %(title)s") % {"title": title}
            reached.append(mails.send(user, subject, _with_link(text)))
    return any(reached) or not reached


def _mail_end(alert: Alert, mails: MailBatch) -> None:
    for user in reach.watchers(alert.connection_id):
        with override(user.language or settings.LANGUAGE_CODE):
            whole = (alert.translations or {}).get(get_language() or "") or alert.sentence
            sees_whole = reach.sees_whole(user, alert.connection_id)
            text = _("This is over: %(what)s") % {
                "what": whole if sees_whole else in_brief(alert.connection_id)
            }
            mails.send(user, _("Couvert: over"), _with_link(text))


def _with_link(text: str) -> str:
    return f"{text}\n\n{settings.PUBLIC_URL}/setup/mirror/\n"
