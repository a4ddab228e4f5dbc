"""The word lists have changed: all notes are read again while boards are open.

    python -m tests.bench rereading

A third of the bookings have a note of their own, one in seven of those tells of an allergy or diet.
They are read as the worker does it, in a process beside the one that shows boards.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tests.bench.frame import Bench, Outcome, offered
from tests.bench.helper_process import HelperProcess
from tests.bench.history import LONG, Filled, filled

BOARDS = ("arrivals", "pulse")
IDLE_ROUNDS = 5


def run() -> Iterator[Outcome]:
    for flavour in offered():
        yield from _read_again(filled(flavour, LONG), flavour)


def _read_again(history: Filled, flavour: str) -> Iterator[Outcome]:
    reader = history.ask("tests.bench.rereading_process")
    boards = history.ask("tests.bench.evening_process")
    idle = {name: [float(boards.ask(name)) for _ in range(IDLE_ROUNDS)] for name in BOARDS}
    found, busy = _meanwhile(reader, boards)
    name = f"all notes read again, {reader.facts['notes']:,} of {LONG.reservations:,}, {flavour}"
    seconds = {"from first to last": [found["seconds"]], "processor": [found["processor"]]}
    yield Outcome(Bench(name, unit="s", measures={}, aim="from first to last < 600 s"), seconds)
    longest = {"longest": [found["longest"]]}
    yield Outcome(Bench(f"{name}, locks", unit="ms", measures={}, aim="≤ 500 ms"), longest)
    for board in BOARDS:
        bench = Bench(f"{board} while notes are read, {flavour}", unit="ms", measures={})
        yield Outcome(bench, {"before": idle[board], "meanwhile": busy[board]})


def _meanwhile(
    reader: HelperProcess, boards: HelperProcess
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """The boards as often as they can be shown until everything has been read."""
    busy: dict[str, list[float]] = {name: [] for name in BOARDS}
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(reader.ask, "read again")
        while not reading.done():
            for name in BOARDS:
                busy[name].append(float(boards.ask(name)))
    return reading.result(), busy
