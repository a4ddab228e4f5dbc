"""System check: a PostgreSQL database keeps every character."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import Warning as CheckWarning
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


def check_encoding(databases: Iterable[str] | None = None, **_kwargs: Any) -> list[CheckWarning]:
    """Warn of a database that would refuse some texts. `migrate` runs this."""
    return [found for alias in databases or () for found in warnings_of(connections[alias])]


def warnings_of(connection: BaseDatabaseWrapper) -> Iterator[CheckWarning]:
    """A server that was installed without a locale makes databases of SQL_ASCII."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        yield CheckWarning(
            f"The database is {encoding}: some names and notes cannot be stored.",
            hint="Dump it, and restore it into one made with ENCODING 'UTF8' TEMPLATE template0.",
            id="lib.W002",
        )
