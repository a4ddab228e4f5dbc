"""Restaurants that were set up after their group had been read: each is read over the same days.

A listing of a group names whoever belonged to it then, and reviews are listed by restaurant. So a
restaurant that joins a group would look empty until somebody starts a backfill of it.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

from mirror.jobs import lifecycle, windows
from mirror.models import Job, Slice
from partner.models import Connection
from restaurants.models import Restaurant

KINDS = ("reservation", "review")  # guests are listed by group
ONE_DAY = timedelta(days=1)


def read_new_places(*, now: datetime) -> list[Job]:
    """Start a backfill of each. Of two calls at once the second waits for a row lock, and then
    finds the jobs of the first."""
    if not _waiting():
        return []
    with transaction.atomic():
        Restaurant.objects.order_by("pk").select_for_update(no_key=True).first()
        return [
            lifecycle.backfill(
                since=since, until=until, now=now, kind_names=KINDS, restaurants=[place]
            )
            for place, (since, until) in _waiting().items()
        ]


def _waiting() -> dict[Restaurant, tuple[date, date]]:
    """Those that no backfill has listed, with the days of their group's. Four queries."""
    ranges = _ranges()
    idle = Connection.objects.exclude(state=Connection.State.ACTIVE)
    places = windows.everywhere().filter(group__uuid__in=ranges)
    new = set(_unlisted(places.values_list("uuid", flat=True)))
    usable = places.filter(uuid__in=new).exclude(group__connection__in=idle)
    return {place: ranges[place.group.uuid] for place in usable}


def _unlisted(uuids: Iterable[UUID]) -> set[UUID]:
    """The restaurants of which no backfill lists anything by itself, not even reviews. A query.

    One that was cancelled counts: a person ended it.
    """
    listed = Slice.objects.filter(job__purpose=Job.Purpose.BACKFILL).exclude(restaurant_uuid=None)
    return set(uuids).difference(
        listed.order_by().values_list("restaurant_uuid", flat=True).distinct()
    )


def _ranges() -> dict[UUID, tuple[date, date]]:
    """The days that were read of whole groups, reviews as well; a listing is a day wider."""
    reviewed = _backfilled().filter(kind="review").values("group_uuid")
    of_groups = _backfilled().filter(
        kind="reservation", by="mealDate", restaurant_uuid=None, group_uuid__in=reviewed
    )
    rows = of_groups.values_list("group_uuid").annotate(Min("since"), Max("until"))
    return {group: (since + ONE_DAY, until - ONE_DAY) for group, since, until in rows}


def _backfilled() -> QuerySet[Slice]:
    was_cancelled = Q(job__state=Job.State.CANCELLED)
    found = Slice.objects.filter(job__purpose=Job.Purpose.BACKFILL).exclude(was_cancelled)
    return found.order_by()
