"""How much each connection holds: numbers of rows by kind, and nothing of what stands in them.

Counting twenty million rows takes seconds. Of a large table PostgreSQL reads a hundredth of the
pages instead, which also finds out who has too few rows there to be estimated: those are counted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Model, Q, QuerySet
from django.utils.functional import Promise

from lib.registration import ExtensionPoint
from partner.models import Connection

LARGE = 1_000_000  # rows
PERCENT = 1  # of the pages of a large table
ENOUGH = 100  # rows of them to estimate all from
LARGE_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s"


class SizeCount(NamedTuple):
    """How many rows, or about how many."""

    number: int = 0
    is_about: bool = False


@dataclass(frozen=True, kw_only=True)
class ConnectionSize:
    """A kind of rows that belong to a connection; each app adds its own."""

    place: int
    label: Promise
    model: type[Model]
    path: str  # from a row to its connection
    only: Q = field(default_factory=Q)

    def counts(self, connections: QuerySet[Connection, Any]) -> dict[int, SizeCount]:
        """Count the rows of each connection. One query."""
        rows: Any = self.model._default_manager.filter(
            self.only, **{f"{self.path}__in": connections}
        )
        found = rows.order_by().values_list(self.path).annotate(number=Count("*"))
        return {pk: SizeCount(number) for pk, number in found}

    def estimates(
        self, connections: QuerySet[Connection, Any], *, percent: int
    ) -> dict[int, SizeCount]:
        """Estimate from a part of the pages, and count the rows of those who have few. Three
        queries."""
        found = self._sampled(percent)
        return self.counts(connections.exclude(pk__in=found)) | found

    def _sampled(self, percent: int) -> dict[int, SizeCount]:
        """By group or restaurant, which are read from the table alone, then by connection."""
        name, _separator, path = self.path.partition("__")
        key: Any = self.model._meta.get_field(name)
        owners: dict[int | None, int | None] = dict(
            key.related_model._default_manager.values_list("pk", path or "pk")
        )
        found = Counter[int]()
        for owner, number in _sample(self.model._meta.db_table, key.column, percent):
            if pk := owners.get(owner):  # events from before the first connection have none
                found[pk] += number
        return {
            pk: SizeCount(number * 100 // percent, is_about=percent < 100)
            for pk, number in found.items()
            if number >= ENOUGH
        }


def all_counts(connections: QuerySet[Connection, Any]) -> Iterator[Mapping[int, SizeCount]]:
    """Of each kind: exact ones, or estimates where the table is large."""
    large = set(large_tables()) if connection.vendor == "postgresql" else ()
    for size in CONNECTION_SIZES:
        if size.model._meta.db_table in large and not size.only:
            yield size.estimates(connections, percent=PERCENT)
        else:
            yield size.counts(connections)


def large_tables() -> list[str]:
    """By what PostgreSQL itself believes that they have."""
    with connection.cursor() as cursor:
        cursor.execute(LARGE_TABLES, [LARGE])
        return [name for (name,) in cursor.fetchall()]


def _sample(table: str, column: str, percent: int) -> list[tuple[int | None, int]]:
    sql = (
        f'SELECT "{column}", count(*) FROM "{table}" '  # noqa: S608  # names of ours
        f"TABLESAMPLE SYSTEM ({percent}) REPEATABLE (0) GROUP BY 1"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


CONNECTION_SIZES: ExtensionPoint[ConnectionSize] = ExtensionPoint(
    "Sizes of connections", order=lambda size: size.place
)
