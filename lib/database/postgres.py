"""Faster PostgreSQL driver settings: native datetimes and kept query plans.

Moments: the driver has code in C for them, which Django replaces by a class in Python, so that a
connection can be in any zone. Ours is in UTC, and moments of UTC are spelled as `datetime` reads
them: an eighth of the time.

Plans: for a query of every page, planning takes longer than executing. A connection that has
executed it before may keep the plan. Behind a pooler in transaction mode none is kept, because the
next statement may meet another session.
"""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

# Django writes values into its SQL: each is another statement, and none is worth keeping by itself.
EXPLICIT_ONLY = 2**31


def prepare(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Make a new connection fast."""
    if connection.vendor != "postgresql":
        return
    connection.connection.prepare_threshold = None if settings.DATABASE_DIRECT else EXPLICIT_ONLY
    if connection.timezone is UTC:
        connection.connection.adapters.register_loader("timestamptz", _loader())


def keep_plans(cursor: Any, *, connection: BaseDatabaseWrapper) -> None:
    """Let what this cursor executes be planned once per connection, not each time.

    Django's log of queries (DEBUG, tests) could not read such a statement: there it is as ever.
    """
    if connection.vendor == "postgresql" and not connection.queries_logged:
        cursor.cursor = _planning_cursor()(connection.connection)


@cache
def _planning_cursor() -> type:
    from django.db.backends.postgresql.base import ServerBindingCursor  # where there is a driver

    class PlanningCursor(ServerBindingCursor):
        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            return super().execute(query, params, prepare=True, **options)  # type: ignore[misc]  # stubs of psycopg 2

    return PlanningCursor


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
