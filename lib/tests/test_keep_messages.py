"""The durable file transport loses nothing and holds nothing back, whoever is killed, and when."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from lib.tests.crash_steps import QUEUE, Journal, connect, publish

ROOT = Path(__file__).resolve().parent.parent.parent


def drain(folder: Path) -> list[int]:
    """Take everything that waits, as the next worker would."""
    with connect(folder) as connection:
        queue = QUEUE(connection.default_channel)
        queue.declare()
        numbers = []
        while message := queue.get():
            numbers.append(message.payload["number"])
            message.ack()
        return numbers


def leftovers(folder: Path) -> list[str]:
    """Name the files that nobody owns any more; an unpublished draft is nobody's loss."""
    files = [path for path in (folder / "broker").rglob("*") if path.is_file()]
    return [path.name for path in files if not path.name.startswith(".")]


def journal_of(folder: Path) -> dict[str, set[int]]:
    known: dict[str, set[int]] = {
        word: set() for word in ("publishing", "published", "acking", "acked")
    }
    for line in (folder / "journal").read_text().splitlines():
        word, number = line.split()
        known[word].add(int(number))
    return known


class TestOneProcess:
    def test_it_works(self, tmp_path):
        publish(tmp_path, range(5), journal=Journal(tmp_path))

        assert drain(tmp_path) == [0, 1, 2, 3, 4]
        assert leftovers(tmp_path) == []

    def test_it_gives_a_refused_message_its_old_place(self, tmp_path):
        publish(tmp_path, range(3), journal=Journal(tmp_path))
        with connect(tmp_path) as connection:
            QUEUE(connection.default_channel).get().requeue()

        assert drain(tmp_path) == [0, 1, 2]

    def test_it_drops_a_rejected_message(self, tmp_path):
        publish(tmp_path, range(2), journal=Journal(tmp_path))
        with connect(tmp_path) as connection:
            QUEUE(connection.default_channel).get().reject()

        assert drain(tmp_path) == [1]
        assert leftovers(tmp_path) == []

    def test_it_gives_back_what_is_in_hand_when_it_closes(self, tmp_path):
        publish(tmp_path, range(2), journal=Journal(tmp_path))
        with connect(tmp_path) as connection:
            QUEUE(connection.default_channel).get()

        assert drain(tmp_path) == [0, 1]

    def test_it_leaves_a_living_consumer_its_messages(self, tmp_path):
        publish(tmp_path, range(2), journal=Journal(tmp_path))
        with connect(tmp_path) as connection:
            held = QUEUE(connection.default_channel).get()

            assert drain(tmp_path) == [1]
            held.ack()
        assert drain(tmp_path) == []

    def test_it_sets_an_unreadable_message_aside_and_goes_on(self, tmp_path):
        journal = Journal(tmp_path)
        publish(tmp_path, range(1), journal=journal)
        (tmp_path / "broker/queues/work/00000000000000000000_broken").write_text("{")
        (tmp_path / "broker/queues/work/00000000000000000001_odd").write_text("[]")
        publish(tmp_path, range(1, 2), journal=journal)

        assert drain(tmp_path) == [0, 1]
        assert len(leftovers(tmp_path)) == 2

    def test_it_sees_a_message_that_comes_after_an_empty_look(self, tmp_path):
        with connect(tmp_path) as connection:
            queue = QUEUE(connection.default_channel)
            queue.declare()
            for number in range(50):
                assert queue.get() is None
                publish(tmp_path, range(number, number + 1), journal=Journal(tmp_path))
                message = queue.get()
                assert message.payload == {"number": number}
                message.ack()

    def test_it_sees_a_message_that_left_no_newer_time_stamp(self, tmp_path):
        with connect(tmp_path) as connection:
            queue = QUEUE(connection.default_channel)
            queue.declare()
            folder = tmp_path / "broker/queues/work"
            stamp = folder.stat().st_mtime_ns
            assert queue.get() is None
            publish(tmp_path, range(1), journal=Journal(tmp_path))
            os.utime(folder, ns=(stamp, stamp))

            assert queue.get().payload == {"number": 0}

    def test_it_counts_and_purges(self, tmp_path):
        publish(tmp_path, range(3), journal=Journal(tmp_path))
        with connect(tmp_path) as connection:
            queue = QUEUE(connection.default_channel)

            assert queue.queue_declare(passive=True).message_count == 3
            assert queue.purge() == 3
            assert queue.get() is None

    def test_it_removes_the_draft_of_a_killed_publisher_after_an_hour(self, tmp_path):
        publish(tmp_path, range(1), journal=Journal(tmp_path))
        draft = tmp_path / "broker/queues/work/.draft"
        draft.touch()
        os.utime(draft, (0, 0))

        assert drain(tmp_path) == [0]
        assert not draft.exists()

    def test_a_message_that_is_acknowledged_while_another_opens_it_comes_once(
        self, tmp_path, monkeypatch
    ):
        publish(tmp_path, range(1), journal=Journal(tmp_path))
        real = fcntl.flock
        with connect(tmp_path) as quick, connect(tmp_path) as late:

            def lock_late(file, how):
                """Let the other consumer take and acknowledge it between opening and locking."""
                monkeypatch.setattr(fcntl, "flock", real)
                QUEUE(quick.default_channel).get().ack()
                real(file, how)

            monkeypatch.setattr(fcntl, "flock", lock_late)

            assert QUEUE(late.default_channel).get() is None

    def test_a_folder_that_was_emptied_under_a_consumer_goes_on(self, tmp_path):
        with connect(tmp_path) as connection:
            queue = QUEUE(connection.default_channel)
            publish(tmp_path, range(1), journal=Journal(tmp_path))
            lost = queue.get()
            shutil.rmtree(tmp_path / "broker")
            publish(tmp_path, range(1, 2), journal=Journal(tmp_path))
            found = queue.get()

            assert found.payload == {"number": 1}
            lost.requeue()
            found.ack()
        assert leftovers(tmp_path) == []


