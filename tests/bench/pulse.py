"""The pulse of twenty restaurants: 4,000 bookings of one evening, out of a long history."""

from tests.bench.evenings import RESERVATIONS, house
from tests.bench.frame import Bench


def run() -> Bench:
    home = house()
    return Bench(
        name=f"a pulse of 4,000 out of {RESERVATIONS:,}",
        unit="ms",
        measures={
            "bare SQL and one flat template": home.measure("pulse, by hand"),
            "pulse, whole request": home.measure("pulse"),
            "the first 300 rows in django-tables2": home.measure("pulse by tables2"),
        },
        aim="≤ 1.5",
    )
