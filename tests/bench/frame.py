"""How a benchmark is run: pairs interleaved, medians, ratios, the machine named.

A module of this folder takes part by having `run()`, which yields what is to be measured, a
`Bench`, or the outcome of what it has measured itself. Absolute figures drift with the machine;
the ratio to the peer measured beside it is what is compared.
"""

import os
import platform
import re
import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import isnan
from operator import ge, le, lt

from django.db import connection

from bin import servers

REPETITIONS = 5
SQLITE, POSTGRES = "SQLite + files", "PostgreSQL + Redis"

# "p95 ≤ 200 ms", "≤ 1.3": of which rows (all when it names none), the bound, the unit of a figure.
# Without a unit it bounds the ratio. Several stand one after the other, with semicolons.
AIM = re.compile(
    r"(?:(?P<rows>[^≤<≥]+) )?(?P<sign>[≤<≥]) (?P<bound>\d+(?:\.\d+)?)(?: (?P<unit>\S+))?"
)
KEEPS: dict[str, Callable[[float, float], bool]] = {"≤": le, "<": lt, "≥": ge}

Measure = Callable[[], float]


@dataclass(frozen=True)
class Aim:
    """What figures, or their ratios to the peer, should keep to."""

    rows: str
    sign: str
    bound: float
    unit: str

    def concerns(self, name: str) -> bool:
        return self.rows in name

    def is_missed(self, found: float) -> bool:
        return not (isnan(found) or KEEPS[self.sign](found, self.bound))


@dataclass(frozen=True)
class Bench:
    """What is measured, in which unit, and the peers it is compared with (the first one)."""

    name: str
    unit: str
    measures: dict[str, Measure]
    aim: str = ""

    def aims(self) -> list[Aim]:
        """Raises ValueError for one that could not be checked."""
        found = []
        for text in filter(None, self.aim.split("; ")):
            parts = AIM.fullmatch(text)
            if parts is None or parts["unit"] not in {None, self.unit}:
                raise ValueError(f"“{text}” is no aim that {self.name} could miss.")
            aim = Aim(
                parts["rows"] or "", parts["sign"], float(parts["bound"]), parts["unit"] or ""
            )
            found.append(aim)
        return found


@dataclass
class Outcome:
    bench: Bench
    figures: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.aims = self.bench.aims()

    def median(self, name: str) -> float:
        return statistics.median(self.figures[name])

    def ratio(self, name: str) -> float:
        """To the first measure, which is the peer, in the same round: the median of all rounds.

        A machine that changes its speed between two rounds changes both sides of a round alike.
        """
        peers = next(iter(self.figures.values()))
        return statistics.median(
            figure / peer if peer else float("nan")  # nothing is many times nothing
            for figure, peer in zip(self.figures[name], peers, strict=False)
        )

    def figure(self, name: str) -> str:
        text = f"{self.median(name):,.1f} {self.bench.unit}"
        missed = self._misses(name, self.median(name), self.bench.unit)
        return f"**{text}, missed**" if missed else text

    def ratio_text(self, name: str) -> str:
        ratio = self.ratio(name)
        text = "–" if isnan(ratio) else f"{ratio:.2f}"
        # The peer is compared with nothing.
        missed = name != next(iter(self.figures)) and self._misses(name, ratio, "")
        return f"**{text}, missed**" if missed else text

    def _misses(self, name: str, found: float, unit: str) -> bool:
        aims = (aim for aim in self.aims if aim.unit == unit and aim.concerns(name))
        return any(aim.is_missed(found) for aim in aims)

    def __str__(self) -> str:
        return "\n".join(
            f"{self.bench.name}: {name} {self.figure(name)}, × {self.ratio_text(name)}"
            for name in self.figures
        )


def measure(bench: Bench, *, repetitions: int = REPETITIONS) -> Outcome:
    """Take the measures in turn, so that a slow minute of the machine is slow for all of them."""
    outcome = Outcome(bench, {name: [] for name in bench.measures})
    for _ in range(repetitions):
        for name, take in bench.measures.items():
            outcome.figures[name].append(take())
    return outcome


def offered() -> list[str]:
    """The flavours that this machine can run."""
    return [SQLITE] if servers.missing_programs() else [SQLITE, POSTGRES]


def flavours() -> Iterator[str]:
    """Walk them; what is started meanwhile runs on it.

    PostgreSQL waits for its disk here, as it does in production.
    """
    before = os.environ.pop("DATABASE_URL", None)
    for flavour in offered():
        with ExitStack() as stack:
            if flavour == POSTGRES:
                url = stack.enter_context(servers.private_postgres(durable=True))
                os.environ["DATABASE_URL"] = url
            try:
                yield flavour
            finally:
                os.environ.pop("DATABASE_URL", None)
    if before:
        os.environ["DATABASE_URL"] = before


def describe_machine() -> str:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (
        f"{os.cpu_count()} cores, {pages / 2**30:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}, {_describe_database()}"
    )


def _describe_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version"
        )
        return f"{connection.display_name} {cursor.fetchone()[0]}"
