"""The pulse of twenty restaurants: 4,000 bookings of one evening, out of a long history."""

from collections.abc import Iterator

from tests.bench.frame import Bench, offered
from tests.bench.history import LONG, filled


def run() -> Iterator[Bench]:
    for flavour in offered():
        installation = filled(flavour, LONG).ask("tests.bench.evening_process")
        yield Bench(
            name=f"a pulse of 4,000 out of {LONG.reservations:,}, {flavour}",
            unit="ms",
            measures={
                "bare SQL and one flat template": installation.measure("pulse, by hand"),
                "pulse, whole request": installation.measure("pulse"),
                "the first 300 rows in django-tables2": installation.measure("pulse by tables2"),
            },
            aim="whole request ≤ 1.5",
        )
