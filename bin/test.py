"""Run the tests on every database that this machine has. Extra arguments go to pytest.

The run ends with the first database on which tests fail, so that the last line is the result. A
test that fails in parallel is run once more alone, because browsers may starve on a shared
machine. One that passes only then is reported by the first run, and is a fault to fix.

Without marks of your own the databases are tested at once: where one run waits for a browser, the
other has work. What kills processes and breaks networks is timed, and has the machine to itself.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from bin import servers

# Neighbours share what their module has set up, so each worker begins with a block of its own and
# takes from the other's when it has done. The ten slowest are named.
# Workers wait for browsers, servers and whole installations, so there are two more than cores.
CORES = os.cpu_count() or 1
IN_PARALLEL = ["--dist", "worksteal", "--durations", "10", "--durations-min", "1"]
# No other database changes anything of these (conftest.py).
ONCE = ("sandbox/tests", "tests/browser")
TESTS_FAILED = 1  # as opposed to a run that was interrupted or could not begin
CI = os.environ.get("CI") == "true"


@dataclass(frozen=True)
class Flavour:
    name: str
    arguments: list[str]
    urls: dict[str, str] = field(default_factory=dict)
    is_first: bool = True
    workers: int = CORES + 2

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.urls}

    def call(self, *how: str, output: IO[bytes] | None = None) -> int:
        """Run its tests. Each flavour remembers for itself what has failed."""
        chosen = selection(self.arguments, is_first=self.is_first)
        memory = [] if self.is_first else ["-o", "cache_dir=.pytest_cache/second"]
        command = [sys.executable, "-m", "pytest", *memory, *chosen, *how]
        return subprocess.call(command, env=self.environment, stdout=output, stderr=output)


def left_out(arguments: list[str]) -> list[str]:
    lacking = servers.missing_programs()
    words = [f"the {' + '.join(lacking)} flavour (not installed)"] if lacking else []
    if not servers.find_browser():
        words.append("the browser tests (no Chromium)")
    if "-m" not in arguments:
        words.append(f"the {'' if CI else 'slow, fault and '}long tests (make test-faults)")
    return words


def selection(arguments: list[str], *, is_first: bool) -> list[str]:
    """All but the long ones in CI; on a laptop, also not the slow ones and what lacks a program.

    After the first flavour only what another database may change: screens look the same.
    """
    if "-m" in arguments:
        return arguments
    # What no mark would choose is not even read: each worker would spend seconds on it. The files,
    # because a folder that `testpaths` names is read whatever `--ignore` says of it.
    unread = [] if is_first else [f"--ignore-glob={folder}/*" for folder in ONCE]
    unread += [] if is_first else ["-p", "no:schemathesis"]
    # The fault tests have been seen whole on the first flavour; the second takes the unit tests.
    unwanted = ["long"] if CI and is_first else ["faults", "slow", "long"]
    unwanted += [] if is_first else ["once"]
    unwanted += [] if is_first and servers.find_browser() else ["browser"]
    marks = " and ".join(f"not {mark}" for mark in unwanted)
    return ["-m", marks, *unread, *arguments]


def print_heading(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m", flush=True)


def run_flavour(flavour: Flavour) -> int:
    print_heading(flavour.name)
    return run_again(flavour, run_in_parallel(flavour))


def run_in_parallel(flavour: Flavour, *, output: IO[bytes] | None = None) -> int:
    with migrating(flavour.environment):
        return flavour.call("-n", str(flavour.workers), *IN_PARALLEL, output=output)


def run_again(flavour: Flavour, failed: int) -> int:
    """What failed in parallel, alone. `failed` is how that run ended."""
    if failed != TESTS_FAILED:
        return failed
    print_heading(f"{flavour.name}: what failed, once more")
    return flavour.call("-n", "0", "--last-failed", "--lfnf=none")


@contextmanager
def migrating(environment: dict[str, str]) -> Iterator[None]:
    """Make the database of the run meanwhile. Each worker reads the tests first, and then all
    would wait for the one that migrates.
    """
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-m", "tests.migrated"]
    with subprocess.Popen(command, env=environment | settings):
        yield


@contextmanager
def servers_flavour(arguments: list[str], **how: Any) -> Iterator[Flavour]:
    with servers.private_postgres() as database, servers.private_redis() as redis:
        name = "PostgreSQL + Redis, without what needs only one flavour"
        urls = {"DATABASE_URL": database, "TEST_REDIS_URL": redis}
        yield Flavour(name, arguments, urls=urls, is_first=False, **how)


def run_servers_flavour(arguments: list[str]) -> int:
    with servers_flavour(arguments) as flavour:
        return run_flavour(flavour)


def is_timed(arguments: list[str]) -> bool:
    """Whether tests that kill processes and break networks may be among them."""
    return CI or "-m" in arguments


def run_at_once(arguments: list[str]) -> int:
    """The second flavour has fewer tests and waits for nothing, so one worker a core is enough.
    What it writes follows when both have ended.
    """
    first = Flavour("SQLite + files", arguments)
    print_heading(first.name)
    with (
        servers_flavour(arguments, workers=CORES) as second,
        ThreadPoolExecutor(1) as beside,
        tempfile.TemporaryFile() as output,
    ):
        running = beside.submit(run_in_parallel, second, output=output)
        failed = run_in_parallel(first), running.result()
        output.seek(0)
        print_heading(second.name)
        print(output.read().decode(errors="replace"), end="", flush=True)
        return run_again(first, failed[0]) or run_again(second, failed[1])


def main(arguments: list[str]) -> int:
    absent = servers.missing_programs() + ([] if servers.find_whole_browser() else ["Chromium"])
    if CI and absent:
        print(f"CI must have {', '.join(absent)}; .ci/run installs them.", file=sys.stderr)
        return 2
    if words := left_out(arguments):
        print(f"Left out: {'; '.join(words)}.")
    if not (is_timed(arguments) or servers.missing_programs()):
        return run_at_once(arguments)
    failed = run_flavour(Flavour("SQLite + files", arguments))
    if failed or servers.missing_programs():
        return failed
    return run_servers_flavour(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
