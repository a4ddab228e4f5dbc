"""Seven pages beside those of an earlier commit: the processor time of a warm process, in turn.

    BENCH_BEFORE=51c5629 python -m tests.bench commit_before

The earlier commit runs from an archive of it, with the packages of this environment. It fills the
database; what is measured now is a copy of that, carried over by `migrate`. Without BENCH_BEFORE
nothing is measured. A later run takes the place of this one on the page, whatever the commit.

Each round has processes of its own: two of the same code differ by up to a tenth for as long as
they run, because their memory is laid out differently. Within a round both answer in turn.
"""

import atexit
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from tests.bench.frame import SQLITE, Bench, Outcome
from tests.bench.helper_process import HelperProcess
from tests.processes import ROOT, scratch_environment

ROUNDS, WARM, TAKEN = 9, 5, 15
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


def run() -> Iterable[Outcome]:
    commit = os.environ.get("BENCH_BEFORE")
    if not commit:
        return []
    folder = Path(tempfile.mkdtemp(prefix="couvert-before-"))
    atexit.register(shutil.rmtree, folder)
    before = Installation(unpack(commit, folder / "code"), folder / "before")
    before.manage("migrate")
    before.fill()
    now = Installation(ROOT, folder / "now")
    shutil.copy(before.database, now.database)
    now.manage("migrate")
    now.manage("shell", "--command", READ_NOTES)
    sides, outcomes = {commit: before, "now": now}, dict[str, Outcome]()
    for side in sides.values():
        side.manage("collectstatic", "--noinput")
    for _round in range(ROUNDS):
        take_round(sides, outcomes)
    return outcomes.values()


def take_round(sides: dict[str, "Installation"], outcomes: dict[str, Outcome]) -> None:
    """Add the medians of one round to the outcomes of the pages."""
    processes = {who: side.start() for who, side in sides.items()}
    for page in processes["now"].facts:
        outcome = outcomes.setdefault(page, outcome_of(page, list(sides)))
        turns = [[one.ask(page) for one in processes.values()] for _ in range(WARM + TAKEN)]
        for who, taken in zip(sides, zip(*turns[WARM:], strict=True), strict=True):
            outcome.figures[who].append(statistics.median(taken))
    for process in processes.values():
        process.close()


def outcome_of(page: str, names: list[str]) -> Outcome:
    name = f"{page}, processor time beside an earlier commit, {SQLITE}"
    bench = Bench(name, unit="ms", measures={}, aim="≤ 1.05")
    return Outcome(bench, {who: [] for who in names})


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
        return HelperProcess(MODULE, environment=self.environment, code=self.code)

    def _python(self, *words: str) -> None:
        command = [sys.executable, *words]
        subprocess.run(
            command, cwd=self.code, env=self.environment, check=True, stdout=subprocess.DEVNULL
        )
