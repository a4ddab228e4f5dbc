"""What many processes share: one token, one pace. Real processes, a database of their own."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple
from uuid import uuid4

import pytest

from tests.faults.workers import is_alive
from tests.migrated import copy_file
from tests.processes import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.faults, pytest.mark.once]
PATIENCE = 180


class SharedInstallation:
    """Processes with a database of their own and a connection to the sandbox."""

    def __init__(self, folder, sandbox, *, requests_per_minute=None):
        self.folder = folder
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ENV_FILE": os.devnull,
            "VAR_DIR": str(folder),
            "DATABASE_URL": f"sqlite:///{folder}/installation.sqlite3",
            "SECRET_KEY": "only-for-this-test-0123456789-abcdefghijklmnopqrstuvw",
            "ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
            "LOG_LEVEL": "ERROR",
        }
        copy_file(folder / "installation.sqlite3")
        self._mother = subprocess.Popen(
            [sys.executable, "-m", "tests.contract.worker"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        facts = sandbox.credentials() | {"requests_per_minute": requests_per_minute}
        self.start("connect", facts).result()

    def start(self, *words):
        assert self._mother.stdin
        assert self._mother.stdout
        file = self.folder / f"{uuid4()}.json"
        self._mother.stdin.write(json.dumps([str(file), words]) + "\n")
        self._mother.stdin.flush()
        return Process(int(self._mother.stdout.readline()), file)

    def stop(self):
        self._mother.kill()
        self._mother.communicate()


class Process(NamedTuple):
    pid: int
    file: Path

    def result(self):
        self.wait()
        return json.loads(self.file.read_text())

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self):
        deadline = time.monotonic() + PATIENCE
        while is_alive(self.pid):
            assert time.monotonic() < deadline
            time.sleep(0.02)


@pytest.fixture
def share(tmp_path, sandbox):
    """Return a function that makes the installation."""
    made = []

    def make(**pace):
        made.append(SharedInstallation(tmp_path, sandbox, **pace))
        return made[0]

    yield make
    for one in made:
        one.stop()


def test_four_hundred_threads_of_eight_processes_ask_for_one_token(share, sandbox):
    installation = share()

    processes = [installation.start("authorise", 50) for _ in range(8)]

    assert [process.result()["faults"] for process in processes] == [[]] * 8
    assert sandbox.requests_to("request_token") == 1


def test_a_winner_killed_while_asking_is_followed_after_its_lease(share, sandbox):
    sandbox.fault({"endpoint": "request_token"}, latency_ms=20_000, drop=True, count=1)
    installation = share()
    winner = installation.start("authorise", 1)
    deadline = time.monotonic() + 60
    while not sandbox.get("faults")["faults"][0]["hits"] and time.monotonic() < deadline:
        time.sleep(0.1)
    winner.kill()
    killed = time.monotonic()

    faults = [["not read yet"]]
    while any(faults) and time.monotonic() < killed + 60:
        followers = [installation.start("authorise", 5) for _ in range(2)]
        faults = [process.result()["faults"] for process in followers]

    assert not any(faults)
    assert sandbox.requests_to("request_token") == 2
    assert sandbox.breaches() == {}


def test_four_workers_use_the_budget_and_a_person_does_not_wait(share, sandbox):
    per_minute, seconds = 600, 40
    sandbox.post("limit", per_minute=per_minute)
    installation = share(requests_per_minute=per_minute)
    restaurant = sandbox.world["groups"][0]["restaurants"][0]["uuid"]
    installation.start("authorise", 1).result()

    workers = [installation.start("pull", "backfill", 4, seconds, 0, restaurant) for _ in range(4)]
    person = installation.start("pull", "person", 1, seconds - 5, 0.5, restaurant)
    found = [process.result() for process in [*workers, person]]

    # The processes do not start in the same moment: together they take longer than each.
    span = max(one["ended"] for one in found) - min(one["began"] for one in found)
    calls = sum(one["calls"] for one in found)
    queued = median(wait for one in found[:-1] for wait in one["waits"])
    waits = found[-1]["waits"]
    assert [one["faults"] for one in found] == [[]] * 5
    assert calls >= 0.90 * per_minute / 60 * seconds
    assert calls <= 1.05 * per_minute / 60 * span
    # Beside those who queue: how long an answer takes at all is a matter of the machine.
    assert waits[int(len(waits) * 0.95)] < queued / 3, (queued, waits[-5:])
