"""A program that kills itself with SIGKILL before its n-th step on the disk.

Python reports every step (open, rename, remove, mkdir, rmdir, listdir, flock) to audit hooks, and
calls of write() to its profiler, so no step can be forgotten and nothing is patched. For every n
it runs a scenario in a child, in a folder of its own, with a journal of what the child knew; the
test reads both afterwards.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from kombu.connection import Connection
from kombu.entity import Queue
from kombu.transport import TRANSPORT_ALIASES

from lib.broker import durable_files

TRANSPORT_ALIASES["durablefiles"] = "lib.broker.durable_files:FileTransport"
QUEUE = Queue("work", routing_key="work")
# No audit event tells of these; the end of `with` is where a buffer reaches the file.
WRITING = {"write", "__exit__", "flush", "fsync"}
Scenario = Callable[[Path], None]


class Journal:
    """Lines written by plain file descriptors: what the child knew before it was killed."""

    def __init__(self, folder: Path) -> None:
        self.file = os.open(folder / "journal", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def write(self, word: str, number: int) -> None:
        os.write(self.file, f"{word} {number}\n".encode())


def connect(folder: Path) -> Connection:
    return Connection("durablefiles://", transport_options={"folder": str(folder / "broker")})


def publish(folder: Path, numbers: range, *, journal: Journal) -> None:
    with connect(folder) as connection:
        producer = connection.Producer()
        for number in numbers:
            journal.write("publishing", number)
            producer.publish({"number": number}, routing_key="work", declare=[QUEUE])
            journal.write("published", number)


def consume(folder: Path, count: int, *, journal: Journal) -> None:
    """Acknowledge all but every third message, which goes back to the queue once."""
    refused: set[int] = set()
    with connect(folder) as connection:
        queue = QUEUE(connection.default_channel)
        for _ in range(count):
            message = queue.get()
            number = message.payload["number"]
            if number % 3 == 0 and number not in refused:
                refused.add(number)
                message.requeue()
                continue
            journal.write("acking", number)
            message.ack()
            journal.write("acked", number)


def publish_then_consume(folder: Path) -> None:
    publish(folder, range(1, 5), journal=Journal(folder))
    consume(folder, 5, journal=Journal(folder))


def recover_then_consume(folder: Path) -> None:
    consume(folder, 4, journal=Journal(folder))


def abandon_two_of_three(folder: Path) -> None:
    """Leave behind what a killed consumer leaves."""
    publish(folder, range(1, 4), journal=Journal(folder))
    if os.fork() == 0:
        queue = QUEUE(connect(folder).default_channel)
        queue.get(), queue.get()
        os.kill(os.getpid(), signal.SIGKILL)
    os.wait()


def start_from_nothing(folder: Path) -> None:
    """Leave the folder to the scenario."""


SCENARIOS: dict[str, tuple[Scenario, Scenario]] = {
    "publish_then_consume": (start_from_nothing, publish_then_consume),
    "recover_then_consume": (abandon_two_of_three, recover_then_consume),
}


def die_before_step(fatal: int, *, folder: Path) -> None:
    """Steps outside the broker's folder (imports, the journal) do not count."""
    seen = 0

    def step() -> None:
        nonlocal seen
        seen += 1
        if seen == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_disk(event: str, arguments: tuple[object, ...]) -> None:
        place = str(arguments[0]) if arguments else ""
        named = event == "open" or event.startswith("os.")
        if event == "fcntl.flock" or (named and place.startswith(str(folder / "broker"))):
            step()

    def watch_writing(frame: FrameType, event: str, function: Any) -> None:
        ours = frame.f_code.co_filename == durable_files.__file__
        if event == "c_call" and ours and function.__name__ in WRITING:
            step()

    sys.addaudithook(watch_disk)
    sys.setprofile(watch_writing)


def run_every_step(name: str, *, root: Path) -> int:
    """Run the scenario with a kill before step 1, 2, 3, … until it survives to its end."""
    prepare, scenario = SCENARIOS[name]
    for step in range(1, 1000):
        folder = root / str(step)
        folder.mkdir()
        prepare(folder)
        child = os.fork()
        if child == 0:
            die_before_step(step, folder=folder)
            scenario(folder)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            shutil.rmtree(folder)
            return step - 1
        if status != -signal.SIGKILL:
            sys.exit(f"step {step} ended with {status}")
    sys.exit("the scenario does not end")


if __name__ == "__main__":
    steps = run_every_step(sys.argv[1], root=Path(sys.argv[2]))
    sys.stdout.write(f"{steps}\n")
