"""Reads of a group that moved to another connection: from then on they call its new account."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import ngettext

from mirror import kinds
from mirror.jobs import lifecycle
from mirror.jobs.windows import everywhere
from mirror.models import Job, Slice, SyncRequest
from mirror.queue.sync_requests import UNREAD
from restaurants.directory import KEPT_FOR
from restaurants.models import Group, Restaurant

State = SyncRequest.State
# Until every process has read anew whose the group is.
SETTLING = timedelta(seconds=2 * KEPT_FOR)


def sentence(group: Group) -> str:
    waiting = requests_of(group).filter(UNREAD).count()
    return ngettext(
        "%(count)d read that waits goes on with the other account, which is then compared as a"
        " whole.",
        "%(count)d reads that wait go on with the other account, which is then compared as a"
        " whole.",
        waiting,
    ) % {"count": waiting}


def follow(group: Group, now: datetime) -> None:
    """Give the new account what waits, and compare it: an event may have come by the old address.

    A read that is under way is requested anew, because its answer is of the old account.
    """
    rows = requests_of(group)
    rows.filter(state=State.WORKING).update(
        state=State.WAITING, not_before=now, lease_until=None, request_count=F("request_count") + 1
    )
    rows.update(connection=group.connection_id)
    _part_jobs(group, now=now)
    places = everywhere().filter(group__connection=group.connection_id)
    if places:
        job = lifecycle.sweep(now=now, restaurants=places)
        job.slices.update(not_before=now + SETTLING)


def requests_of(group: Group) -> QuerySet[SyncRequest]:
    """All requests of the group: by the place they name, and by the copy where they name none.

    The place of what is parked as unplaced was named by an answer to the group that has read it.
    """
    restaurants = group.restaurants.values("uuid")
    of_others = Q(problem="unplaced", group_uuid__isnull=False)
    found = Q(group_uuid=group.uuid) | Q(restaurant_uuid__in=restaurants) & ~of_others
    for kind in kinds.KINDS:
        owner = {"group": group} if kind.is_of_group else {"restaurant__group": group}
        stored = kind.model._default_manager.filter(**owner).order_by().values("pk")
        nowhere = Q(kind=kind.name, group_uuid=None, restaurant_uuid=None)
        found |= nowhere & Q(uuid__in=stored)
    return SyncRequest.objects.filter(found)


def adopt_strays(*, now: datetime) -> int:
    """Give open requests to the account of their group, where they are at another one or at none.

    For some seconds after a move a process may still believe that the group is where it was. And
    what was requested before there was a connection belongs to the one that has come since.
    """
    owner = Coalesce(Subquery(_owner_of_group()), Subquery(_owner_of_place()))
    still_open = SyncRequest.objects.filter(state__in=[State.WAITING, State.PARKED])
    moved = still_open.annotate(owner=owner).exclude(owner=None)
    strays = moved.exclude(connection=F("owner"))
    pks = list(strays.values_list("pk", flat=True))
    found = SyncRequest.objects.filter(pk__in=pks)
    with transaction.atomic():
        # What the other one was refused for good is due in two hundred years.
        parked = found.filter(state=State.PARKED)
        parked.update(state=State.WAITING, not_before=now, attempts=0)
        return found.update(connection=owner, problem="", sentence="")


def _owner_of_group() -> QuerySet[Any]:
    return Group.objects.filter(uuid=OuterRef("group_uuid")).values("connection")


def _owner_of_place() -> QuerySet[Any]:
    """For what is at no account: a place that an answer to one has named may be another's."""
    named = Restaurant.objects.filter(uuid=OuterRef("restaurant_uuid"))
    return named.filter(Exists(_at_none())).values("group__connection")


def _at_none() -> QuerySet[SyncRequest]:
    return SyncRequest.objects.filter(pk=OuterRef(OuterRef("pk")), connection=None)


def _part_jobs(group: Group, *, now: datetime) -> None:
    """Let listings of the group that are still to come be of a job of the new account."""
    ended = [Slice.State.DONE, Slice.State.FAILED, Slice.State.SHORT]
    for job in Job.objects.filter(state__in=[Job.State.RUNNING, Job.State.PAUSED]):
        theirs = job.slices.filter(group_uuid=group.uuid).exclude(state__in=ended)
        if job.connection_id == group.connection_id or not theirs.exists():
            continue
        own = Job.objects.create(
            purpose=job.purpose,
            state=job.state,
            since=job.since,
            until=job.until,
            connection_id=group.connection_id,
            started_by_id=job.started_by_id,
            started_at=now,
        )
        pks = list(theirs.values_list("pk", flat=True))
        Slice.objects.filter(pk__in=pks).update(job=own, not_before=now + SETTLING)
