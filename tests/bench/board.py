"""A board of one restaurant: 300 bookings of one evening, out of a long history."""

from tests.bench.evenings import RESERVATIONS, house
from tests.bench.frame import Bench


def run() -> Bench:
    home = house()
    return Bench(
        name=f"a board of 300 out of {RESERVATIONS:,}",
        unit="ms",
        measures={
            "bare SQL and one flat template": home.measure("board, by hand"),
            "arrivals, whole request": home.measure("arrivals"),
            "list, whole request": home.measure("list"),
            "the same rows in the admin": home.measure("admin"),
            "the same rows in django-tables2 and django-filter": home.measure("tables2"),
        },
        aim="ours ≤ 1.5, and a fifth of the ready-made",
    )
