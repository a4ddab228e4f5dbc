"""Queries that are compiled to SQL once per process instead of once per page.

Django writes the SQL anew each time, which takes several times as long as the database takes to
answer a question about a few rows. The words depend only on how many values there are; the values
themselves are bound anew each time, so nothing can be stale. PostgreSQL keeps its plan as well:
words that are always the same are written out, so that an index of the rows that have them serves.

    @prepared
    def rights_of(user_id: int) -> QuerySet:
        return Permission.objects.filter(user=user_id).values_list("codename")

    rights_of(7)     # the rows, as tuples

`prepared_models` does the same for a question after model instances. `numbers` asks several
questions that find one number each in a single trip to the database.

It is for what the pages ask that the benchmarks name, the session and the account among it. In
processor time, on either database, a plain queryset in place of one costs 4 to 65 % of a board, and
in place of all twice the board again; of a search, the least, all cost 40 %. Everywhere else it is
simpler, and fast enough: a question about one table costs 0.1 to 0.2 ms.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Func, IntegerField
from django.db.models.query import get_related_populators

from lib.database.postgres import keep_plans

# How many rows there are: `.values_list(COUNT)`, in place of `.count()`.
COUNT = Func(template="COUNT(*)", output_field=IntegerField())

Row = tuple[Any, ...]
KEPT = 64  # compiled variants per query: it depends on the number of restaurants


Bind = tuple[int | None, Any]
PLACE = re.compile("%%|%s")
PLAIN = re.compile(r"[\w-]*", re.ASCII)


class Statement(NamedTuple):
    sql: str
    # For each parameter either the number of the value that goes there, or the parameter itself.
    binds: tuple[Bind, ...]
    converters: dict[int, Any]
    make: Callable[[Row], Any]  # a model instance out of a row

    def bind(self, values: list[Any]) -> list[Any]:
        return [fixed if at is None else fixed(values[at]) for at, fixed in self.binds]

    def run(self, values: list[Any], *, as_stored: bool) -> list[Row]:
        with connection.cursor() as cursor:
            keep_plans(cursor, connection=connection)
            cursor.execute(self.sql, self.bind(values))
            rows: list[Row] = cursor.fetchall()
        return rows if as_stored or not self.converters else list(self._converted(rows))

    def _converted(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            fields = list(row)
            for at, (converters, expression) in self.converters.items():
                for convert in converters:
                    fields[at] = convert(fields[at], expression, connection)
            yield tuple(fields)


class Prepared:
    """A compiled query: `build` makes its `values_list` from values and lists of values.

    `build` may do nothing with the values but hand them on to the queryset, because it sees them
    only once, and others than those of the query. None is no value.
    """

    def __init__(self, build: Callable[..., Any]) -> None:
        self.build = build
        self._statement = lru_cache(maxsize=KEPT)(self._learn)

    def __call__(self, *values: Any, as_stored: bool = False) -> list[Row]:
        """The rows; `as_stored`: as the driver gives them, without Django's conversions."""
        statement = self._statement_for(values)
        return statement.run(_flat(values), as_stored=as_stored) if statement else []

    def about(self, *values: Any) -> "CountQuery":
        """The query with its values, to be executed later."""
        return CountQuery(self, values)

    def written(self, *values: Any) -> tuple[str, list[Any]] | None:
        """The SQL and its parameters, for one that is part of a longer one. None finds nothing."""
        statement = self._statement_for(values)
        return (statement.sql, statement.bind(_flat(values))) if statement else None

    def _statement_for(self, values: tuple[Any, ...]) -> Any:
        shape = tuple((_kind(one), len(one) if _is_list(one) else None) for one in values)
        return self._statement(connection.vendor, shape)

    def _learn(self, _vendor: str, shape: tuple[tuple[type, int | None], ...]) -> Statement | None:
        """Compile the SQL with marker values, to find where each parameter ends up."""
        marks: list[Any] = []
        values: list[Any] = []
        for kind, length in shape:
            made = [_mark(kind, len(marks) + number) for number in range(length or 1)]
            values.append(made[0] if length is None else made[:length])
            marks += made[:length] if length is not None else made
        compiler = self.build(*values).query.get_compiler(connection=connection)
        try:
            sql, params = compiler.as_sql()
        except EmptyResultSet:
            return None
        columns = [column for column, _sql, _alias in compiler.select[: compiler.col_count]]
        places = {_bound(mark): at for at, mark in enumerate(marks)}
        binds = tuple(_bind(param, places) for param in params)
        if {at for at, _how in binds if at is not None} != set(places.values()):
            raise ValueError("A value did not reach the database as it was given.")
        sql, binds = _write_out(sql, binds)
        return Statement(sql, binds, compiler.get_converters(columns), self._maker(compiler))

    def _maker(self, _compiler: Any) -> Callable[[Row], Any]:
        return tuple


