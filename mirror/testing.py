"""Jobs as tests of other apps need them: stored, without a service."""

from datetime import UTC, date, datetime

from mirror.models import Completeness, Job, Slice
from restaurants.models import Restaurant

PLANNED = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)


def backfill_slice(
    place: Restaurant,
    since: date,
    until: date,
    *,
    state: str = Slice.State.WAITING,
    of_group: bool = False,
    job: str = Job.State.RUNNING,
) -> Slice:
    """The bookings of some days at a restaurant, or in its group, as a backfill lists them."""
    return Slice.objects.create(
        job=Job.objects.create(
            purpose=Job.Purpose.BACKFILL, since=since, until=until, state=job, started_at=PLANNED
        ),
        position=0,
        kind="reservation",
        group_uuid=place.group.uuid,
        restaurant_uuid=None if of_group else place.uuid,
        since=since,
        until=until,
        by="mealDate",
        state=state,
        not_before=PLANNED,
    )


def complete(place: Restaurant, *, whole_group: bool = False) -> None:
    """Prove that every booking of a place, or of its group, was read."""
    Completeness.objects.create(
        kind="reservation",
        group_uuid=place.group.uuid,
        restaurant_uuid=Completeness.WHOLE_GROUP if whole_group else place.uuid,
        complete_at=PLANNED,
    )
