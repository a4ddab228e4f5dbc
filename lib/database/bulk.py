"""Bulk insert and update with one prepared statement instead of Django's long SQL.

Django's own bulk writes spell out every value of every row as a piece of SQL, which costs more
processor time than all the rest of a backfill. Nothing is checked here and no signal is sent:
for answers of the service, sums that were counted here, and synthetic data.

PostgreSQL's driver spells out as much, and waits after each row, where other threads take the
interpreter away. So many rows go to it at once.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain, islice, repeat
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction

ROWS_PER_STATEMENT = 5000
FEW = 8  # rows that go one by one: a COPY takes two more trips
AT_ONCE = 64  # rows in a statement of SQLite
WIDTH = re.compile(r"\(.*?\)")  # varchar(32): to cast would cut what is too long without a word
# Values that every driver takes as they are.
PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField)
SPELLED = (models.DateField, models.DecimalField)


def insert(rows: Iterable[models.Model]) -> None:
    """Insert unsaved instances of one model, whose generated keys stay unknown."""
    batch = list(rows)
    if batch:
        fields = _written(batch[0])
        _write(type(batch[0]), fields, list(_values(fields, batch)))


def _write(model: type[models.Model], fields: Sequence[Any], values: list[tuple[Any, ...]]) -> None:
    if connection.vendor != "postgresql":
        _together(model, fields, values)
    elif len(values) > FEW:
        _copy(model, fields, values)
    else:
        _each(_into(model, fields), values)


def insert_copies(row: models.Model, varying: Mapping[str, Sequence[Any]]) -> int:
    """Insert as many rows like this one as there are values for each of these fields of it.

    What is there already is passed over. Returns how many were new.
    """
    model, fields = type(row), _written(row)
    (known,) = _values(fields, [row])
    ending = "ON CONFLICT DO NOTHING"
    if connection.vendor != "postgresql":
        rows = _spread(fields, known, varying)
        return _each(f"{_into(model, fields)} {ending}", rows)
    columns, params = [], []
    for field, value in zip(fields, known, strict=True):
        kind = WIDTH.sub("", field.db_type(connection))
        own = list(varying.get(field.name, [value]))
        is_same = own.count(own[0]) == len(own)
        columns.append(f"%s::{kind}" if is_same else f"unnest(%s::{kind}[])")
        params.append(own[0] if is_same else own)
    each = f"SELECT {', '.join(columns)}"
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {_table(model, fields)} {each} {ending}", params)
        return int(cursor.rowcount)


def _spread(
    fields: Sequence[Any], known: Sequence[Any], varying: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[Any, ...]]:
    """The same values in every row but for the fields that vary."""
    columns: list[Iterable[Any]] = []
    for field, value in zip(fields, known, strict=True):
        spell = _translation(field) or (lambda value: value)
        own = varying.get(field.name)
        columns.append(repeat(value) if own is None else map(spell, own))
    return zip(*columns, strict=False)


def _written(row: models.Model) -> list[Any]:
    """The fields but for a key that the database makes."""
    return [
        field
        for field in row._meta.concrete_fields
        if not (isinstance(field, models.AutoField) and row.__dict__[field.attname] is None)
    ]


def update(rows: Iterable[models.Model], names: Iterable[str]) -> None:
    """Write these fields of saved instances of one model."""
    batch = list(rows)
    if not batch:
        return
    model = type(batch[0])
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    key: Any = model._meta.pk
    quote = connection.ops.quote_name
    changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    statement = f"UPDATE {quote(model._meta.db_table)} SET {changes}"  # noqa: S608  # our names
    _each(f"{statement} WHERE {quote(key.column)} = %s", _values([*fields, key], batch))


def _each(statement: str, values: Iterable[tuple[Any, ...]]) -> int:
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(values))
        return int(cursor.rowcount)


def _into(model: type[models.Model], fields: Sequence[Any]) -> str:
    marks = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {_table(model, fields)} VALUES ({marks})"  # noqa: S608  # our names


def _table(model: type[models.Model], fields: Sequence[Any]) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    return f"{quote(model._meta.db_table)} ({columns})"


def _copy(
    model: type[models.Model], fields: Sequence[Any], values: Iterable[tuple[Any, ...]]
) -> None:
    """PostgreSQL."""
    with (
        connection.cursor() as cursor,
        connection.wrap_database_errors,
        cursor.copy(f"COPY {_table(model, fields)} FROM STDIN") as copy,
    ):
        for row in values:
            copy.write_row(row)


def load(rows: Iterable[models.Model]) -> int:
    """Insert made-up instances of one model by the thousand."""
    written = 0
    rows = iter(rows)
    while batch := list(islice(rows, ROWS_PER_STATEMENT)):
        with transaction.atomic():
            insert(batch)
        written += len(batch)
    return written


def load_values(
    model: type[models.Model], names: Iterable[str], rows: Iterable[tuple[Any, ...]]
) -> int:
    """The same from bare values, in the order of the names: many rows are quicker without
    an instance of each. Columns that are not named are left to the database."""
    fields = [model._meta.get_field(name) for name in names]
    written = 0
    rows = iter(rows)
    while batch := list(islice(rows, ROWS_PER_STATEMENT)):
        spellings = [_translation(field) for field in fields]
        with transaction.atomic():
            _write(model, fields, [_spelt(row, spellings) for row in batch])
        written += len(batch)
    return written


def _spelt(row: tuple[Any, ...], spellings: list[Callable[[Any], Any] | None]) -> tuple[Any, ...]:
    return tuple(
        spell(value) if spell else value for value, spell in zip(row, spellings, strict=True)
    )


def _together(
    model: type[models.Model], fields: Sequence[Any], values: list[tuple[Any, ...]]
) -> None:
    """SQLite: many rows in a statement. A full-text index, to which a trigger adds each of them,
    is written once per statement: row by row, most of the time went into merging its parts."""
    marks = f"({', '.join(['%s'] * len(fields))})"
    with connection.cursor() as cursor:
        for rows in _pieces(values):
            each = ", ".join([marks] * len(rows))
            statement = f"INSERT INTO {_table(model, fields)} VALUES {each}"  # noqa: S608  # our names
            cursor.execute(statement, list(chain.from_iterable(rows)))


def _pieces(rows: list[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    """64 rows, then 32, 16, …: the driver keeps a statement of each length, half a megabyte."""
    at = 0
    while left := len(rows) - at:
        size = min(AT_ONCE, 1 << (left.bit_length() - 1))
        yield rows[at : at + size]
        at += size


def _values(fields: Iterable[Any], batch: list[models.Model]) -> Iterator[tuple[Any, ...]]:
    readers = [(field.attname, _translation(field)) for field in fields]
    for row in batch:
        known = row.__dict__
        yield tuple([read(known[name]) if read else known[name] for name, read in readers])


@cache
def _translation(field: Any) -> Callable[[Any], Any] | None:
    """Return the conversion of a field's values for the driver; repeated dates are cached."""
    target = getattr(field, "target_field", field)
    # The first thread's wrapper itself, only to spell values: the proxy costs a microsecond.
    database = connections[DEFAULT_DB_ALIAS]
    if isinstance(target, models.UUIDField):
        return None if database.features.has_native_uuid_field else _hex
    if isinstance(target, models.JSONField):
        return lambda v: None if v is None else database.ops.adapt_json_value(v, None)
    if isinstance(target, models.DateTimeField):
        return _moment if database.vendor == "sqlite" else None
    if isinstance(target, SPELLED):
        return lru_cache(512)(lambda value: target.get_db_prep_save(value, database))
    if isinstance(target, PLAIN):
        return None
    return lambda value: target.get_db_prep_save(value, database)


def _moment(at: datetime | None) -> str | None:
    """As Django spells it, in a third of the time."""
    return str(at.astimezone(UTC).replace(tzinfo=None)) if at else None


def _hex(uuid: UUID | None) -> str | None:
    return uuid.hex if uuid else None
