"""How long it takes to find a guest and to open the page of one with 400 visits.

    python -m tests.bench.guests                       30,000 guests, SQLite in a scratch folder
    python -m tests.bench.guests 300000 1000000        as many guests and reservations
    DATABASE_URL=… python -m tests.bench.guests …      an empty database, or one filled before

The peer is what one writes first: `icontains` on four columns. Both answer the same words, common
and rare, from 2 to 30 characters.
"""

import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from tests.bench.frame import Bench
from tests.processes import ROOT, scratch_environment

GUESTS, RESERVATIONS = 30_000, 100_000


class Desk:
    """The process that holds the database and answers."""

    def __init__(self, folder: str, *, guests: int, reservations: int) -> None:
        own = {"BENCH": "true", "ALLOWED_HOSTS": "testserver"}
        environment = scratch_environment(Path(folder)) | own
        for words in (["migrate"], ["createcachetable"], ["collectstatic", "--noinput"]):
            manage = [sys.executable, "manage.py", *words, "--verbosity", "0"]
            subprocess.run(manage, cwd=ROOT, env=environment, check=True)
        command = [sys.executable, "-m", "tests.bench.desk", str(guests), str(reservations)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.stdin: IO[bytes] = self.process.stdin  # type: ignore[assignment]  # a pipe, as asked
        self.stdout: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        self.facts: dict[str, Any] = json.loads(self.stdout.readline())

    def ask(self, what: str) -> dict[str, float]:
        """p50 and p95 of a round, in milliseconds."""
        self.stdin.write(f"{what}\n".encode())
        self.stdin.flush()
        answer: dict[str, float] = json.loads(self.stdout.readline())
        return answer

    def close(self) -> None:
        self.stdin.close()
        self.process.wait()
        self.stdout.close()


@contextmanager
def open_desk(*, guests: int, reservations: int) -> Iterator[Desk]:
    with tempfile.TemporaryDirectory(prefix="couvert-bench-") as folder:
        desk = Desk(folder, guests=guests, reservations=reservations)
        try:
            yield desk
        finally:
            desk.close()


def run() -> Bench:
    """Leaves its process to the end of the whole run, which reads from it in turn."""
    stack = ExitStack()
    desk = stack.enter_context(open_desk(guests=GUESTS, reservations=RESERVATIONS))
    atexit.register(stack.close)
    return Bench(
        name=f"finding a guest among {GUESTS:,}, p95",
        unit="ms",
        measures={
            "icontains on four columns": lambda: desk.ask("icontains")["p95"],
            "ours": lambda: desk.ask("search")["p95"],
            "the page of a guest with 400 visits": lambda: desk.ask("page")["p95"],
        },
        aim="search at most a twentieth of icontains at 300,000",
    )


def main(guests: int, reservations: int) -> dict[str, Any]:
    with open_desk(guests=guests, reservations=reservations) as desk:
        rounds = {what: desk.ask(what) for what in ("icontains", "search", "page", "lengths")}
        return desk.facts | rounds


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:3]] or [GUESTS, RESERVATIONS]
    print(json.dumps(main(*sizes), indent=2))  # noqa: T201 - a program for the terminal
