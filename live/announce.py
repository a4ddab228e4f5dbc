"""Announces a change, in the transaction that stores it. Nothing else writes announcements."""

from collections.abc import Iterable

from django.db import connection

from live.models import Announcement

CHANNEL = "couvert_live"


def announce(lines: Iterable[Announcement]) -> list[Announcement]:
    """Write the lines into the caller's transaction: screens hear of them when it commits.

    Nobody has to listen, and nothing here waits for those who do. On SQLite the commit itself
    is what the listeners notice; on PostgreSQL a notification leaves with it (many in one
    transaction are one).
    """
    written = Announcement.objects.bulk_create(lines)
    if written and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")
    return written
