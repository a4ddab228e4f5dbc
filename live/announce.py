"""Announces a change, in the transaction that stores it. Nothing else writes announcements."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from live.models import Announcement
from restaurants.models import Restaurant

CHANNEL = "couvert_live"


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
