"""Run the tests on every database that this machine has. Extra arguments go to pytest.

The run ends with the first database on which tests fail, so that the last line is the result. A
test that fails in parallel is run once more alone, because browsers may starve on a shared
machine. One that passes only then is reported by the first run, and is a fault to fix.
"""

import os
import subprocess
import sys
from contextlib import ExitStack

from bin import servers

# Neighbours share what their module has set up, so each worker begins with a block of its own and
# takes from the other's when it has done. The ten slowest are named.
# Workers wait for browsers, servers and whole installations, so there is one more than cores; with
# two more the half with servers took as long (264 s; 242 and 265), and each reads all tests. In CI
# the first half has the fault tests too, which mostly wait.
WORKERS = (os.cpu_count() or 1) + 1
IN_PARALLEL = ["--dist", "worksteal", "--durations", "10", "--durations-min", "1"]
# No other database changes anything of these (conftest.py).
ONCE = ("sandbox/tests", "tests/browser")
TESTS_FAILED = 1  # as opposed to a run that was interrupted or could not begin
CI = os.environ.get("CI") == "true"


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


def run_flavour(
    name: str, *, arguments: list[str], urls: dict[str, str], is_first: bool = True
) -> int:
    print(f"\n\033[1m{name}\033[0m", flush=True)
    chosen = selection(arguments, is_first=is_first)
    command = [sys.executable, "-m", "pytest", *chosen]
    workers = str(WORKERS + 1 if CI and is_first else WORKERS)
    environment = {**os.environ, **urls}
    failed = subprocess.call([*command, "-n", workers, *IN_PARALLEL], env=environment)
    if failed != TESTS_FAILED:
        return failed
    print(f"\n\033[1m{name}: what failed, once more\033[0m", flush=True)
    return subprocess.call([*command, "-n", "0", "--last-failed", "--lfnf=none"], env=environment)


def run_servers_flavour(arguments: list[str]) -> int:
    with ExitStack() as stack:
        urls = {
            "DATABASE_URL": stack.enter_context(servers.private_postgres()),
            "TEST_REDIS_URL": stack.enter_context(servers.private_redis()),
        }
        name = "PostgreSQL + Redis, without what needs only one flavour"
        return run_flavour(name, arguments=arguments, urls=urls, is_first=False)


def main(arguments: list[str]) -> int:
    absent = servers.missing_programs() + ([] if servers.find_whole_browser() else ["Chromium"])
    if CI and absent:
        print(f"CI must have {', '.join(absent)}; .ci/run installs them.", file=sys.stderr)
        return 2
    if words := left_out(arguments):
        print(f"Left out: {'; '.join(words)}.")
    failed = run_flavour("SQLite + files", arguments=arguments, urls={})
    if failed or servers.missing_programs():
        return failed
    return run_servers_flavour(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
