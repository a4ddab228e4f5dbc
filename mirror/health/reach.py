"""Rights on health pages: a person reads and acts on what belongs to their own places.

Owners see everything. Others see the state of the installation without figures and names.
"""

from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from mirror.health import freshness
from mirror.health import sections as health
from mirror.models import Job, Slice, SyncRequest
from mirror.queue import parked
from restaurants.models import Group, Restaurant, RestaurantQuerySet

RIGHT = "mirror.view_health"
AnyModel = TypeVar("AnyModel", bound=Model)


def here(user: User) -> Q:
    """Rows with a `restaurant_uuid` or a `group_uuid` of the person's places. Two queries."""
    restaurants = places_of(user).values_list("uuid", flat=True)
    groups = Group.objects.visible_to(user, RIGHT)
    if user.owned_connection_ids:
        groups = groups | Group.objects.owned_by(user)
    uuids = list(groups.values_list("uuid", flat=True))
    of_group = Q(restaurant_uuid=None, group_uuid__in=uuids)
    return Q(restaurant_uuid__in=list(restaurants)) | of_group


def places_of(user: User) -> RestaurantQuerySet:
    """Where the person watches the copy: by a role, or as owner of the connection."""
    places = Restaurant.objects.visible_to(user, RIGHT)
    if user.owned_connection_ids:
        places = places | Restaurant.objects.filter(group__in=Group.objects.owned_by(user))
    return places


def within(user: User, rows: QuerySet[AnyModel]) -> QuerySet[AnyModel]:
    """What belongs to the person's places; what belongs to no place is for owners."""
    return rows if user.owns_installation else rows.filter(here(user))


def parked_within(user: User) -> QuerySet[SyncRequest]:
    return within(user, parked.rows())


def jobs_within(user: User) -> QuerySet[Job]:
    """Jobs that read the person's places and no other: a sweep reads all of them."""
    if user.owns_installation:
        return Job.objects.all()
    mine, slices = here(user), Slice.objects.filter(job=OuterRef("pk"))
    return Job.objects.filter(Exists(slices.filter(mine)), ~Exists(slices.exclude(mine)))


def sees_all_sections(user: User) -> bool:
    """Whether the person reads sections with their figures and names of places.

    A superuser reads these too, but no record, event or job: an answer of the service stands in
    them.
    """
    return user.owns_installation or user.runs_instance


def sections(user: User, *, now: datetime) -> list[health.Section]:
    parts = health.sections(now)
    if sees_all_sections(user):
        return parts
    places = places_of(user).select_related("group")
    own = health.section_of_places(freshness.of(places, now=now))
    return [own if part.name == own.name else in_brief(part) for part in parts]


def in_brief(part: health.Section) -> health.Section:
    """Return a section without figures and names, because they are of all groups."""
    sentences = {
        health.GOOD: _("It works."),
        health.NEW: _("Nothing is known yet."),
        health.LATE: _("It is late. The owners of the installation see why."),
        health.DOWN: _("It is down. The owners of the installation see why."),
    }
    return replace(part, sentence=sentences[part.state], facts={}, rows=[], url="")
