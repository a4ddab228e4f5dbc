"""The method in numbers: a quicker way to work them out must not change any.

A change of the method itself changes these; print what it finds now and say so in the commit.
"""

from datetime import timedelta

import pytest

from insights.forecast.engine import train
from insights.forecast.testing import SEASONS, SEASONS_FROM, make_bookings

DAYS, SEED = 500, 9
PLACES = {place.name: place for place in SEASONS}
# Sums over all mornings and days, then covers and range of today, in a week, two and four.
SUMS = {
    ("Seaside", "lunch"): (505895.555, 298940, 1082877, 188200.766),
    ("Seaside", "dinner"): (871181.796, 556193, 2198076, 444683.364),
    ("Promotion", "lunch"): (455725.296, 268766, 898590, 221453.760),
    ("Promotion", "dinner"): (914863.668, 621375, 1826562, 379691.180),
    ("Business lunch", "lunch"): (715377.825, 482592, 1407341, 379403.022),
}
COMING = {
    ("Seaside", "lunch"): (
        *((32.268864, 25, 44), (32.105781, 21, 44)),
        *((21.825219, 15, 29), (23.030517, 13, 30)),
    ),
    ("Seaside", "dinner"): (
        *((62.96176, 45, 84), (43.012889, 32, 55)),
        *((40.839223, 24, 64), (39.716401, 20, 65)),
    ),
    ("Promotion", "lunch"): (
        *((55.463524, 44, 65), (26.299751, 15, 36)),
        *((31.56702, 19, 40), (30.976583, 20, 38)),
    ),
    ("Promotion", "dinner"): (
        *((104.057876, 85, 125), (57.382489, 33, 85)),
        *((61.799787, 43, 80), (63.815586, 44, 80)),
    ),
    ("Business lunch", "lunch"): (
        *((99.368009, 87, 121), (81.73997, 47, 123)),
        *((92.754655, 69, 128), (85.119876, 74, 121)),
    ),
}


@pytest.mark.parametrize("name", ["Seaside", "Promotion", "Business lunch"])
def test_it_finds_the_same_numbers(name: str) -> None:
    bookings = make_bookings(PLACES[name], first=SEASONS_FROM, days=DAYS + 28, seed=SEED)

    for service, found in train(bookings, today=SEASONS_FROM + timedelta(days=DAYS)).items():
        ranges = found.interval
        parts = (found.expected, ranges.lower, ranges.upper, found.usual_booked)
        coming = [found.coming()[lag] for lag in (0, 6, 13, 27)]

        assert [part.sum() for part in parts] == pytest.approx(SUMS[name, service], rel=1e-8)
        assert [one.covers for one in coming] == pytest.approx(
            [covers for covers, _lower, _upper in COMING[name, service]], abs=1e-5
        )
        assert [(one.lower, one.upper) for one in coming] == [
            (lower, upper) for _covers, lower, upper in COMING[name, service]
        ]
