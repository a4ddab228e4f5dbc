"""Real processes that send what the test's own database holds, and die by kill -9."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from urllib.parse import urlsplit

from django.db import connection

from tests.processes import ROOT

DEATH_SECONDS = 30


class Workers:
    def __init__(self) -> None:
        environment = {**os.environ, "DATABASE_URL": address_of_the_test_database()}
        environment["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        self._mother = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.sender"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._alive: list[int] = []
        self._still: list[int] = []

    def start(self, number: int) -> None:
        assert self._mother.stdin
        assert self._mother.stdout
        self._mother.stdin.write(f"{number}\n")
        self._mother.stdin.flush()
        self._alive += json.loads(self._mother.stdout.readline())

    def kill_all(self) -> None:
        """Kill -9, and return when none of them can write any more."""
        self._kill()
        deadline = time.monotonic() + DEATH_SECONDS
        while self._alive and time.monotonic() < deadline:
            self._alive = [pid for pid in self._alive if is_alive(pid)]
        assert not self._alive

    def stand_still(self) -> None:
        """Stop them where they are, as a machine that is paused does. Others may be started."""
        self._signal(signal.SIGSTOP)
        self._still, self._alive = self._alive, []

    def go_on(self) -> None:
        """Those that stood still go on where they were."""
        self._alive, self._still = self._alive + self._still, []
        self._signal(signal.SIGCONT)

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        for pid in self._alive:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        self.go_on()
        self._kill()
        self._mother.kill()
        self._mother.wait()
        for pipe in (self._mother.stdin, self._mother.stdout):
            if pipe:
                pipe.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def address_of_the_test_database() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
