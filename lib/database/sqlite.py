"""What SQLite needs that PostgreSQL does by itself: mapped memory, and counts of its indexes.

The driver keeps 128 statements of a connection compiled. Of a backfill, in whose statements lists
of any length stand, that grows to ten megabytes; hardly a kept one is used again.

The file is read memory-mapped (`mmap_size`) in the web processes. A page that is not mapped is
copied by a system call of its own. A mapped one counts as memory of the process, though the system
may take it back: a backfill would seem to grow with the file.
"""

from typing import Any

from django.db import connection as default_connection
from django.db.backends.base.base import BaseDatabaseWrapper

MOST = 2_147_418_112  # what SQLite maps at most: addresses, not memory
LOOKED_AT = 1000  # entries of each index, however many it has
FEW_STATEMENTS = 24


def read_in_place(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA mmap_size={MOST}")


def count_indexes(**_signal: Any) -> None:
    """Count the entries and values of each index, by which SQLite chooses between indexes.

    Without, it takes the one of the primary key where a small one has all that is read.
    """
    if default_connection.vendor == "sqlite":
        with default_connection.cursor() as cursor:
            cursor.execute(f"PRAGMA analysis_limit={LOOKED_AT}")
            cursor.execute("ANALYZE")


def keep_few_statements() -> None:
    """Applies to connections that are opened afterwards, by any thread."""
    if default_connection.vendor == "sqlite":
        default_connection.settings_dict["OPTIONS"]["cached_statements"] = FEW_STATEMENTS
