"""Houses full of evenings, for the benchmarks of the boards.

BENCH_RESERVATIONS says how long the history is (a million, which takes minutes to write);
DATABASE_URL names an empty PostgreSQL database, otherwise a SQLite in a scratch folder is made.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.processes import ROOT, scratch_environment

RESERVATIONS = int(os.environ.get("BENCH_RESERVATIONS", "1000000"))
FEW = 10_000  # of which the busy day is a part already


class House:
    """A process that has filled its database and asks itself for pages."""

    def __init__(self, reservations: int) -> None:
        folder = tempfile.TemporaryDirectory(prefix="couvert-bench-")
        atexit.register(folder.cleanup)
        environment = scratch_environment(Path(folder.name))
        environment["DJANGO_SETTINGS_MODULE"] = "tests.bench.evening_settings"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.evening_house", str(reservations)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)
        self._read()

    def measure(self, name: str) -> Callable[[], float]:
        def ask() -> float:
            assert self.process.stdin
            self.process.stdin.write(f"{name}\n")
            self.process.stdin.flush()
            return float(self._read())

        return ask

    def _read(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("The house of the benchmark has stopped.")
        return json.loads(line)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=30)


@cache
def house(reservations: int = RESERVATIONS) -> House:
    return House(reservations)
