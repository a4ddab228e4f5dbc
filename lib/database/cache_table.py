"""The cache's table in the database, created by `migrate` like every other table."""

from typing import Any

from django.core.management import call_command


def create_cache_table(*, using: str, verbosity: int, **_signal: Any) -> None:
    """Create the table of a cache in the database. Does nothing for Redis or an existing table."""
    call_command("createcachetable", database=using, verbosity=max(0, verbosity - 1))
