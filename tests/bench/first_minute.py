"""A newcomer's first minute: from `git clone` to a living screen, and later starts.

    python -m tests.bench first_minute

`make run` is what a newcomer types. Packages come from the package cache of this machine, or from
the registry where it has none. A screen lives when the sign-ins are printed: the evening that staff
see first has been read by then.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.frame import Bench, Outcome
from tests.processes import ROOT, free_port

READY = "Couvert is ready"
AIM = "from the clone ≤ 60 s; later starts ≤ 10 s"
# What a newcomer's shell has: nothing of this process's settings.
KEPT = ("HOME", "PATH", "LANG", "TMPDIR")
ROUNDS = 3


def run() -> Iterator[Outcome]:
    first, later = list[float](), list[float]()
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="couvert-first-minute-") as folder:
            copy = Path(folder) / "couvert"
            began = time.perf_counter()
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
            first.append(seconds_until_ready(copy, since=began))
            later.append(seconds_until_ready(copy, since=time.perf_counter()))
    bench = Bench("a living screen", unit="s", measures={}, aim=AIM)
    yield Outcome(bench, {"from the clone": first, "later starts": later})


def seconds_until_ready(copy: Path, *, since: float) -> float:
    """`make run` until the sign-ins stand there; then Ctrl-C, which is not measured."""
    ports = {"WEB_PORT": str(free_port()), "SANDBOX_PORT": str(free_port())}
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | ports
    program = subprocess.Popen(
        [shutil.which("make") or "make", "run"],
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert program.stdout is not None
    lines = list[str]()
    for line in program.stdout:
        lines.append(line)
        if READY in line:
            took = time.perf_counter() - since
            os.killpg(program.pid, signal.SIGINT)
            program.communicate()
            return took
    raise RuntimeError("`make run` ended before its sign-ins stood there:\n" + "".join(lines[-20:]))
