"""Parses the lines of a CSV file of bookings strictly, with a helpful sentence for each mistake."""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TypeVar

COLUMNS = (
    "restaurant", "service_day", "service", "meal_time", "created_at", "cancelled_at",
    "party_size", "status", "channel",
)  # fmt: skip
KEPT = ("RECORDED", "CANCELED", "NO_SHOW")
NEVER_CONFIRMED = ("REQUESTED", "REFUSED")
DAY = 24 * 60
DAY_START = 4 * 60  # minutes after midnight at which a service day begins
Value = TypeVar("Value")


class Unreadable(Exception):
    """The file cannot be used; the message is one sentence for the person who gave it."""


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One line; moments are minutes since the first day there was, the meal's in local time."""

    restaurant: str
    service: str
    day: int
    meal: int
    created: int | None
    cancelled: int | None
    covers: int
    status: str
    channel: str


def read_rows(path: Path) -> Iterator[CsvRow]:
    """Confirmed bookings; requests that never were are left out."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            yield from _rows(file)
    except OSError as problem:
        raise Unreadable(f"The file cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise Unreadable("The file is not a CSV file in UTF-8.") from problem
    except csv.Error as problem:
        raise Unreadable(f"The file is not a CSV file: {problem}.") from problem


def _rows(lines: Iterator[str]) -> Iterator[CsvRow]:
    reader = csv.DictReader(lines)
    reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
    _check_columns(reader.fieldnames)
    for line in reader:
        if not any(line.values()):
            continue  # commas alone, as spreadsheets write empty lines
        try:
            row = _row(line)
        except ValueError as problem:
            raise Unreadable(f"Line {reader.line_num}: {problem}.") from problem
        if row.status in KEPT:
            yield row


def _check_columns(names: Sequence[str]) -> None:
    if not names:
        raise Unreadable("The file is empty.")
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        word = "column" if len(missing) == 1 else "columns"
        raise Unreadable(
            f"The file has no {word} {', '.join(missing)}: its first line must name"
            f" {', '.join(COLUMNS)}, with commas between them."
        )


def _row(line: dict[str, str | None]) -> CsvRow:
    day = _read(line, "service_day", _day, "a date like 2026-05-31")
    clock = _read(line, "meal_time", _clock, "a time like 19:30")
    return CsvRow(
        restaurant=_read(line, "restaurant", _word, "a name"),
        service=_read(line, "service", _lower_word, "lunch or dinner"),
        day=day,
        meal=day * DAY + clock + (DAY if clock < DAY_START else 0),
        created=_read(line, "created_at", _moment, "a moment like 2026-05-31T17:05:00Z"),
        cancelled=_read(line, "cancelled_at", _moment, "empty or a moment"),
        covers=_read(line, "party_size", _covers, "a whole number above 0"),
        status=_read(line, "status", _status, "one of " + ", ".join((*KEPT, *NEVER_CONFIRMED))),
        channel=sys.intern(line["channel"] or ""),
    )


def _read(
    line: dict[str, str | None], name: str, parse: Callable[[str], Value], wanted: str
) -> Value:
    text = (line[name] or "").strip()
    try:
        return parse(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be {wanted}, not “{text[:40]}”") from None


def _word(text: str) -> str:
    if not text:
        raise ValueError
    return sys.intern(text)  # a few words of many lines


def _lower_word(text: str) -> str:
    return _word(text.lower())


def _day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def _clock(text: str) -> int:
    clock = time.fromisoformat(text if text[1:2] != ":" else f"0{text}")
    return clock.hour * 60 + clock.minute


def _moment(text: str) -> int | None:
    """Minutes, by UTC where no zone stands; nobody knows is `None`."""
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None and moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.toordinal() * DAY + moment.hour * 60 + moment.minute


def _covers(text: str) -> int:
    covers = int(text)
    if not 0 < covers < 10_000:
        raise ValueError
    return covers


def _status(text: str) -> str:
    status = text.upper()
    if status not in KEPT and status not in NEVER_CONFIRMED:
        raise ValueError
    return sys.intern(status)
