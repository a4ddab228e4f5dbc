"""Retention: which guests are erased as their time comes, and the approval of many at once."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from uuid import UUID

from django.conf import settings

from accounts import audit
from accounts.models import User
from customers import personal_data
from customers.models import (
    Customer,
    PurgeQuestion,
)
from customers.privacy.erasure import erase
from mirror.models import Mirrored

# Erasure follows a deletion upstream after this time, long enough to notice a mistake.
GONE_FOR = timedelta(days=30)
AT_ONCE = 200  # guests of one run of retention
LOOKED_AT = 1000  # guests of one query
MOST_COUNTED = 10_000


def keep_until(guest: Customer, *, now: datetime) -> datetime | None:
    """When retention erases the guest, or None. One query an app."""
    dates = []
    if guest.presence == Mirrored.Presence.GONE:
        dates.append(guest.changed_at + GONE_FOR)
    if months := settings.GUEST_RETENTION_MONTHS:
        seen = personal_data.last_seen([guest.pk]).get(guest.pk, _known_since(guest))
        dates.append(max(seen + _span(months), now))
    return min(dates, default=None)


def purge(*, now: datetime) -> int:
    """Erase guests deleted upstream long ago, and guests without a visit for the retention time.

    Many at once are most likely due to a wrong clock, and erasure is final: a person has to approve
    first, and the approval covers what was due when the question was raised.
    """
    question = PurgeQuestion.objects.first()
    is_approved = question is not None and question.approved_at is not None
    as_of = min(now, question.raised_at) if question and is_approved else now
    due = list(_overdue(now=as_of))
    if is_approved and not due:
        PurgeQuestion.objects.all().delete()  # done: the next time a new question is raised
        return 0
    if not is_approved and len(due) > _usual_number(now=now):
        _raise_question(len(list(_overdue(now=now, most=MOST_COUNTED))), now=now)
        return 0
    if not is_approved:
        PurgeQuestion.objects.all().delete()  # the clock was put right
    for guest in due:
        erase(guest, actor=None, now=now)
    return len(due)


def _usual_number(*, now: datetime) -> int:
    """How many may be erased now without a person: a day's number, less those of today."""
    guests = Customer.objects.present().count()
    most: int = max(settings.GUEST_PURGE_LIMIT, guests * settings.GUEST_PURGE_PERCENT // 100)
    erased = Customer.objects.filter(presence=Mirrored.Presence.ERASED)
    return most - erased.filter(changed_at__gt=now - timedelta(days=1)).count()


def _raise_question(count: int, *, now: datetime) -> None:
    PurgeQuestion.objects.all().delete()
    PurgeQuestion.objects.create(raised_at=now, count=count)


def approve_purge(question: PurgeQuestion, user: User, *, now: datetime) -> None:
    open_ = PurgeQuestion.objects.filter(pk=question.pk, approved_at=None)
    if open_.update(approved_at=now, approved_by=user):
        audit.record(user, "approved a purge", details={"count": question.count})


def _overdue(*, now: datetime, most: int = AT_ONCE) -> Iterator[Customer]:
    gone = Customer.objects.filter(presence=Mirrored.Presence.GONE)
    yield from gone.filter(changed_at__lt=now - GONE_FOR).only("uuid")[:most]
    if settings.GUEST_RETENTION_MONTHS:
        yield from islice(_unseen(before=now - _span(settings.GUEST_RETENTION_MONTHS)), most)


def _unseen(*, before: datetime) -> Iterator[Customer]:
    """Walk the guests that are known for long, in the order of their keys, a chunk at a time."""
    old = Customer.objects.present().filter(first_seen_at__lt=before)
    keys = old.order_by("uuid").values_list("uuid", flat=True)
    chunk = list(keys[:LOOKED_AT])
    while chunk:
        yield from _last_seen_before(before, chunk)
        chunk = list(keys.filter(uuid__gt=chunk[-1])[:LOOKED_AT])


def _last_seen_before(moment: datetime, chunk: Sequence[UUID]) -> Iterator[Customer]:
    """Look up the exact time of the few only who were not certainly seen since."""
    others = personal_data.maybe_unseen(chunk, since=moment)
    seen = personal_data.last_seen(others)
    rows = Customer.objects.filter(pk__in=others).order_by("uuid")
    for guest in rows.only("uuid", "creation_date", "first_seen_at"):
        if seen.get(guest.pk, _known_since(guest)) < moment:
            yield guest


def _known_since(guest: Customer) -> datetime:
    """Start of retention for a guest without visits: the profile's creation, or our first read."""
    return guest.creation_date or guest.first_seen_at


def _span(months: int) -> timedelta:
    return timedelta(days=months * 30.44)
