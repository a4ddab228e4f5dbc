"""Every question of the insights, beside counting one of them from the reservations themselves.

BENCH_QUESTIONS says how many reservations there are: 100,000 unless told; the aim is for 1,000,000.
DATABASE_URL names an empty PostgreSQL database, otherwise a SQLite in a scratch folder is made.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.frame import Bench
from tests.processes import ROOT, scratch_environment

RESERVATIONS = int(os.environ.get("BENCH_QUESTIONS", "100000"))
QUESTIONS = ("fullness", "absence", "spend", "channels", "ratings", "lead", "campaigns")


class House:
    """A process that has counted its history and asks itself for pages."""

    def __init__(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="couvert-bench-")
        atexit.register(folder.cleanup)
        environment = scratch_environment(Path(folder.name))
        environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "BENCH": "true"}
        environment |= {"ALLOWED_HOSTS": "testserver", "LOG_LEVEL": "ERROR"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.question_house", str(RESERVATIONS)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)
        self.facts: dict[str, Any] = self._read()

    def measure(self, name: str) -> Callable[[], float]:
        def ask() -> float:
            assert self.process.stdin
            self.process.stdin.write(f"{name}\n")
            self.process.stdin.flush()
            return float(self._read())

        return ask

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()

    def _read(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())


def run() -> Bench:
    house = House()
    names = ["counted from reservations", "all seven, 4 weeks"]
    names += [f"{slug}, 2 years" for slug in QUESTIONS]
    how = f"{house.facts['vendor']}; counted anew in {house.facts['rebuild']} s"
    return Bench(
        name=f"a question on {RESERVATIONS:,} reservations, p95 ({how})",
        unit="ms",
        measures={name: house.measure(name) for name in names},
        aim="≤ 150 ms; counted anew < 120 s",
    )
