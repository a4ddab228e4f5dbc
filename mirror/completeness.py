"""Up to when each place is known to be complete. Written when a job has read a place whole."""

from datetime import datetime
from uuid import UUID

from django.db.models import Min

from mirror.kinds import Hint
from mirror.models import Completeness, Slice


def note(piece: Slice) -> None:
    """What a job read to the end proves the place complete up to its first listing's start.

    All of the job's listings of the place together, for one week proves nothing about the next;
    and only if they reach today, for an old range proves nothing about it.
    """
    same = Slice.objects.filter(
        job=piece.job_id,
        kind=piece.kind,
        group_uuid=piece.group_uuid,
        restaurant_uuid=piece.restaurant_uuid,
    )
    began = same.aggregate(at=Min("listing_began_at"))["at"]
    if piece.group_uuid is None or began is None:
        return
    if same.exclude(state=Slice.State.DONE).exists() or piece.job.until < began.date():
        return
    row, _new = Completeness.objects.get_or_create(
        kind=piece.kind,
        group_uuid=piece.group_uuid,
        restaurant_uuid=piece.restaurant_uuid or Completeness.WHOLE_GROUP,
        defaults={"complete_at": began},
    )
    Completeness.objects.filter(pk=row.pk, complete_at__lt=began).update(complete_at=began)


def complete_at(kind: str, *, group: UUID, restaurant: UUID) -> datetime | None:
    """The later of what is known of the whole group and of the restaurant alone."""
    rows = Completeness.objects.filter(kind=kind, group_uuid=group)
    here = rows.filter(restaurant_uuid__in=[restaurant, Completeness.WHOLE_GROUP])
    return here.order_by("-complete_at").values_list("complete_at", flat=True).first()


def proven(kind: str, hint: Hint) -> datetime | None:
    """Up to when listings of exactly this place have been read whole."""
    place = hint.restaurant_uuid or Completeness.WHOLE_GROUP
    rows = Completeness.objects.filter(kind=kind, restaurant_uuid=place)
    here = rows.filter(group_uuid=hint.group_uuid or Completeness.WHOLE_GROUP)
    return here.values_list("complete_at", flat=True).first()
