"""Rights on health pages: a person reads and acts on what belongs to their own places.

Owners see everything of their connections. Others see the state of theirs without figures and
names. What is about the machine is for whoever runs it, and for owners of every connection.
"""

from collections import defaultdict
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from mirror.health import freshness
from mirror.health import sections as health
from mirror.health.account_sections import freshness_section
from mirror.models import Job, Slice, SyncRequest
from mirror.queue import parked
from partner.models import Connection
from restaurants.models import Group, GroupQuerySet, Membership, Restaurant, RestaurantQuerySet

RIGHT = "mirror.view_health"


def here(user: User) -> Q:
    """Rows with a `restaurant_uuid` or a `group_uuid` of the person's places; for owners of every
    connection all rows, also those of no place. Two queries."""
    if user.owns_installation:
        return Q()
    restaurants = places_of(user).values_list("uuid", flat=True)
    uuids = list(groups_of(user).values_list("uuid", flat=True))
    of_group = Q(restaurant_uuid=None, group_uuid__in=uuids)
    return Q(restaurant_uuid__in=list(restaurants)) | of_group


def groups_of(user: User) -> GroupQuerySet:
    groups = Group.objects.visible_to(user, RIGHT)
    return groups | Group.objects.owned_by(user) if user.owned_connection_ids else groups


def places_of(user: User) -> RestaurantQuerySet:
    """Where the person watches the copy: by a role, or as owner of the connection."""
    places = Restaurant.objects.visible_to(user, RIGHT)
    if user.owned_connection_ids:
        places = places | Restaurant.objects.filter(group__in=Group.objects.owned_by(user))
    return places


def requests_here(user: User) -> Q:
    """Requests of the person's places.

    What belongs to no restaurant here is of the group by which it was requested: the restaurant
    that its answer names may be one of another account.
    """
    if user.owns_installation:
        return Q()
    unplaced = Q(problem="unplaced")
    of_group = Q(group_uuid__in=list(groups_of(user).values_list("uuid", flat=True)))
    return ~unplaced & here(user) | unplaced & of_group


def parked_of(user: User) -> QuerySet[SyncRequest]:
    return parked.rows().filter(requests_here(user))


def jobs_within(mine: Q) -> QuerySet[Job]:
    """Jobs that read these places and no other: a sweep reads all of them."""
    if not mine:
        return Job.objects.all()
    slices = Slice.objects.filter(job=OuterRef("pk"))
    return Job.objects.filter(Exists(slices.filter(mine)), ~Exists(slices.exclude(mine)))


def sees_all_sections(user: User) -> bool:
    """Whether the person reads every section with its figures and names of places.

    A superuser reads these too, but no record, event or job: an answer of the service stands in
    them.
    """
    return user.owns_installation or user.runs_instance


def sees_whole(user: User, connection: int | None) -> bool:
    """Whether the person reads the figures of the account, or of the machine where it is None."""
    return sees_all_sections(user) or connection in user.owned_connection_ids


def accounts_of(user: User) -> list[Connection]:
    """The accounts of which the person reads sections, whole or in brief."""
    everyone = Connection.objects.current_ones()
    if sees_all_sections(user):
        return list(everyone)
    watched = set(groups_of(user).values_list("connection", flat=True)) | user.owned_connection_ids
    return list(everyone.filter(pk__in=watched))


def has_several_accounts(user: User) -> bool:
    """Whether the person has to read which account is meant. A query for superusers only."""
    if user.runs_instance:
        return Connection.objects.current_ones().count() > 1
    return len(user.owned_connection_ids) > 1


def watchers(connection: int | None) -> QuerySet[User]:
    """Who is notified of a fault of the account, or of the machine: every owner then, and all who
    watch a place."""
    watching, owners = Membership.objects.allowing(RIGHT), User.objects.filter(is_owner=True)
    if connection:
        there = Q(group__connection=connection) | Q(restaurant__group__connection=connection)
        watching, owners = watching.filter(there), owners.filter(owned_connections=connection)
    concerned = Q(pk__in=owners.values("pk")) | Q(pk__in=watching.values("user"))
    return User.objects.filter(Q(is_superuser=True) | concerned, is_active=True)


def sections(user: User, *, now: datetime) -> list[health.Section]:
    accounts = accounts_of(user)
    parts = health.sections(now, accounts=accounts)
    if sees_all_sections(user):
        return parts
    own = _own_freshness(user, accounts, now=now)
    return [own.get((part.name, part.connection)) or as_seen(user, part) for part in parts]


def as_seen(user: User, part: health.Section) -> health.Section:
    return part if sees_whole(user, part.connection) else in_brief(part)


def _own_freshness(
    user: User, accounts: list[Connection], *, now: datetime
) -> dict[tuple[str, int | None], health.Section]:
    """How old the copies of the person's places are, for each account that is not theirs."""
    chosen = accounts or [Connection()]
    of_others = [account for account in chosen if not sees_whole(user, account.pk)]
    places = defaultdict(list)
    if of_others:
        for place in freshness.of(places_of(user).select_related("group"), now=now):
            places[place.connection].append(place)
    found: dict[tuple[str, int | None], health.Section] = {}
    for account in of_others:
        name = account.name if len(accounts) > 1 else ""
        part = freshness_section(account, places[account.pk])
        found["freshness", account.pk] = replace(part, connection=account.pk, account=name)
    return found


def in_brief(part: health.Section) -> health.Section:
    """Return a section without figures and names, because they are of all groups."""
    sentences = {
        health.GOOD: _("It works."),
        health.NEW: _("Nothing is known yet."),
        health.PAUSED: _("It is paused by its owners."),
        health.LATE: _("It is late. The owners of the installation see why."),
        health.DOWN: _("It is down. The owners of the installation see why."),
    }
    if part.connection is None:
        sentences[health.LATE] = _("It is late. Whoever runs the installation sees why.")
        sentences[health.DOWN] = _("It is down. Whoever runs the installation sees why.")
    return replace(part, sentence=sentences[part.state], facts={}, rows=[], url="")
