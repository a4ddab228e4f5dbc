"""Privacy of guests: what is held on one, erasure, the record of profile views (docs/privacy.md).

Erasing leaves a tombstone: the row without anything that identifies the person. The mirror stores
nothing over it (`mirror.queue.store`), so neither a backfill nor an event brings the guest back.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.models import User
from customers import personal_data
from customers.models import (
    Customer,
    DuplicateScore,
    InternalNote,
    NoteDecision,
    NotSame,
    ProfileView,
)
from customers.note_decisions.deciding import DecisionSubject, follow_up_reading
from customers.note_decisions.decisions import decided_readings
from lib.text import as_data
from live.announcements import announce
from live.models import Announcement
from mirror.models import Change, Mirrored, SyncRequest
from mirror.queue import parked, sync_requests
from restaurants.access import can
from restaurants.models import Restaurant

MANAGE = "customers.manage_privacy"
KIND = "customer"


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
        **parked.evidence_of(KIND, [guest.pk], guest=guest.pk).get(guest.pk, {}),
        "derived": {"phone": guest.phone_e164, "second_phone": guest.secondary_phone_e164},
        "read_at": guest.read_at.isoformat(),
        "first_seen_at": guest.first_seen_at.isoformat(),
        "changes": [
            {"seen_at": c.seen_at.isoformat(), "field": c.field, "from": c.before, "to": c.after}
            for c in changes
        ],
        "house_notes": [{"text": n.text, "changed_at": n.changed_at.isoformat()} for n in notes],
        "decided_readings": decided_readings([guest.pk])[guest.pk],
        "looked_at": [{"at": view.at.isoformat(), "what": view.what} for view in views],
        **{provider.name: provider.collect(guest.pk) for provider in personal_data.PROVIDERS},
    }


def erase(guest: Customer, *, actor: User | None, now: datetime) -> None:
    """Erase the person in every app, in one transaction, and leave a tombstone."""
    with transaction.atomic():
        _lock(guest)
        row = Customer.objects.select_for_update().get(pk=guest.pk)
        is_erased = row.presence == Mirrored.Presence.ERASED
        if is_erased and not personal_data.is_held_again(row):
            return
        # The other apps first: some find their rows by the guest's number.
        for provider in personal_data.PROVIDERS:
            provider.erase(row.pk)
        tombstone = _tombstone(row, now=now)
        tombstone.save(force_update=True)
        _delete_traces(row)
        follow_up_reading(DecisionSubject(row.pk, row.group, is_of_guest=True))
        announce([_announcement(tombstone, now=now)])
        if actor is not None:
            details = {"guest": str(row.pk)}
            audit.record(actor, "erased a guest", details=details, within=[row.group])


def _lock(guest: Customer) -> None:
    """Lock the intents, then the requests by key, in the order of every other writer.

    The mirror locks the requests while it stores what was read, so that no read can undo this, and
    one batch may hold a guest and their bookings.
    """
    requests = Q(kind=KIND, uuid=guest.pk)
    for provider in personal_data.PROVIDERS:
        requests |= provider.lock(guest.pk)
    sync_requests.locked(SyncRequest.objects.filter(requests))


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
    NoteDecision.objects.about([row.pk]).delete()
    NotSame.objects.about(row.pk).delete()
    DuplicateScore.objects.filter(Q(one=row.pk) | Q(other=row.pk)).delete()


def _announcement(row: Customer, *, now: datetime) -> Announcement:
    return Announcement(kind=KIND, uuid=row.pk, version=row.version, group_id=row.group_id, at=now)
