"""The same evening in a short history and in a long one."""

from collections.abc import Iterator

from tests.bench.frame import Bench, offered
from tests.bench.history import LONG, SHORT, filled


def run() -> Iterator[Bench]:
    for flavour in offered():
        short, long = (filled(flavour, size).ask("tests.bench.evening_process")
                       for size in (SHORT, LONG))  # fmt: skip
        for zoom in ("arrivals", "pulse"):
            yield Bench(
                name=f"{zoom}, as history grows, {flavour}",
                unit="ms",
                measures={
                    f"out of {SHORT.reservations:,}": short.measure(zoom),
                    f"out of {LONG.reservations:,}": long.measure(zoom),
                },
                aim="< 1.3",
            )
