"""Twenty million bookings out of one million, in SQL: more restaurants, and a longer past of each.

Every row is copied as it is, but for its keys, its restaurant and group, a guest's number, and its
days, which are moved back by whole weeks. The first group and its newest days stay as they were, so
that a page about them has as much to show. What is longest ago is stored first, as in an
installation of years. Indexes and constraints are made when all rows are there.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, models, transaction

from customers.models import Customer
from insights.expected.models import ExpectedService, ForecastRun, PastForecast
from insights.models import BookingCount, Campaign, Counter, CountRow, DietaryCount, Rating, Spend
from mirror.models import SyncRequest
from reservations.models import ArrivalTracking, Reservation
from restaurants.models import Group, Restaurant
from reviews.models import Review, Work

GROUPS, PASTS = 5, 4
PAST_DAYS = 749  # whole weeks, and more than the days of the first past
KEYS_APART = 1000  # between the restaurants of two groups
ENTITIES = (Customer, Reservation, Review, Work, SyncRequest)
PLACES = (ArrivalTracking, Counter, ForecastRun, ExpectedService, PastForecast)
SUMS = (BookingCount, Spend, Campaign, Rating, DietaryCount)
FILLED = (*ENTITIES, *SUMS)
LINKS = ("customer", "reservation", "review")  # and the key itself
NUMBERED = ("phone", "phone_e164", "search_text")
DIGITS, NUMBERS_APART = 8, 7_654_321  # of a telephone number's end, between two copies
DATED = (models.DateField, models.DateTimeField)
BORN = "birth_date"
CONSTRAINTS = """
SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid), contype::text
FROM pg_constraint
WHERE contype IN ('p', 'u', 'f')
  AND (conrelid = %(table)s::regclass OR confrelid = %(table)s::regclass)
"""
INDEXES = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = %(table)s::regclass
"""
ORDER = "puif"  # primary keys, unique ones, other indexes, references
Moves = list[tuple[int, int, int]]  # each copy's number, group and past


class Made(NamedTuple):
    """What is taken off a table while it is filled, with what makes it anew, and when."""

    drops: list[str]
    makes: list[tuple[str, int]]


def grow() -> Iterator[str]:
    """Copy all into further groups and pasts. Tells what it has done."""
    copy_places()
    for model in FILLED:
        yield from multiply(model)
    _run(["VACUUM ANALYZE"])


def multiply(model: type[models.Model]) -> Iterator[str]:
    with transaction.atomic():
        made = _made(model)
        _run(made.drops)
        _fill(model)
    yield f"{model.__name__}: {model._default_manager.count():,} rows"
    _run(words for words, _order in sorted(made.makes, key=lambda make: make[1]))
    yield f"{model.__name__}: indexes"


def copy_places() -> None:
    """The other groups, with as many restaurants, and what is known of those."""
    rows = [*Group.objects.all(), *Restaurant.objects.all()]
    for number in range(1, GROUPS):
        for row in rows:
            _move_on(row, number)
    moves = [(number, number, 0) for number in range(1, GROUPS)]
    for model in PLACES:
        table = _quoted(model._meta.db_table)
        _run([_insertion(model, f"(SELECT * FROM {table})", moves)])  # noqa: S608  # our names


def _move_on(row: Group | Restaurant, number: int) -> None:
    """Into the next group."""
    row.pk += KEYS_APART
    row.uuid = UUID(int=row.uuid.int + (1 << 64))
    row.name = f"{row.name.partition(',')[0]}, {number + 1}"
    if isinstance(row, Restaurant):
        row.group_id += KEYS_APART
    row.save(force_insert=True)


def _fill(model: type[models.Model]) -> None:
    """Emptied and filled in one transaction: PostgreSQL then writes no log of it."""
    table, others = _quoted(model._meta.db_table), "WHERE span = 'd'" if model in SUMS else ""
    _run([
        f"CREATE TEMPORARY TABLE seed ON COMMIT DROP AS SELECT * FROM {table} {others}",  # noqa: S608
        f"TRUNCATE {table}",
    ])  # fmt: skip
    for past in reversed(range(PASTS)):
        moves = [(group * PASTS + past, group, past) for group in range(GROUPS)]
        _run([_insertion(model, "seed", moves)])
    if issubclass(model, CountRow):
        _run([_months(model)])


