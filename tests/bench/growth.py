"""The same evening in a short history and in a long one."""

from tests.bench.evenings import FEW, RESERVATIONS, house
from tests.bench.frame import Bench


def run() -> Bench:
    short, long = house(FEW), house()
    return Bench(
        name="the same board, as history grows",
        unit="ms",
        measures={
            f"arrivals out of {FEW:,}": short.measure("arrivals"),
            f"arrivals out of {RESERVATIONS:,}": long.measure("arrivals"),
            f"pulse out of {FEW:,}": short.measure("pulse"),
            f"pulse out of {RESERVATIONS:,}": long.measure("pulse"),
        },
        aim="< 1.3 from short to long",
    )
