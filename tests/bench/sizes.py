"""The same pages and work with a million bookings, and with twenty million, on PostgreSQL.

    python -m tests.bench sizes                      60 GB of disk, and an hour
    SIZES_FOLDER=/srv/sizes python -m tests.bench sizes    keeps both; the next run only measures

The large installation is copied from the small one (`tests.bench.worlds`). What is done while
measuring is rolled back, but for sign-ins.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg

from bin import servers
from tests.bench.frame import Bench, Outcome
from tests.bench.helper_process import HelperProcess
from tests.bench.history import COPIED
from tests.processes import ROOT, scratch_environment

ONLY_WHEN_NAMED = True
TIMES = 20
SMALL, LARGE = "small", "large"
LABELS = {
    SMALL: f"out of {COPIED.reservations:,}",
    LARGE: f"out of {TIMES * COPIED.reservations:,}",
}
CACHE = ("max_connections=50", "shared_buffers=4GB")
# Nothing is waited for, and what is filled in one transaction needs no log.
LOADING = (
    *CACHE,
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off"),
    *("wal_level=minimal", "max_wal_senders=0", "max_wal_size=4GB", "checkpoint_timeout=30min"),
    "maintenance_work_mem=2GB",
)
# As docs/deploy.md advises; it waits for its disk.
SERVING = (*CACHE, "random_page_cost=1.1", "max_parallel_workers_per_gather=0")
KEYS = "dGVzdC1rZXktZm9yLWNvdXZlcnQtMDEyMzQ1Njc4OTA="


def run() -> Iterator[Bench | Outcome]:
    with ExitStack() as stack:
        folder = _folder(stack)
        with servers.postgres_in(folder, *LOADING) as url:
            fill(folder, url)
        url = stack.enter_context(servers.postgres_in(folder, *SERVING))
        sides = {name: _side(folder, url, name) for name in LABELS}
        for side in sides.values():
            stack.callback(side.close)
        yield from pages(sides)
        yield from works(sides)


def fill(folder: Path, url: str) -> None:
    """Make the databases that are not there yet."""
    _run(url, "DROP DATABASE IF EXISTS unfinished")
    if not _exists(url, SMALL):
        _run(url, "CREATE DATABASE unfinished")
        environment = _environment(folder, url, "unfinished")
        _manage(environment, "migrate")
        _fill(environment, "history_process", *map(str, COPIED))
        _fill(environment, "sizes_fill_process", "opinions")
        _run(url, f"ALTER DATABASE unfinished RENAME TO {SMALL}")
    if not _exists(url, LARGE):
        _run(url, f"CREATE DATABASE unfinished TEMPLATE {SMALL} STRATEGY FILE_COPY")
        environment = _environment(folder, url, "unfinished")
        _fill(environment, "sizes_fill_process", "worlds")
        _run(url, f"ALTER DATABASE unfinished RENAME TO {LARGE}")


def pages(sides: dict[str, HelperProcess]) -> Iterator[Bench]:
    for page in sides[SMALL].facts["pages"]:
        yield Bench(
            name=f"{page}, whole request, PostgreSQL",
            unit="ms",
            measures={LABELS[name]: side.measure(page, part="p50") for name, side in sides.items()},
            aim="< 1.3",
        )


def works(sides: dict[str, HelperProcess]) -> Iterator[Outcome]:
    """Once each: they are undone, but leave dead rows."""
    for number, work in enumerate(sides[SMALL].facts["works"]):
        names = {name: side.facts["works"][number] for name, side in sides.items()}
        figures = {LABELS[name]: [side.ask(names[name])["once"]] for name, side in sides.items()}
        yield Outcome(Bench(f"{work}, once, PostgreSQL", unit="ms", measures={}), figures)


def _folder(stack: ExitStack) -> Path:
    if kept := os.environ.get("SIZES_FOLDER"):
        folder = Path(kept)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-sizes-")))
    folder.chmod(0o755)  # PostgreSQL runs as somebody else
    return folder


def _side(folder: Path, url: str, name: str) -> HelperProcess:
    environment = _environment(folder, url, name)
    _manage(environment, "migrate")
    _manage(environment, "collectstatic --noinput")
    return HelperProcess("tests.bench.sizes_process", environment=environment)


def _environment(folder: Path, url: str, name: str) -> dict[str, str]:
    (folder / "var").mkdir(exist_ok=True)
    environment = scratch_environment(folder / "var") | {"BENCH": "true"}
    environment |= {"ALLOWED_HOSTS": "testserver", "ENCRYPTION_KEYS": KEYS}
    return environment | {"DATABASE_URL": f"{url.rpartition('/')[0]}/{name}"}


def _manage(environment: dict[str, str], words: str) -> None:
    command = [sys.executable, "manage.py", *words.split(), "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def _fill(environment: dict[str, str], module: str, *words: str) -> None:
    command = [sys.executable, "-m", f"tests.bench.{module}", *words]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def _exists(url: str, name: str) -> bool:
    with psycopg.connect(url, autocommit=True) as server:
        row = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
    return row is not None


def _run(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(statement.encode())
