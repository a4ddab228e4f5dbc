"""What many processes share: one token, one pace. Real processes, a database of their own."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.migrated import copy_file

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.faults, pytest.mark.once]


class SharedInstallation:
    """Processes with a database of their own and a connection to the sandbox."""

    def __init__(self, folder, sandbox, *, requests_per_minute=None):
        self.sandbox = sandbox
        self.environment = {
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
        facts = sandbox.credentials() | {"requests_per_minute": requests_per_minute}
        self.manage(
            "shell",
            "--command",
            f"from partner.models import Connection; Connection.objects.create(**{facts!r})",
        )

    def manage(self, *words):
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True)

    def start(self, *words):
        command = [sys.executable, "-m", "tests.contract.worker", *map(str, words)]
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True
        )


def result(process):
    output, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    return json.loads(output)


def test_four_hundred_threads_of_eight_processes_ask_for_one_token(tmp_path, sandbox):
    installation = SharedInstallation(tmp_path, sandbox)

    processes = [installation.start("authorise", 50) for _ in range(8)]

    assert [result(process)["faults"] for process in processes] == [[]] * 8
    assert sandbox.requests_to("request_token") == 1


def test_a_winner_killed_while_asking_is_followed_after_its_lease(tmp_path, sandbox):
    sandbox.fault({"endpoint": "request_token"}, latency_ms=20_000, drop=True, count=1)
    installation = SharedInstallation(tmp_path, sandbox)
    winner = installation.start("authorise", 1)
    deadline = time.monotonic() + 60
    while not sandbox.get("faults")["faults"][0]["hits"] and time.monotonic() < deadline:
        time.sleep(0.1)
    winner.send_signal(signal.SIGKILL)
    winner.communicate()
    killed = time.monotonic()

    faults = [["not read yet"]]
    while any(faults) and time.monotonic() < killed + 60:
        followers = [installation.start("authorise", 5) for _ in range(2)]
        faults = [result(process)["faults"] for process in followers]

    assert not any(faults)
    assert sandbox.requests_to("request_token") == 2
    assert sandbox.breaches() == {}


def test_four_workers_use_the_budget_and_a_person_does_not_wait(tmp_path, sandbox):
    per_minute, seconds = 600, 40
    sandbox.post("limit", per_minute=per_minute)
    installation = SharedInstallation(tmp_path, sandbox, requests_per_minute=per_minute)
    restaurant = sandbox.world["groups"][0]["restaurants"][0]["uuid"]
    result(installation.start("authorise", 1))

    workers = [installation.start("pull", "backfill", 4, seconds, 0, restaurant) for _ in range(4)]
    person = installation.start("pull", "person", 1, seconds - 5, 0.5, restaurant)
    found = [result(process) for process in [*workers, person]]

    # The processes do not start in the same moment: together they take longer than each.
    span = max(one["ended"] for one in found) - min(one["began"] for one in found)
    calls = sum(one["calls"] for one in found)
    waits = found[-1]["waits"]
    assert [one["faults"] for one in found] == [[]] * 5
    assert calls >= 0.90 * per_minute / 60 * seconds
    assert calls <= 1.05 * per_minute / 60 * span
    assert waits[int(len(waits) * 0.95)] < 0.2, waits[-5:]