@pytest.mark.parametrize("scenario", ["publish_then_consume", "recover_then_consume"])
def test_it_survives_a_kill_before_every_step(tmp_path, scenario):
    steps = int(run_program("lib.tests.crash_steps", scenario, tmp_path).stdout)

    assert steps >= 20
    for step in range(1, steps + 1):
        folder = tmp_path / str(step)
        known, received = journal_of(folder), Counter(drain(folder))
        lost = known["published"] - known["acking"] - set(received)
        made_up = set(received) - known["publishing"]
        repeated = set(received) & known["acked"]
        twice = {number for number, times in received.items() if times > 1}
        assert (step, lost, made_up, repeated, twice) == (step, set(), set(), set(), set())
        assert (step, leftovers(folder)) == (step, [])


def test_two_workers_and_kills_lose_nothing(tmp_path):
    check_that_nothing_is_lost(tmp_path, messages=600, kills=3)


@pytest.mark.faults
@pytest.mark.slow
@pytest.mark.once
def test_two_workers_and_many_kills_lose_none_of_10000(tmp_path):
    check_that_nothing_is_lost(tmp_path, messages=10_000, kills=25)


def check_that_nothing_is_lost(folder: Path, *, messages: int, kills: int) -> None:
    """Publish while two workers work and are killed in turn; each message is done at least once."""
    workers = [start_worker(folder), start_worker(folder)]
    chunk = messages // kills
    journal = Journal(folder)
    try:
        for number in range(kills):
            publish(folder, range(number * chunk, (number + 1) * chunk), journal=journal)
            victim = workers.pop(0)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            workers.append(start_worker(folder))
        done = wait_until_done(folder, set(range(kills * chunk)))
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()

    assert set(done) == set(range(kills * chunk))
    # A killed worker had at most its prefetched 64 in hand, and only those may be done twice.
    assert sum(done.values()) - len(done) <= kills * 64
    assert drain(folder) == []


def wait_until_done(folder: Path, expected: set[int]) -> Counter[int]:
    deadline = time.monotonic() + 60
    done: Counter[int] = Counter()
    while time.monotonic() < deadline and set(done) != expected:
        time.sleep(0.05)
        lines = (folder / "done").read_text().split() if (folder / "done").exists() else []
        done = Counter(map(int, lines))
    return done


def start_worker(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "lib.tests.crash_worker", str(folder)], cwd=ROOT)


def run_program(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
