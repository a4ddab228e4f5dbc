"""Six pages beside those of an earlier commit: the processor time of a warm process, in turn.

    BENCH_BEFORE=51c5629 python -m tests.bench commit_before

The earlier commit runs from an archive of it, with the packages of this environment. It fills the
database; what is measured now is a copy of that, carried over by `migrate`. Without BENCH_BEFORE
nothing is measured.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from tests.bench.frame import SQLITE, Bench
from tests.bench.helper_process import HelperProcess
from tests.processes import ROOT, scratch_environment

SIZES = ("9000", "6000", "1")  # reservations, guests, copies: the evening is long, its past short
PROCESS = Path("tests/bench/commit_before_process.py")
MODULE = ".".join(PROCESS.with_suffix("").parts)
# What the worker does after an upgrade, which would be read anew by every page until then.
READ_NOTES = """
from django.utils import timezone
from reservations.service_day.note_readings import read_unread
read_unread(now=timezone.now())
"""
FILLERS = ("history_process", "history_house")  # newest name first


def run() -> Iterator[Bench]:
    commit = os.environ.get("BENCH_BEFORE")
    if not commit:
        return
    folder = Path(tempfile.mkdtemp(prefix="couvert-before-"))
    atexit.register(shutil.rmtree, folder)
    before = Installation(unpack(commit, folder / "code"), folder / "before")
    before.manage("migrate")
    before.fill()
    now = Installation(ROOT, folder / "now")
    shutil.copy(before.database, now.database)
    now.manage("migrate")
    now.manage("shell", "--command", READ_NOTES)
    processes = {commit: before.start(), "now": now.start()}
    for page in processes["now"].facts:
        yield Bench(
            name=f"{page}, processor time beside {commit}, {SQLITE}",
            unit="ms",
            measures={who: process.measure(page) for who, process in processes.items()},
            aim="≤ 1.05",
        )


def unpack(commit: str, folder: Path) -> Path:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    shutil.copy(ROOT / PROCESS, folder / PROCESS)
    return folder


class Installation:
    """A checkout with a database and an environment of its own."""

    def __init__(self, code: Path, folder: Path) -> None:
        folder.mkdir()
        self.code, self.database = code, folder / "couvert.sqlite3"
        self.environment = scratch_environment(folder) | {
            "DATABASE_URL": f"sqlite:///{self.database}",
            "ALLOWED_HOSTS": "testserver",
            "BENCH": "true",  # allows to make up guests
            "PYTHONPATH": str(code),
        }

    def manage(self, *words: str) -> None:
        self._python("manage.py", *words, "--verbosity", "0")

    def fill(self) -> None:
        """With the evening, reviews and sums that the benchmarks of that commit had."""
        names = (name for name in FILLERS if (self.code / f"tests/bench/{name}.py").exists())
        self._python("-m", f"tests.bench.{next(names)}", *SIZES)
        self._python("-m", MODULE, "fill")

    def start(self) -> HelperProcess:
        self.manage("collectstatic", "--noinput")
        return HelperProcess(MODULE, environment=self.environment, code=self.code)

    def _python(self, *words: str) -> None:
        command = [sys.executable, *words]
        subprocess.run(
            command, cwd=self.code, env=self.environment, check=True, stdout=subprocess.DEVNULL
        )
