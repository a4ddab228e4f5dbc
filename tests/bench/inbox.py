"""The inbox of reviews: a whole request, with every count, over two sizes of history."""

from collections.abc import Iterator

from tests.bench.frame import Bench, offered
from tests.bench.helper_process import HelperProcess
from tests.bench.history import SHARE, empty

SIZES = [int(number * SHARE) for number in (25_000, 250_000)]


def run() -> Iterator[Bench]:
    for flavour in offered():
        processes = {
            size: HelperProcess("tests.bench.inbox_process", str(size), environment=empty(flavour))
            for size in SIZES
        }
        yield Bench(
            name=f"the inbox, p95, {flavour}",
            unit="ms",
            measures={
                f"{size:,} reviews": processes[size].measure("", part="p95") for size in SIZES
            },
            aim="≤ 60 ms; < 1.3",
        )
