"""Databases with years of evenings, filled once for all the benchmarks that read them.

    BENCH_SHARE=0.01 make bench     a hundredth of the promised sizes, to try the benchmarks out

The history is that of `make_history`; a tenth of its bookings came by a campaign and were reviewed,
and all of it is counted for the insights.
"""

import atexit
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bin import servers
from tests.bench.frame import POSTGRES
from tests.bench.helper_process import HelperProcess
from tests.processes import ROOT, scratch_environment

SHARE = float(os.environ.get("BENCH_SHARE", "1"))


class Size(NamedTuple):
    reservations: int
    guests: int
    copies: int = 1  # with more, so small a share of it is made up and the rest copied from that

    @classmethod
    def share_of(cls, reservations: int, guests: int, copies: int = 1) -> "Size":
        return cls(int(reservations * SHARE), int(guests * SHARE), copies)


LONG = Size.share_of(1_000_000, 300_000)
COPIED = Size.share_of(1_000_000, 300_000, copies=10)  # minutes to fill instead of half an hour
MEDIUM = Size.share_of(100_000, 30_000)
SHORT = Size.share_of(10_000, 3_000)


class Filled(NamedTuple):
    environment: dict[str, str]
    seconds_to_count: float  # of the insights, anew

    def ask(self, module: str) -> HelperProcess:
        return HelperProcess(module, environment=self.environment)


def empty(flavour: str) -> dict[str, str]:
    """The environment of a new database of its own, which lives as long as the benchmarks."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-bench-"))
    environment = scratch_environment(Path(folder))
    environment |= {"BENCH": "true", "ALLOWED_HOSTS": "testserver"}
    environment["DATABASE_URL"] = (
        stack.enter_context(servers.private_postgres(durable=True))
        if flavour == POSTGRES
        else f"sqlite:///{folder}/couvert.sqlite3"
    )
    for words in ("migrate", "collectstatic --noinput"):
        command = [sys.executable, "manage.py", *words.split(), "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return environment


@cache
def filled(flavour: str, size: Size) -> Filled:
    environment = empty(flavour)
    filler = HelperProcess("tests.bench.history_process", *map(str, size), environment=environment)
    filler.close()
    return Filled(environment, filler.facts["seconds to count"])
