"""The inbox of reviews: a whole request, with every count, over two sizes of history.

`BENCH_REVIEWS=25000,250000` measures as in production; the sizes by default take seconds. Each
size is a database of its own in a scratch folder, and a process that asks itself for the page.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from tests.bench.frame import Bench
from tests.processes import ROOT, scratch_environment

SIZES = [int(number) for number in os.environ.get("BENCH_REVIEWS", "2500,25000").split(",")]
AIM = "p95 < 60 ms over 25,000; ten times as many < 1.3 ×"


def run() -> Bench:
    stack = ExitStack()
    atexit.register(stack.close)
    return Bench(
        name="the inbox, p95",
        unit="ms",
        measures={f"{size:,} reviews": _asks(stack, size) for size in SIZES},
        aim=AIM,
    )


def _asks(stack: ExitStack, size: int) -> Callable[[], float]:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-bench-"))
    environment = scratch_environment(Path(folder)) | {"BENCH": "true"}
    for words in (
        "migrate --verbosity 0",
        "createcachetable",
        "collectstatic --noinput --verbosity 0",
    ):
        command = [sys.executable, "manage.py", *words.split()]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.inbox_house", str(size)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    stack.callback(_end, process)
    stdin: IO[bytes] = process.stdin  # type: ignore[assignment]  # a pipe, as asked
    stdout: IO[bytes] = process.stdout  # type: ignore[assignment]
    stdout.readline()  # the rows are there

    def ask() -> float:
        stdin.write(b"\n")
        stdin.flush()
        found: dict[str, Any] = json.loads(stdout.readline())
        return float(found["p95"])

    return ask


def _end(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.wait()
