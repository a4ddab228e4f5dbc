"""Announcements of changes: written in the transaction that stores the change, read without a gap.

Users get one who may see its restaurant, or its group if it has none.

Ids are drawn when a line is written but lines become visible when their transaction commits, so
on PostgreSQL line 11 may be seen before line 10. A *cursor* is therefore never simply the highest
id seen: it is the highest id below which nothing can appear any more. Whoever resumes from it may
get a line twice, which the version makes harmless, but never misses one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest

from accounts.models import User
from lib.database.compiled_queries import prepared
from live.models import KEPT, Announcement, LatencySample
from restaurants.models import Group, Restaurant

CHANNEL = "couvert_live"
# A missing id is waited for this long. Longer than any transaction lives: the hard time limit of
# a task is 60 s. After that it was rolled back.
PATIENCE = timedelta(seconds=90)
# Between the instant on a line and its commit, plus the difference of two machines' clocks.
SLACK = timedelta(seconds=5)
# Whoever missed more is quicker with reading its page anew.
LIMIT = 2000


def announce(lines: Iterable[Announcement]) -> list[Announcement]:
    """Insert announcements in the caller's transaction; screens get them after its commit.

    It works without listeners and never waits for one. On SQLite listeners detect the commit
    itself; on PostgreSQL the commit sends one notification per transaction.
    """
    written = Announcement.objects.bulk_create(lines)
    if written and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")
    return written


def announce_one(kind: str, uuid: UUID, *, version: int, restaurant: Restaurant) -> None:
    """Announce one entity of a restaurant."""
    group, place = restaurant.group_id, restaurant.pk
    announce(
        [Announcement(kind=kind, uuid=uuid, version=version, group_id=group, restaurant_id=place)]
    )


class Reading(NamedTuple):
    """What happened, and from where to go on. Incomplete: read the whole page again."""

    lines: Sequence[Announcement]
    cursor: int
    complete: bool = True


def read_after(cursor: int, *, now: datetime) -> Reading:
    """Costs two or three queries on the primary key."""
    newest = Announcement.objects.newest_id()
    forgotten = cursor + 1 < Announcement.objects.oldest_id()
    if forgotten or cursor > newest:  # a day asleep, or another database than before
        return Reading([], newest, complete=False)
    lines = list(Announcement.objects.after(cursor)[: LIMIT + 1])
    if len(lines) > LIMIT:
        return Reading([], newest, complete=False)
    return Reading(lines, settled(cursor, lines, now=now))


def read_recent(age: timedelta, *, now: datetime) -> Reading:
    """What a page requested `age` ago may have missed. Costs one or two queries."""
    if age + SLACK > KEPT:
        return Reading([], Announcement.objects.newest_id(), complete=False)
    since = now - max(age + SLACK, PATIENCE)
    window = Announcement.objects.filter(at__gte=since).order_by("-at")[:LIMIT]
    known = sorted(window, key=lambda line: line.pk)
    if not known:
        return Reading([], Announcement.objects.newest_id())
    lines = [line for line in known if line.at >= now - age - SLACK]
    cursor = settled(known[0].pk - 1, known, now=now)
    return Reading(lines, cursor, complete=len(lines) < LIMIT)


def settled(cursor: int, lines: Sequence[Announcement], *, now: datetime) -> int:
    """Move the cursor up over `lines` until the first hole that may still be filled."""
    for line in lines:
        if line.pk != cursor + 1 and line.at > now - PATIENCE:
            return cursor
        cursor = line.pk
    return cursor


@dataclass(frozen=True)
class Scope:
    """The restaurants and groups of which a user gets announcements, by primary key."""

    restaurants: Mapping[int, UUID]
    groups: frozenset[int]

    def sees(self, line: Announcement | LatencySample) -> bool:
        if line.restaurant_id is None:
            return line.group_id in self.groups
        return line.restaurant_id in self.restaurants

    def message(self, line: Announcement) -> dict[str, str | int | None]:
        """A message contains only ids and a version; the content is requested from a view."""
        place = line.restaurant_id
        return {
            "kind": line.kind,
            "uuid": str(line.uuid),
            "version": line.version,
            "restaurant": None if place is None else str(self.restaurants[place]),
        }


def scope_of(user: User) -> Scope:
    """Costs two queries, compiled once: they are repeated for every open screen (`live/sse.py`)."""
    return Scope(
        restaurants=dict(_restaurants_of(user.pk)),
        groups=frozenset(pk for (pk,) in _groups_of(user.pk)),
    )


@prepared
def _restaurants_of(user_id: int) -> Any:
    return Restaurant.objects.visible_to(User(pk=user_id)).values_list("pk", "uuid")


@prepared
def _groups_of(user_id: int) -> Any:
    return Group.objects.visible_to(User(pk=user_id)).values_list("pk")


def scope_now(*, session_key: str, user_id: int) -> Scope | None:
    """The scope as of now, or None if this session no longer belongs to this person.

    Signing out, a changed password, a deactivated account and the hand-over of a shared tablet
    all end here. Costs four queries.
    """
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    if not isinstance(user, User) or user.pk != user_id:
        return None
    return scope_of(user)
