"""Memory-mapped reading of the SQLite file (`mmap_size`), in the web processes.

A page that is not mapped is copied by a system call of its own. A mapped one counts as memory of
the process, though the system may take it back: a backfill would seem to grow with the file.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

MOST = 2_147_418_112  # what SQLite maps at most: addresses, not memory


def read_in_place(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA mmap_size={MOST}")