@dataclass(frozen=True)
class CountQuery:
    question: Prepared
    values: tuple[Any, ...]


def numbers(counts: Sequence[CountQuery | None]) -> list[int]:
    """Execute several queries that return one number each as one. None counts as 0."""
    written = [one.question.written(*one.values) if one else None for one in counts]
    queries, values = list[str](), list[Any]()
    for sql, bound in filter(None, written):
        queries.append(f"({sql})")
        values += bound
    if not queries:
        return [0] * len(written)
    with connection.cursor() as cursor:
        keep_plans(cursor, connection=connection)
        cursor.execute(f"SELECT {', '.join(queries)}", values)
        found = iter(cursor.fetchone())
    return [next(found) if one else 0 for one in written]


class PreparedModels(Prepared):
    """The same for model instances: `only`, `defer`, `select_related` and annotations hold."""

    def __call__(self, *values: Any, **_options: Any) -> list[Any]:
        rows = super().__call__(*values)
        return list(map(self._statement_for(values).make, rows)) if rows else []

    def _maker(self, compiler: Any) -> Callable[[Row], Any]:
        return _model_maker(compiler)


# As decorators.
prepared, prepared_models = Prepared, PreparedModels


def _model_maker(compiler: Any) -> Callable[[Row], Any]:
    """Do with a row what Django's own iterable of models does."""
    model, fields = compiler.klass_info["model"], compiler.klass_info["select_fields"]
    first, last = fields[0], fields[-1] + 1
    names = [column[0].target.attname for column in compiler.select[first:last]]
    annotations = list(compiler.annotation_col_map.items())
    joined = get_related_populators(  # type: ignore[call-arg]  # the stubs are of Django 6
        compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS
    )

    def make(row: Row) -> Any:
        instance = model.from_db(DEFAULT_DB_ALIAS, names, row[first:last])
        for populator in joined:
            populator.populate(row, instance)
        for name, at in annotations:
            setattr(instance, name, row[at])
        return instance

    return make


def _write_out(sql: str, binds: tuple[Bind, ...]) -> tuple[str, tuple[Bind, ...]]:
    """Put the words that never change into the SQL itself: plain ones, all of our own."""
    left, kept = iter(binds), list[Bind]()

    def write(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return place[0]
        at, fixed = next(left)
        if at is None and isinstance(fixed, str) and PLAIN.fullmatch(fixed):
            return f"'{fixed}'"
        kept.append((at, fixed))
        return place[0]

    return PLACE.sub(write, sql), tuple(kept)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _flat(values: Iterable[Any]) -> list[Any]:
    return [value for one in values for value in (one if _is_list(one) else (one,))]


def _kind(value: Any) -> type:
    if _is_list(value):
        return type(value[0]) if value else int
    return type(value)


def _mark(kind: type, number: int) -> Any:
    """A value that no query contains by itself.

    A number fits the smallest column: of a larger one Django knows that nothing can be found.
    """
    if kind is datetime:
        return datetime(2190, 1, 1, tzinfo=UTC) + timedelta(microseconds=number + 1)
    if kind is date:
        return date(2190, 1, 1) + timedelta(days=number)
    if kind is UUID:
        return UUID(int=number + 2**100)
    return f"\x7f{number}" if kind is str else 2**15 - 1 - number


def _bound(value: Any) -> Any:
    """The value as Django hands it to the driver."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, date):
        return connection.ops.adapt_datefield_value(value)
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return value


def _bind(param: Any, places: dict[Any, int]) -> tuple[int | None, Any]:
    at = places.get(param) if isinstance(param, str | int | date | UUID) else None
    if at is None:
        return None, param
    # Numbers of PostgreSQL carry their width in their class.
    return at, type(param) if isinstance(param, int) else _bound
