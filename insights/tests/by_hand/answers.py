"""The shape of an answer by hand, and the sums that several share."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class PlainAnswer:
    """`rows`: the lines of the table, in any order. `points`: value and value before.

    `file`: the lines of the file, where they are not those of the table.
    """

    number: str
    caption: str
    delta: str | None
    rows: list[list[Any]]
    points: Any
    coverage: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    file: list[list[Any]] | None = None


def covers(rows):
    return sum(one.covers for one in rows)


def at(place, rows):
    return [one for one in rows if one.place == place]


def columns(one, rows, measure):
    """The value of each column beside that of the column in its place before."""
    now = one.buckets(rows(one))
    before = one.before.buckets(rows(one.before))
    is_known = any(measure(bucket) for bucket in before)
    then = [measure(one) if one and is_known else None for one in before]
    then += [None] * (len(now) - len(then))
    return [(measure(one) or 0, old) for one, old in zip(now, then[: len(now)], strict=True)]
