"""Stores the places of each audit entry together with the entry.

An entry may name people, restaurants and searches, so it is shown only to people who may read the
trail at every place it concerns. An entry about the installation has no place: only owners read it.
Places are stored, not computed later, because people change groups.
"""

from collections.abc import Iterable
from typing import Any

from auditlog.models import LogEntry
from auditlog.signals import post_log
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import audit
from accounts.models import SharedDevice, User
from partner.models import Connection, PosIdentity
from restaurants.models import Group, Membership, Restaurant

Place = tuple[int, int | None]  # a group, and a restaurant unless it is about all of them


class AuditPlace(models.Model):
    """A place that an entry is about. Without constraints: the trail outlives what it names."""

    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="places")
    group = models.ForeignKey(Group, models.DO_NOTHING, related_name="+", db_constraint=False)
    restaurant = models.ForeignKey(
        Restaurant, models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.group_id} {self.restaurant_id}"


def entries_visible_to(user: User, permission: str) -> QuerySet[Any]:
    """Entries all of whose places lie where the person holds the permission, or whose connection is
    theirs. What belongs to no place and no connection is for those who own all."""
    entries: QuerySet[Any] = LogEntry.objects.all()
    if user.owns_installation:
        return entries
    restaurants = list(Restaurant.objects.visible_to(user, permission).values_list("pk", flat=True))
    groups = list(Group.objects.run_by(user, permission).values_list("pk", flat=True))
    places = AuditPlace.objects.filter(entry=OuterRef("pk"))
    here = Q(restaurant__in=restaurants) | Q(restaurant=None, group__in=groups)
    if user.owned_connection_ids:
        here |= Q(group__in=list(Group.objects.owned_by(user).values_list("pk", flat=True)))
    is_here = Q(Exists(places.filter(here)), ~Exists(places.exclude(here)))
    return entries.filter(is_here | of_owned_connections(user))


def of_owned_connections(user: User) -> Q:
    """Entries about the person's connections and their point-of-sale identities."""
    connections = user.owned_connection_ids
    identities = PosIdentity.objects.filter(connection__in=connections).values_list("pk", flat=True)
    keys = {Connection: connections, PosIdentity: set(identities) if connections else set()}
    types = ContentType.objects.get_for_models(*keys)
    found = Q(pk__in=())
    for model, pks in keys.items():
        found |= Q(content_type=types[model], object_id__in=pks)
    return found


def watch() -> None:
    """Note the places of every entry from now on."""
    post_log.connect(note_change, dispatch_uid="audit-places")
    audit.recorded.connect(note_record, dispatch_uid="audit-places")


def note_change(sender: Any, *, instance: Any, log_entry: LogEntry | None, **_rest: Any) -> None:
    """Note where a changed row belongs."""
    if log_entry:
        write(log_entry, [instance])


def note_record(
    sender: Any, *, entry: LogEntry, target: models.Model, within: Iterable[Any], **_rest: Any
) -> None:
    """Note where something was done: what it was about may be of no place, as a search is."""
    write(entry, [one for place in within for one in narrowed(place, entry.actor)] or [target])


def write(entry: LogEntry, about: Iterable[models.Model]) -> None:
    places = {place for one in about for place in places_of(one, actor=entry.actor)}
    AuditPlace.objects.bulk_create(
        AuditPlace(entry=entry, group_id=group, restaurant_id=restaurant)
        for group, restaurant in sorted(places, key=str)
    )


def places_of(about: Any, *, actor: User | None) -> Iterable[Place]:
    """The places of a row; none for what belongs to the installation."""
    if isinstance(about, Restaurant):
        return [(about.group_id, about.pk)]
    if isinstance(about, Group):
        return [(about.pk, None)]
    if isinstance(about, User):
        return places_of_person(about)
    if isinstance(about, SharedDevice):
        return places_of_person(about.owner, *[actor] if actor else [])
    within = getattr(about, "restaurant", None) or getattr(about, "group", None)
    return places_of(within, actor=actor) if within else []


def places_of_person(*people: User) -> list[Place]:
    """Wherever a person has a role: their account is known there."""
    held = Membership.objects.filter(user__in=people).select_related("restaurant")
    return [(one.group_id or one.restaurant.group_id, one.restaurant_id) for one in held]  # type: ignore[union-attr]  # one of them is set


def narrowed(place: Group | Restaurant, actor: User | None) -> list[Any]:
    """What a person did about the guests of a group belongs to their own restaurants there."""
    if actor is None or isinstance(place, Restaurant):
        return [place]
    held = Membership.objects.filter(Q(group=place) | Q(restaurant__group=place), user=actor)
    mine = [one.restaurant for one in held.select_related("restaurant")]
    return [place] if not mine or None in mine else mine
