"""Leases of slices: who lists one, for how long, and that only they write down what came of it.

A worker that stood still for longer than its lease finds its slice with another one. Each claim and
each renewal writes another end of the lease, so that end is the mark of its holder.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic

from django.db import transaction
from django.db.models import Q, QuerySet

from mirror.models import Job, Slice

# Renewed while it is listed: what a killed worker was listing goes on soon after it.
LISTING_LEASE = timedelta(minutes=1)
# Shorter than the lease by far more than one call may take (25 s).
RENEW_EVERY = timedelta(seconds=10)


class SliceLost(Exception):
    """Another worker has taken the slice over. Nothing more of it is written."""


@dataclass(frozen=True, slots=True)
class RunClock:
    """The time at which a run began, and the present one: a run may take longer than a lease."""

    began_at: datetime
    _started: float = field(default_factory=lambda: monotonic())

    def present(self) -> datetime:
        return self.began_at + timedelta(seconds=monotonic() - self._started)


def claim(job: Job, *, clock: RunClock) -> Slice | None:
    ready = Q(state=Slice.State.WAITING, not_before__lte=clock.began_at)
    lapsed = Q(state=Slice.State.LISTING, lease_until__lt=clock.began_at)
    with transaction.atomic():
        open_slices = job.slices.filter(ready | lapsed).select_for_update(skip_locked=True)
        piece = open_slices.first()
        if piece is None:
            return None
        piece.state, piece.lease_until = Slice.State.LISTING, clock.present() + LISTING_LEASE
        # What an earlier try named may be read already, and need not be named again.
        piece.listing_began_at = piece.listing_began_at or clock.began_at
        piece.attempts = min(piece.attempts + 1, 30_000)
        piece.save(update_fields=["state", "lease_until", "listing_began_at", "attempts"])
    return piece


def mine(piece: Slice) -> QuerySet[Slice]:
    """The slice, as long as this worker holds it."""
    held = Slice.objects.filter(pk=piece.pk, state=Slice.State.LISTING)
    return held.filter(lease_until=piece.lease_until)


def renew(piece: Slice, *, clock: RunClock) -> None:
    """Renew the lease every few seconds; raise `SliceLost` if another worker has the slice."""
    present = clock.present()
    if piece.lease_until and piece.lease_until - present > LISTING_LEASE - RENEW_EVERY:
        return
    confirm(piece, clock=clock)


def confirm(piece: Slice, *, clock: RunClock) -> None:
    """Renew the lease at once, or raise `SliceLost`."""
    lease_until = clock.present() + LISTING_LEASE
    if not mine(piece).update(lease_until=lease_until):
        raise SliceLost
    piece.lease_until = lease_until


def list_later(piece: Slice, sentence: str, *, clock: RunClock, pause: float = 0.0) -> None:
    pause = max(pause, min(2.0**piece.attempts, 900.0))
    not_before = clock.present() + timedelta(seconds=pause)
    mine(piece).update(state=Slice.State.WAITING, not_before=not_before, sentence=sentence)


def close(piece: Slice, names: Iterable[str], *, sentence: str) -> None:
    """Write these fields and give the lease back, or raise `SliceLost`."""
    fields = {name: getattr(piece, name) for name in names}
    if not mine(piece).update(**fields, sentence=sentence, lease_until=None):
        raise SliceLost


def settle(piece: Slice, state: Slice.State, *, sentence: str, now: datetime) -> None:
    mine(piece).update(
        state=state,
        found=piece.found,
        sentence=sentence,
        held=0,
        short_count=0,
        short_since=None,
        lease_until=None,
        done_at=None if state == Slice.State.READING else now,
    )
