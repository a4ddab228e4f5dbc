"""What a reading counts as, once a person has confirmed or dismissed it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from accounts.models import User
from customers.allergies.findings import AllergenFinding, DietFinding
from customers.note_decisions.models import NoteDecision
from lib.encryption import stored_digest

SALT = "customers.note_decisions"
CONFIRMED, DISMISSED = NoteDecision.Outcome.CONFIRMED.value, NoteDecision.Outcome.DISMISSED.value

Finding = AllergenFinding | DietFinding


class Decision(NamedTuple):
    """Who decided and when is read for a single booking or guest only."""

    outcome: str
    is_of_guest: bool = False
    by: User | None = None
    at: datetime | None = None

    @property
    def is_dismissed(self) -> bool:
        return self.outcome == DISMISSED


Decisions = Mapping[str, Decision]  # by the digest of what was read
UNDECIDED: Decisions = {}


@lru_cache(maxsize=4096)
def digest_of(text: str, code: str, certainty: str, is_severe: bool) -> str:
    """A keyed hash of a note and of one thing that was read in it, as certain and grave as then."""
    return stored_digest(SALT, repr((text, code, certainty, is_severe)))


def digest_in(text: str, finding: Finding) -> str:
    return digest_of(text, finding.code, finding.certainty, getattr(finding, "is_severe", False))


def parse(of_booking: str, of_guest: str) -> Decisions:
    """The texts of `models.decisions_text`: a decision about the booking comes before the guest's.

    Almost always there is none.
    """
    if not (of_booking or of_guest):
        return UNDECIDED
    words = [*of_guest.split(), *of_booking.split()]
    return {word[:-1]: Decision(word[-1]) for word in words}


def decisions_about(booking: UUID | None, guest: UUID | None) -> Decisions:
    """The same for one booking and its guest, with who decided and when. One query."""
    rows = NoteDecision.objects.about([booking, guest]).select_related("decided_by")
    rows = rows.order_by("-is_of_guest")
    return {
        row.digest: Decision(row.outcome, row.is_of_guest, row.decided_by, row.decided_at)
        for row in rows
    }


def decisions_by_booking(bookings: Collection[UUID], guest: UUID) -> dict[UUID, Decisions]:
    """What counts for each of a guest's bookings. One query, none without bookings."""
    if not bookings:
        return {}
    held: dict[UUID, dict[str, Decision]] = defaultdict(dict)
    for row in NoteDecision.objects.about([*bookings, guest]):
        held[row.about][row.digest] = Decision(row.outcome, row.is_of_guest)
    return {booking: held[guest] | held[booking] for booking in bookings}


def decided_readings(uuids: Iterable[UUID]) -> dict[UUID, list[dict[str, str]]]:
    """What is held about bookings or guests, for their export. One query."""
    held: dict[UUID, list[dict[str, str]]] = defaultdict(list)
    for row in NoteDecision.objects.about(uuids).order_by("decided_at"):
        line = {"outcome": row.outcome, "at": row.decided_at.isoformat()}
        held[row.about].append(line)
    return held


def decision_on(text: str, finding: Finding, decided: Decisions) -> Decision | None:
    return decided.get(digest_in(text, finding)) if decided else None


def effective(finding: Finding, decision: Decision | None) -> Finding:
    """A confirmed hint counts as stated: read in a note all the same, never a tag."""
    if decision and not decision.is_dismissed and finding.certainty == "maybe":
        return replace(finding, certainty="stated")
    return finding


def effective_findings(text: str, findings: Iterable[Finding], decided: Decisions) -> list[Finding]:
    """What counts: without what was dismissed, and the confirmed as stated."""
    if not decided:
        return list(findings)
    pairs = [(one, decision_on(text, one, decided)) for one in findings]
    return [effective(one, made) for one, made in pairs if not (made and made.is_dismissed)]
