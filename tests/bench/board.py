"""A board of one restaurant: 300 bookings of one evening, out of a long history."""

from collections.abc import Iterator

from tests.bench.frame import Bench, offered
from tests.bench.history import LONG, filled


def run() -> Iterator[Bench]:
    for flavour in offered():
        installation = filled(flavour, LONG).ask("tests.bench.evening_process")
        yield Bench(
            name=f"a board of 300 out of {LONG.reservations:,}, {flavour}",
            unit="ms",
            measures={
                "bare SQL and one flat template": installation.measure("board, by hand"),
                "arrivals, whole request": installation.measure("arrivals"),
                "list, whole request": installation.measure("list"),
                "the same rows in the admin": installation.measure("admin"),
                "the same rows in django-tables2 and django-filter": installation.measure(
                    "tables2"
                ),
            },
            aim="whole request ≤ 1.3",
        )