def _insertion(model: type[models.Model], rows: str, moves: Moves) -> str:
    fields = _copied(model)
    names = ", ".join(_quoted(one.column) for one in fields)
    values = ", ".join(_moved(one) for one in fields)
    listed = ", ".join(map(str, moves))
    return (
        f"INSERT INTO {_quoted(model._meta.db_table)} ({names}) SELECT {values}"  # noqa: S608
        f" FROM {rows} AS seed CROSS JOIN (VALUES {listed}) AS move (number, place, past)"
    )


def _copied(model: type[models.Model]) -> list[Any]:
    """All but a key that the database makes."""
    return [one for one in model._meta.concrete_fields if not isinstance(one, models.AutoField)]


def _moved(field: Any) -> str:
    """The expression of a column in a copy."""
    column = _quoted(field.column)
    if field.name in ("restaurant", "group"):
        return f"{column} + {KEYS_APART} * place"
    if field.name in LINKS or field.name == "uuid":
        return _moved_key(column)
    if field.model is Customer and field.name in NUMBERED:
        return _with_another_number(column)
    if isinstance(field, models.DateTimeField):
        return f"{column} - past * interval '{PAST_DAYS} days'"
    if isinstance(field, DATED) and field.name != BORN:
        return f"{column} - past * {PAST_DAYS}"
    return column


def _moved_key(column: str) -> str:
    """Two digits of the key are turned by the number: no two copies have the same."""
    text = f"{column}::text"
    turned = f"lpad(to_hex(('x' || substr({text}, 12, 2))::bit(8)::int # number), 2, '0')"
    return f"(substr({text}, 1, 11) || {turned} || substr({text}, 14))::uuid"


def _with_another_number(column: str) -> str:
    """Two guests have one number seldom: that of a copy is moved as well."""
    moved = f"(right(phone_e164, {DIGITS})::bigint + {NUMBERS_APART} * number) % {10**DIGITS}"
    new = f"lpad(({moved})::text, {DIGITS}, '0')"
    return f"replace({column}, right(phone_e164, {DIGITS}), {new})"


def _months(model: type[CountRow]) -> str:
    """Months are the sums of their days."""
    fields = _copied(model)
    (unique,) = model._meta.constraints
    keys: tuple[str, ...] = unique.fields  # type: ignore[attr-defined]  # its only constraint
    taken = {"span": "'m'", "start": "date_trunc('month', start)::date"}
    values = [
        taken.get(one.name, one.column if one.name in keys else f"sum({_quoted(one.column)})")
        for one in fields
    ]
    by = ", ".join(str(at) for at, one in enumerate(fields, 1) if one.name in keys)
    names = ", ".join(_quoted(one.column) for one in fields)
    table = _quoted(model._meta.db_table)
    return f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {table} GROUP BY {by}"  # noqa: S608


def _made(model: type[models.Model]) -> Made:
    """Keys before others, and references last."""
    named = {"table": model._meta.db_table}
    made = Made([], [])
    constraints = _rows(CONSTRAINTS, named)
    for table, name, words, kind in sorted(constraints, key=lambda row: row[3] != "f"):
        made.drops.append(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        make = f"ALTER TABLE {table} ADD CONSTRAINT {name} {words}"
        made.makes.append((make, ORDER.index(kind)))
    own = {name for _table, name, _words, kind in constraints if kind != "f"}
    for name, words in _rows(INDEXES, named):
        if name not in own:
            made.drops.append(f"DROP INDEX {name}")
            made.makes.append((words, ORDER.index("i")))
    return made


def _rows(query: str, named: dict[str, str]) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, named)
        return list(cursor.fetchall())


def _run(statements: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))
