"""Completeness: up to when the copy of each place is complete. Written after whole listings."""

from datetime import date, datetime, timedelta

from django.db.models import Min, Q, QuerySet

from mirror.kinds import EntityLocation
from mirror.models import Completeness, Job, Slice

# A sweep looks so far behind what is proven, for clocks and zones.
OVERLAP = timedelta(days=1)
# A listing of the days to come, for what the copy has and the service names no more. It proves
# nothing of changes.
UNNAMED = "unnamed"
# Reviews can be listed by meal date only, and what becomes of them comes weeks later.
REVIEWED_WITHIN = timedelta(days=90)


def note(piece: Slice) -> None:
    """Extend the completeness of a place to the start of a sweep's first listing, or begin it.

    It needs all listings of the job for the place, because one week proves nothing about the
    next, and they must reach today. A sweep must also reach back to the last proven instant. A
    backfill lists service days, not changes: it proves only that nothing was missed since the
    place was first listed, and so the proof begins there.
    """
    same = Slice.objects.filter(
        job=piece.job_id,
        kind=piece.kind,
        group_uuid=piece.group_uuid,
        restaurant_uuid=piece.restaurant_uuid,
    ).exclude(by=UNNAMED)
    began = same.aggregate(at=Min("listing_began_at"))["at"]
    if piece.group_uuid is None or began is None:
        return
    if same.exclude(state=Slice.State.DONE).exists() or piece.job.until < began.date():
        return
    location = EntityLocation(piece.group_uuid, piece.restaurant_uuid)
    start = proven(piece.kind, location) or first_listed(piece.kind, location) or began
    is_next = piece.job.purpose == Job.Purpose.SWEEP and _reach(same) <= start.date() - OVERLAP
    row, _new = Completeness.objects.get_or_create(
        kind=piece.kind,
        group_uuid=piece.group_uuid,
        restaurant_uuid=piece.restaurant_uuid or Completeness.WHOLE_GROUP,
        defaults={"complete_at": start},
    )
    if is_next:
        Completeness.objects.filter(pk=row.pk, complete_at__lt=began).update(complete_at=began)


def proven(kind: str, location: EntityLocation) -> datetime | None:
    """Return the time up to which no change of exactly this place was missed."""
    place = location.restaurant_uuid or Completeness.WHOLE_GROUP
    rows = Completeness.objects.filter(kind=kind, restaurant_uuid=place)
    here = rows.filter(group_uuid=location.group_uuid or Completeness.WHOLE_GROUP)
    return here.values_list("complete_at", flat=True).first()


def first_listed(kind: str, location: EntityLocation) -> datetime | None:
    """When the first listing of anything here began: no copy that it led to is older."""
    listed = Slice.objects.filter(kind=kind, group_uuid=location.group_uuid)
    if location.restaurant_uuid:
        listed = listed.filter(
            Q(restaurant_uuid=location.restaurant_uuid) | Q(restaurant_uuid=None)
        )
    began: datetime | None = listed.aggregate(at=Min("listing_began_at"))["at"]
    return began


def _reach(listings: QuerySet[Slice]) -> date:
    """Return the first day of which these listings of a sweep name all changes."""
    first: dict[str, date] = dict(listings.order_by().values_list("by").annotate(Min("since")))
    return max(
        since if by == "updatedDate" else since + REVIEWED_WITHIN for by, since in first.items()
    )
