"""Moments out of PostgreSQL, read in an eighth of the time.

The driver has code in C for it, which Django replaces by a class in Python, so that a connection
can be in any zone. Ours is in UTC, and moments of UTC are spelled as `datetime` reads them.
"""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper


def read_moments_fast(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.vendor == "postgresql" and connection.timezone is UTC:
        connection.connection.adapters.register_loader("timestamptz", _loader())


@cache
def _loader() -> type:
    from django.db.backends.postgresql.psycopg_any import BaseTzLoader  # where there is a driver

    class UtcLoader(BaseTzLoader):  # type: ignore[misc]  # the stubs do not know it
        timezone = UTC

        def load(self, data: Any) -> datetime:
            try:
                return datetime.fromisoformat(str(data, "ascii"))
            except ValueError:  # another style, or no year of ours
                return super().load(data)  # type: ignore[no-any-return]

    return UtcLoader
