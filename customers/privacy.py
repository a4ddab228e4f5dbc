"""Privacy of guests: export, erasure, retention, and the record of profile views (docs/privacy.md).

Erasing leaves a tombstone: the row without anything that identifies the person. The mirror stores
nothing over it (`mirror.store`), so neither a backfill nor an event brings the guest back.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.models import User
from customers import personal_data
from customers.models import (
    Customer,
    DuplicateScore,
    InternalNote,
    NotSame,
    ProfileView,
    PurgeQuestion,
)
from lib.text import as_data
from live.announce import announce
from live.models import Announcement
from mirror.models import Change, Mirrored, SyncRequest
from restaurants.access import can
from restaurants.models import Restaurant

MANAGE = "customers.manage_privacy"
KIND = "customer"
# Erasure follows a deletion upstream after this time, long enough to notice a mistake.
GONE_FOR = timedelta(days=30)
AT_ONCE = 200  # guests of one run of retention
MOST_COUNTED = 10_000


def may_manage(user: User, everywhere: Iterable[Restaurant]) -> bool:
    """A profile belongs to all restaurants of the group: the right must be held at each."""
    return all(can(user, MANAGE, one) for one in everywhere)


def record_view(guest: Customer, user: User, what: str, *, now: datetime) -> None:
    """Record who viewed the profile. It refers to the uuid, which survives erasure."""
    ProfileView.objects.create(customer_uuid=guest.pk, user=user, what=what, at=now)


def collect(guest: Customer) -> dict[str, Any]:
    """Everything that is held on a person, app by app."""
    views = ProfileView.objects.filter(customer_uuid=guest.pk).order_by("at")
    changes = Change.objects.filter(kind=KIND, uuid=guest.pk)
    notes = InternalNote.objects.filter(customer_uuid=guest.pk)
    return {
        "guest": as_data(guest.raw),
        "derived": {"phone": guest.phone_e164, "second_phone": guest.secondary_phone_e164},
        "read_at": guest.read_at.isoformat(),
        "first_seen_at": guest.first_seen_at.isoformat(),
        "changes": [
            {"seen_at": c.seen_at.isoformat(), "field": c.field, "from": c.before, "to": c.after}
            for c in changes
        ],
        "house_notes": [{"text": n.text, "changed_at": n.changed_at.isoformat()} for n in notes],
        "looked_at": [{"at": view.at.isoformat(), "what": view.what} for view in views],
        **{provider.name: provider.collect(guest.pk) for provider in personal_data.PROVIDERS},
    }


def erase(guest: Customer, *, actor: User | None, now: datetime) -> None:
    """Erase the person in every app, in one transaction, and leave a tombstone."""
    with transaction.atomic():
        # The mirror locks this row while it stores an answer, so that no read can undo this.
        list(SyncRequest.objects.select_for_update().filter(kind=KIND, uuid=guest.pk))
        row = Customer.objects.select_for_update().get(pk=guest.pk)
        if row.presence == Mirrored.Presence.ERASED:
            return
        # The other apps first: some find their rows by the guest's number.
        for provider in personal_data.PROVIDERS:
            provider.erase(row.pk)
        tombstone = _tombstone(row, now=now)
        tombstone.save(force_update=True)
        _delete_traces(row)
        announce([_announcement(tombstone, now=now)])
        if actor is not None:
            details = {"guest": str(row.pk)}
            audit.record(actor, "erased a guest", details=details, within=[row.group])


def _tombstone(row: Customer, *, now: datetime) -> Customer:
    """A row of defaults, so that columns added later are blank too."""
    return Customer(
        uuid=row.uuid,
        group_id=row.group_id,
        raw="",
        presence=Mirrored.Presence.ERASED,
        version=row.version + 1,
        fetch_no=row.fetch_no,
        read_at=row.read_at,
        first_seen_at=row.first_seen_at,
        changed_at=now,
    )


def _delete_traces(row: Customer) -> None:
    Change.objects.filter(kind=KIND, uuid=row.pk).delete()
    SyncRequest.objects.filter(kind=KIND, uuid=row.pk).update(evidence="", sentence="")
    InternalNote.objects.filter(customer_uuid=row.pk).delete()
    NotSame.objects.about(row.pk).delete()
    DuplicateScore.objects.filter(Q(one=row.pk) | Q(other=row.pk)).delete()


def _announcement(row: Customer, *, now: datetime) -> Announcement:
    return Announcement(kind=KIND, uuid=row.pk, version=row.version, group_id=row.group_id, at=now)


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
        yield from _unseen(before=now - _span(settings.GUEST_RETENTION_MONTHS), most=most)


def _unseen(*, before: datetime, most: int) -> Iterator[Customer]:
    """Walk the guests that are known for long, in the order of their keys, a chunk at a time."""
    old = Customer.objects.present().filter(first_seen_at__lt=before)
    old = old.only("uuid", "creation_date", "first_seen_at").order_by("uuid")
    found = 0
    last = None
    while found < most:
        chunk = list((old.filter(uuid__gt=last) if last else old)[:AT_ONCE])
        if not chunk:
            return
        last = chunk[-1].pk
        seen = personal_data.last_seen([guest.pk for guest in chunk])
        for guest in chunk:
            if seen.get(guest.pk, _known_since(guest)) < before:
                found += 1
                yield guest


def _known_since(guest: Customer) -> datetime:
    """Start of retention for a guest without visits: the profile's creation, or our first read."""
    return guest.creation_date or guest.first_seen_at


def _span(months: int) -> timedelta:
    return timedelta(days=months * 30.44)
