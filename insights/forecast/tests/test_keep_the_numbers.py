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
    ("Seaside", "lunch"): (499875.711, 301599, 993991, 187991.113),
    ("Seaside", "dinner"): (863770.366, 556249, 1922548, 443998.428),
    ("Promotion", "lunch"): (453603.576, 268233, 855266, 221682.065),
    ("Promotion", "dinner"): (909656.434, 613306, 1663700, 379988.830),
    ("Business lunch", "lunch"): (704489.251, 479314, 1543223, 379286.970),
}
COMING = {
    ("Seaside", "lunch"): (
        *((32.298257, 26, 42), (31.957836, 21, 43)),
        *((22.352102, 15, 30), (23.692984, 11, 33)),
    ),
    ("Seaside", "dinner"): (
        *((63.341223, 45, 87), (43.941722, 32, 56)),
        *((42.117433, 21, 71), (41.484823, 21, 66)),
    ),
    ("Promotion", "lunch"): (
        *((54.911569, 44, 64), (26.237475, 14, 37)),
        *((29.261706, 18, 36), (27.618622, 15, 35)),
    ),
    ("Promotion", "dinner"): (
        *((100.999043, 82, 124), (57.322364, 31, 87)),
        *((59.480184, 38, 80), (60.709771, 42, 78)),
    ),
    ("Business lunch", "lunch"): (
        *((101.021852, 88, 123), (84.12601, 60, 113)),
        *((93.39733, 63, 131), (92.923965, 84, 133)),
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
