"""What a listing of a backfill names and need not be read again: it was read since the job began.

A guest is read with the first booking that names them, and then named by the list of guests. In
a first copy of 266,000 records about a tenth of all reads were second ones.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Min

from mirror.models import Job, Slice, SyncRequest


def begin_of(piece: Slice) -> datetime | None:
    """When the backfill first listed anything of the group. A sweep compares: it reads all."""
    if piece.job.purpose == Job.Purpose.SWEEP:
        return None
    of_group = piece.job.slices.filter(group_uuid=piece.group_uuid).order_by()
    began: datetime | None = of_group.aggregate(at=Min("listing_began_at"))["at"]
    return began


def left_over(piece: Slice, named: Sequence[UUID], *, since: datetime | None) -> list[UUID]:
    """Leave out what was requested and read since then, for this group and without a problem."""
    if since is None:
        return list(named)
    rows = SyncRequest.objects.filter(
        kind=piece.kind,
        uuid__in=named,
        group_uuid=piece.group_uuid,
        state=SyncRequest.State.SETTLED,
        problem="",
        requested_at__gte=since,
    )
    read = set(rows.values_list("uuid", flat=True))
    return [uuid for uuid in named if uuid not in read]
