"""Two beats, and the one that leads is killed: the other goes on, nothing is doubled or missed."""

import json
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from bin import servers
from config.schedule import SCHEDULE
from tests.migrated import copy_file
from tests.processes import ROOT, scratch_environment

pytestmark = pytest.mark.faults

START_SECONDS = 60
TAKEN_OVER_WITHIN = 4
INTERVALS = {str(entry["task"]): float(str(entry["schedule"])) for entry in SCHEDULE.values()}
FREQUENT = {task: every for task, every in INTERVALS.items() if every <= 5}


class Beats:
    """Beats of one installation, without workers: what is offered stays in the broker's folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        with (self.folder / "beats.log").open("ab") as log:
            command = [str(ROOT / "bin" / "process"), "beat"]
            self._processes.append(
                subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
            )

    def kill_the_first(self) -> None:
        process = self._processes.pop(0)
        process.kill()
        process.wait()

    def stop(self) -> None:
        while self._processes:
            self.kill_the_first()

    def offers(self) -> dict[str, list[float]]:
        """When each task was offered: a message's name begins with its time."""
        found = defaultdict(list)
        for path in sorted((self.folder / "broker" / "queues").glob("*/[0-9]*")):
            task = json.loads(path.read_bytes())["headers"]["task"]
            found[task].append(int(path.name.split("_")[0]) / 1e9)
        return found

    def wait_until_each_was_offered(self, times: int) -> None:
        deadline = time.monotonic() + START_SECONDS
        while any(len(self.offers().get(task, ())) < times for task in FREQUENT):
            assert time.monotonic() < deadline, (self.folder / "beats.log").read_text()
            time.sleep(0.1)


@pytest.fixture
def beats(tmp_path: Path) -> Iterator[Beats]:
    with ExitStack() as stack:
        environment = scratch_environment(tmp_path) | {"LOG_LEVEL": "WARNING"}
        if os.environ.get("DATABASE_URL", "").startswith("postgres"):
            environment["DATABASE_URL"] = stack.enter_context(servers.private_postgres())
            migrate = [str(ROOT / ".venv/bin/python"), "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
        else:
            copy_file(tmp_path / "couvert.sqlite3")
        one = Beats(tmp_path, environment)
        stack.callback(one.stop)
        yield one


def test_nothing_is_doubled_or_left_out_when_the_leader_is_killed(beats: Beats) -> None:
    beats.start()
    beats.wait_until_each_was_offered(1)
    beats.start()
    beats.wait_until_each_was_offered(4)  # long enough for the second to stand by
    before = {task: len(times) for task, times in beats.offers().items()}

    beats.kill_the_first()
    beats.wait_until_each_was_offered(max(before.values()) + 1)

    for task, times in beats.offers().items():
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert min(gaps, default=INTERVALS[task]) > INTERVALS[task] * 0.6, (task, gaps)
        assert max(gaps, default=0) < INTERVALS[task] + TAKEN_OVER_WITHIN, (task, gaps)
    assert (beats.folder / "beats.log").read_text().count("This beat leads") == 2
