"""Announcements of changes: written in the transaction that stores the change, read without a gap.

Ids are drawn when a line is written but lines become visible when their transaction commits, so
on PostgreSQL line 11 may be seen before line 10. A *cursor* is therefore never simply the highest
id seen: it is the highest id below which nothing can appear any more. Whoever resumes from it may
get a line twice, which the version makes harmless, but never misses one.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from live.models import KEPT, Announcement
from restaurants.models import Restaurant

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
