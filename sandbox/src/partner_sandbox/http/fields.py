"""Reading what a client sent: one checked value at a time, each failure naming its field."""

import json
import math
import re
from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any, NoReturn
from uuid import UUID
from zoneinfo import ZoneInfo

from partner_sandbox.clock import to_instant
from partner_sandbox.http.errors import invalid

PHONE = re.compile(r"\+[1-9]\d{1,14}", re.ASCII)
LOCALE = re.compile(r"([a-z]{2,3})(?:_([A-Z]{2}))?")
LANGUAGE = re.compile(r"[a-z]{2,3}")
LOCAL_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MILLIS = re.compile(r"\d{13}", re.ASCII)
DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[+-]\d\d:?\d\d)?", re.ASCII
)
UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class _Missing:
    def __bool__(self) -> bool:
        return False


MISSING: Any = _Missing()  # an optional field that was not sent, which is not the same as null


def parse_date(text: str) -> date | None:
    if not DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def parse_instant(text: str, zone: ZoneInfo) -> int | None:
    """Read an ISO 8601 instant; without an offset it is the restaurant's local time.

    A local time that the spring change skips is read with the offset before the change, one that
    the autumn change repeats is its first pass: what the time-zone database says for fold 0.
    """
    if not DATE_TIME.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper().replace(",", "."))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        return to_instant(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


class Query:
    """The query parameters of one request."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self.values = dict(pairs)
        if len(self.values) != len(pairs):
            names = [name for name, _ in pairs]
            raise invalid(next(name for name in names if names.count(name) > 1))

    def unknown(self, allowed: Collection[str]) -> list[str]:
        return [name for name in self.values if name not in allowed]

    def text(self, name: str, pattern: re.Pattern[str], *, required: bool = False) -> str | None:
        value = self.values.get(name)
        if value is None and not required:
            return None
        if value is None or not pattern.fullmatch(value):
            raise invalid(name)
        return value

    def uuid(self, name: str, *, required: bool = False) -> bytes | None:
        text = self.text(name, UUID_TEXT, required=required)
        return None if text is None else UUID(text).bytes

    def date(self, name: str) -> date:
        day = parse_date(self.values.get(name, ""))
        if day is None:
            raise invalid(name)
        return day

    def number(self, name: str, default: float, most: float = math.inf) -> float:
        """A number greater than 0; whole numbers come back as int."""
        text = self.text(name, NUMBER)
        if text is None:
            return default
        value = float(text)
        if not math.isfinite(value) or not 0 < value <= most:
            raise invalid(name)
        return int(value) if value.is_integer() else value

    def integer(self, name: str, default: int, most: int = 2**53) -> int:
        value = self.number(name, default, most)
        if not isinstance(value, int):
            raise invalid(name)
        return value

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        value = self.values.get(name, default)
        if value not in allowed:
            raise invalid(name)
        return value


class Body:
    """A closed JSON object: a field that is not read by name must not be there."""

    def __init__(self, data: dict[str, Any], allowed: Collection[str], prefix: str = "") -> None:
        self.data = data
        self.prefix = prefix
        for name in data:
            if name not in allowed:
                raise invalid(self._full_name(name), breach="unknown_field")

    def _refuse(self, name: str) -> NoReturn:
        raise invalid(self._full_name(name))

    def _full_name(self, name: str) -> str:
        return self.prefix + name[:1].upper() + name[1:] if self.prefix else name

    def _take(self, name: str, *, required: bool, nullable: bool) -> Any:
        value = self.data.get(name, MISSING)
        if value is MISSING and not required:
            return MISSING
        if value is MISSING or (value is None and not nullable):
            self._refuse(name)
        return value

    def text(
        self,
        name: str,
        pattern: re.Pattern[str] | None = None,
        *,
        required: bool = True,
        nullable: bool = False,
        length: tuple[int, int] = (0, 1_000_000),
    ) -> Any:
        value = self._take(name, required=required, nullable=nullable)
        if value is MISSING or value is None:
            return value
        if not isinstance(value, str) or not length[0] <= len(value) <= length[1]:
            self._refuse(name)
        if (pattern and not pattern.fullmatch(value)) or not _encodable(value):
            self._refuse(name)
        return value

    def uuid(self, name: str, *, required: bool = True) -> Any:
        text = self.text(name, UUID_TEXT, required=required)
        return text if text is MISSING else UUID(text).bytes

    def positive(self, name: str, *, required: bool = True) -> Any:
        """A whole number greater than 0 (2.0 is one in JSON, true is not)."""
        value = self._take(name, required=required, nullable=False)
        if value is MISSING:
            return value
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value
        if not whole or not 0 < value < 2**31 or value != int(value):
            self._refuse(name)
        return int(value)

    def boolean(self, name: str, *, required: bool = True, default: Any = MISSING) -> Any:
        value = self._take(name, required=required, nullable=False)
        if value is MISSING:
            return default
        if not isinstance(value, bool):
            self._refuse(name)
        return value

    def choice(self, name: str, allowed: Collection[str]) -> str:
        value = self._take(name, required=True, nullable=False)
        if not isinstance(value, str) or value not in allowed:
            self._refuse(name)
        return value

    def date(self, name: str) -> date:
        day = parse_date(self.text(name))
        if day is None:
            self._refuse(name)
        return day

    def nested(self, name: str, allowed: Collection[str], *, required: bool = True) -> Any:
        value = self._take(name, required=required, nullable=False)
        if value is MISSING:
            return value
        if not isinstance(value, dict):
            self._refuse(name)
        return Body(value, allowed, prefix=self._full_name(name))


def _encodable(text: str) -> bool:
    """Lone surrogates are legal in JSON and in nothing else."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def read_object(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise invalid("body") from None
    if not isinstance(data, dict):
        raise invalid("body")
    return data
