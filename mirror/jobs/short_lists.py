"""Listings that name far less than the copy holds of their days: nothing is concluded from them.

A sweep leaves such a listing to the next sweep, a backfill lists it again itself. If it stays so
for hours, the records of the copy are read one by one; only a 404 makes one count as gone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror import kinds
from mirror.health.sections import GOOD, LATE, Section
from mirror.jobs import listing_faults, slice_leases
from mirror.jobs.completeness import UNNAMED
from mirror.jobs.windows import UNDATED
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Mirrored, Slice
from mirror.queue import sync_requests
from partner.models import Connection

# Listings in a row, over so long a time, after which the records are read one by one.
MOST_LISTINGS = 3
LASTS = timedelta(hours=2)
AGAIN = timedelta(minutes=50)
# Copies marked gone that one list names again: each is a read.
MOST_RETURNING = 1000
NOTED = ("state", "held", "short_since", "short_count", "found", "done_at", "not_before")


def is_short(found: int, *, held: int) -> bool:
    """Compare what a listing names with what the copy holds, by share and by number."""
    is_few: bool = found * 100 < held * settings.MIRROR_SHORT_LIST_PERCENT
    return is_few and held - found >= int(settings.MIRROR_SHORT_LIST_MISSING)


def count_held(piece: Slice, *, found: int) -> int:
    """Return what the copy holds of the listing's days, or 0 if the listing is not short of it."""
    held = _held(piece).count()
    return held if is_short(found, held=held) else 0


def note(piece: Slice, *, held: int, now: datetime) -> None:
    """Decide about a short listing: leave it for later, or read what it does not name."""
    before = _before(piece)
    piece.held, piece.short_since = held, before.short_since or now
    piece.short_count = before.short_count + 1
    lasts = now - piece.short_since >= LASTS
    if piece.short_count >= MOST_LISTINGS and lasts:
        piece.found += _read_one_by_one(piece, now=now)
        # If they turn out to exist, the next listings are counted anew.
        piece.short_count, piece.short_since, piece.state = 0, None, Slice.State.READING
    elif piece.job.purpose == Job.Purpose.SWEEP:
        piece.state, piece.done_at = Slice.State.SHORT, now
    else:
        piece.state, piece.not_before = Slice.State.WAITING, now + AGAIN
    sentence = "" if piece.state == Slice.State.READING else _sentence(1)
    slice_leases.close(piece, NOTED, sentence=sentence)


def is_still_false(piece: Slice) -> bool:
    """Return whether the list still leaves out rows that exist, after all were read one by one."""
    if not piece.held:
        return False
    if is_short(piece.found - piece.held, held=_held(piece).count()):
        return True
    Slice.objects.filter(pk=piece.pk).update(held=0)
    return False


def unnamed(piece: Slice, named: Iterable[UUID]) -> Iterator[UUID]:
    """What the copy holds of these days and the list does not name: deleted, or moved elsewhere.

    Each is read before anything is concluded. Nothing of a list that is probably falsely empty.
    What was marked gone and is named again is read in any case: a right may have returned.
    """
    location, listed = EntityLocation(piece.group_uuid, piece.restaurant_uuid), set(named)
    yield from _returning(piece.kind, listed)
    if find := kinds.get(piece.kind).held:
        held = set(find(location, piece.since, piece.until, "mealDate"))
        if not is_short(len(listed), held=len(held)):
            yield from sorted(held - listed)


def _returning(kind: str, listed: Iterable[UUID]) -> Iterator[UUID]:
    """The last to go come first: one that is named and can never be read stands in no way."""
    copies = kinds.get(kind).model._default_manager.filter(presence=Mirrored.Presence.GONE)
    gone: list[tuple[datetime, UUID]] = []
    for chunk in listing_faults.chunks(iter(listed), sync_requests.CHUNK):
        gone += copies.filter(pk__in=chunk).values_list("changed_at", "pk")
    for _at, uuid in sorted(gone, reverse=True)[:MOST_RETURNING]:
        yield uuid


def _held(piece: Slice) -> QuerySet[Any]:
    """Return the uuids that a listing of these days must name; none where a kind cannot say so."""
    kind = kinds.get(piece.kind)
    if kind.held is None or piece.by in ("known", UNDATED, UNNAMED):
        return kind.model._default_manager.none()
    return kind.held(
        EntityLocation(piece.group_uuid, piece.restaurant_uuid), piece.since, piece.until, piece.by
    )


def _before(piece: Slice) -> Slice:
    """Return this listing as it was last time: a sweep's is a slice of an earlier sweep."""
    if piece.job.purpose != Job.Purpose.SWEEP:
        return piece
    same = Slice.objects.filter(
        kind=piece.kind,
        group_uuid=piece.group_uuid,
        restaurant_uuid=piece.restaurant_uuid,
        by=piece.by,
        since__lte=piece.until,
        until__gte=piece.since,
        job__purpose=Job.Purpose.SWEEP,
        job__lt=piece.job_id,
    )
    return same.exclude(state=Slice.State.WAITING).order_by("-pk").first() or piece


def _read_one_by_one(piece: Slice, *, now: datetime) -> int:
    location = EntityLocation(piece.group_uuid, piece.restaurant_uuid)
    return sync_requests.request(
        [EntityRef(piece.kind, uuid, location) for uuid in _held(piece)],
        priority=piece.priority,
        now=now,
        slice_id=piece.pk,
    )


def current() -> QuerySet[Slice]:
    """Return the short listings of each account's last sweep that ended and of whatever runs."""
    sweeps = Job.objects.filter(purpose=Job.Purpose.SWEEP, state=Job.State.DONE)
    last = sweeps.order_by().values("connection").annotate(last=Max("pk")).values_list("last")
    jobs = Q(job__state=Job.State.RUNNING) | Q(job__in=[pk for (pk,) in last])
    return Slice.objects.filter(jobs, held__gt=0).order_by("pk")


def sections(accounts: Sequence[Connection], _now: datetime) -> list[Section]:
    short = defaultdict(list)
    for piece in current().select_related("job"):
        short[piece.job.connection_id].append(piece)
    return [_section(short[account.pk]) for account in accounts]


def _section(short: list[Slice]) -> Section:
    rows = [(_days(row), f"{row.found} < {row.held}") for row in short]
    return Section(
        name="lists",
        title=_("Lists"),
        state=LATE if short else GOOD,
        sentence=_sentence(len(short)) if short else _("The lists name what is known here."),
        facts={"short": len(short)},
        rows=rows[:20],
    )


def _days(row: Slice) -> str:
    return f"{kinds.get(row.kind).label} {row.since} – {row.until}"


def _sentence(count: int) -> str:
    return ngettext(
        "%(count)d list of the service names far less than is known here. Nothing is concluded"
        " from it; it is read again later.",
        "%(count)d lists of the service name far less than is known here. Nothing is concluded"
        " from them; they are read again later.",
        count,
    ) % {"count": count}
