"""Coerce values of an answer to what a column can hold. Never raises: what does not fit is None.

The service promises types and ranges, and the raw body is kept beside the columns, so a value
that no database holds (NUL, an integer of 5,000 digits, the year 9999) may be dropped here.
"""

import math
from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from lib.text import storable

LONGEST_WORD = 64
LARGEST_INTEGER = 2**31 - 1
LARGEST_SMALL_INTEGER = 2**15 - 1
LARGEST_AMOUNT = Decimal(10) ** 12
LARGEST_JSON_INTEGER = 2**53  # beyond it a browser rounds
LARGEST_SPELLED_OUT = 10**40
THOUSANDTH = Decimal("0.001")
# Every zone of the world fits around these without leaving what datetime can express.
FIRST_YEAR, LAST_YEAR = 1900, 2200


def text(value: str | None) -> str:
    return storable(value) if value else ""


def word(value: str | None, *, longest: int = LONGEST_WORD) -> str:
    """A word of an enumeration; an unknown one is kept, a long one is cut."""
    return storable(value[:longest]) if value else ""


def integral(value: Any) -> Any:
    """JSON has one kind of number: 4.0 is the integer 4, while 4.5, "4" and true are none."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def whole(value: Decimal | int | None, *, largest: int = LARGEST_INTEGER) -> int | None:
    if value is None or (isinstance(value, Decimal) and not value.is_finite()):
        return None
    return int(value) if 0 <= value <= largest and value == int(value) else None


def small(value: Decimal | int | None) -> int | None:
    return whole(value, largest=LARGEST_SMALL_INTEGER)


def amount(value: Decimal | float | None) -> Decimal | None:
    if value is None:
        return None
    try:
        exact = value if isinstance(value, Decimal) else Decimal(repr(value))
        fits = exact.is_finite() and exact.copy_abs() < LARGEST_AMOUNT
        return exact.quantize(THOUSANDTH) if fits else None
    except InvalidOperation:
        return None


def instant(value: datetime | None) -> datetime | None:
    """A naive time is UTC: the contract's examples are, and it states no zone."""
    if value is None or not FIRST_YEAR <= value.year <= LAST_YEAR:
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def day(value: date | None) -> date | None:
    return value if value is not None and FIRST_YEAR <= value.year <= LAST_YEAR else None


def words(values: Iterable[Any] | None) -> list[str]:
    return [storable(value) for value in values or () if isinstance(value, str)]


def scalar(value: Any) -> Any:
    """What a custom field may hold, made fit for a JSON column."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    value = integral(value)
    if isinstance(value, int) and abs(value) > LARGEST_JSON_INTEGER:
        return str(value) if abs(value) < LARGEST_SPELLED_OUT else None
    return value


def custom_fields(items: Iterable[Any] | None) -> list[dict[str, Any]]:
    """The group's own fields of a guest or a booking, in the order they were sent."""
    return [
        {
            "uuid": str(item.label_uuid or ""),
            "label": text(item.label),
            "type": word(item.type),
            "value": scalar(item.value),
        }
        for item in items or ()
    ]
