"""Multiplies the rows of a filled database in SQL: a million bookings in minutes.

A copy is as its original but for its key, so that sums and pages have as much to read. Names
and telephone numbers repeat: for benchmarks of numbers, not for those that look for a guest.
"""

from datetime import date

from django.db import connection, models

from customers.models import Customer
from reservations.models import Reservation
from reviews.models import Review

# Generated keys are of version 4, which their thirteenth digit names. A copy has another one there.
DIGITS = "012356789abcdef"
PLACE = {"postgresql": 15, "sqlite": 13}  # as text, the first place being 1
REPEATED = ("uuid", "customer", "reservation")
BOOKED = "SELECT uuid FROM reservations_reservation"


def multiply(*, reservations: int, busy_day: date) -> None:
    """Copy guests, bookings and reviews until there are so many bookings.

    The busy day keeps the size that it has.
    """
    for digit in DIGITS:
        missing = reservations - Reservation.objects.count()
        if missing <= 0:
            return
        _copy(Customer, digit)
        _copy(Reservation, digit, f"AND service_day <> '{busy_day}' LIMIT {missing}")
        _copy(Review, digit, f"AND {_moved('reservation_uuid', digit)} IN ({BOOKED})")


def _copy(model: type[models.Model], digit: str, ending: str = "") -> None:
    """Each original once more."""
    fields = model._meta.concrete_fields
    columns = [connection.ops.quote_name(str(field.column)) for field in fields]
    values = [
        _moved(column, digit) if field.name in REPEATED else column
        for field, column in zip(fields, columns, strict=True)
    ]
    table = connection.ops.quote_name(model._meta.db_table)
    into = f"INSERT INTO {table} ({', '.join(columns)})"
    original = f"{_text('uuid', PLACE[connection.vendor], 1)} = '4'"
    rows = f"SELECT {', '.join(values)} FROM {table} WHERE {original}"  # noqa: S608  # our names
    with connection.cursor() as cursor:
        cursor.execute(f"{into} {rows} {ending}")


def _moved(column: str, digit: str) -> str:
    """The key of the copy of what this key means."""
    place = PLACE[connection.vendor]
    moved = f"{_text(column, 1, place - 1)} || '{digit}' || {_text(column, place + 1, 36)}"
    return f"({moved})::uuid" if connection.vendor == "postgresql" else f"({moved})"


def _text(column: str, first: int, length: int) -> str:
    text = f"{column}::text" if connection.vendor == "postgresql" else column
    return f"substr({text}, {first}, {length})"
