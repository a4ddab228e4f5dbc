"""Confirm or dismiss a reading, or take that back: recorded, and announced to those who count."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import User
from customers.note_decisions.models import NoteDecision
from lib.registration import ExtensionPoint
from live.announcements import announce
from live.models import Announcement
from restaurants.models import Group

VERBS = {"c": "confirmed a reading", "d": "dismissed a reading", "": "took a decision back"}


class DecisionSubject(NamedTuple):
    """A booking, or a guest with all their bookings."""

    uuid: UUID
    group: Group
    is_of_guest: bool


# Called in the transaction of a decision: apps above announce their bookings and count again.
FOLLOWERS: ExtensionPoint[Callable[[DecisionSubject], None]] = ExtensionPoint(
    "Followers of decisions about notes"
)


def apply(data: Mapping[str, str], subjects: Sequence[DecisionSubject], *, user: User) -> None:
    """What `DecisionForm` says. The last subject is the widest: the guest, if there is one."""
    digest, outcome = data["digest"], data["outcome"]
    if outcome:
        chosen = subjects[-1] if data["scope"] == "guest" else subjects[0]
        decide(chosen, digest, outcome, user=user)
        return
    for subject in subjects:  # the one about the booking hides the one about the guest
        if take_back(subject, digest, user=user):
            return


@transaction.atomic
def decide(subject: DecisionSubject, digest: str, outcome: str, *, user: User) -> None:
    """Of two people who decide the later one stays. The audit trail has both."""
    NoteDecision.objects.update_or_create(
        about=subject.uuid,
        digest=digest,
        defaults={
            "is_of_guest": subject.is_of_guest,
            "outcome": outcome,
            "decided_by": user,
            "decided_at": timezone.now(),
        },
    )
    _follow_up(subject, outcome, user=user)


@transaction.atomic
def take_back(subject: DecisionSubject, digest: str, *, user: User) -> bool:
    """Whether there was one."""
    deleted, _by_model = NoteDecision.objects.filter(about=subject.uuid, digest=digest).delete()
    if deleted:
        _follow_up(subject, "", user=user)
    return bool(deleted)


def _follow_up(subject: DecisionSubject, outcome: str, *, user: User) -> None:
    """The audit trail names what was done and about whom, and no allergy."""
    name = "guest" if subject.is_of_guest else "booking"
    details = {name: str(subject.uuid)}
    audit.record(user, VERBS[outcome], details=details, within=[subject.group])
    follow_up_reading(subject)


def follow_up_reading(subject: DecisionSubject) -> None:
    """Whatever shows what the notes say of a booking or a guest reads it again."""
    for follow in FOLLOWERS:
        follow(subject)
    if subject.is_of_guest:
        announce([_announcement(subject)])


def _announcement(subject: DecisionSubject) -> Announcement:
    """Open pages of guests read their notes again, whatever the version."""
    return Announcement(kind="reading", uuid=subject.uuid, version=0, group_id=subject.group.pk)
