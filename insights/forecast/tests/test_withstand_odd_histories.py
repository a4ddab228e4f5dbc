"""Whatever a history looks like, its forecasts are numbers that can be shown."""

from datetime import date, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest

from insights.forecast.backtest import backtest
from insights.forecast.engine import MOST_DAYS, train
from insights.forecast.history import NEVER, Bookings, PastBooking, bookings_of
from insights.forecast.testing import MadeUp, make_bookings

TODAY = date(2026, 6, 1)
MORNING = TODAY.toordinal()


def odd_history(seed: int) -> dict[str, Bookings]:
    dice = Random(seed)
    services = dice.choice((1, 1, 2, 3))
    return {f"service {number}": _bookings(dice) for number in range(services)}


def _bookings(dice: Random) -> Bookings:
    span = dice.choice((5, 30, 60, 200, 600, 40_000))
    number = dice.choice((1, 3, 20, 200, 2000))
    return bookings_of(
        [_booking(dice, MORNING - span + dice.randrange(span + 40)) for _ in range(number)]
    )


def _booking(dice: Random, day: int) -> PastBooking:
    created = day - int(dice.expovariate(1 / dice.choice((1, 8, 60))))
    return PastBooking(
        day=day,
        created=dice.choice((created, created, created, NEVER, day + 2)),
        cancelled=dice.choice((NEVER, NEVER, day - dice.randrange(5), created, day + 3)),
        covers=dice.choice((1, 2, 4, 6, 6, 6, 9999 if dice.random() < 0.1 else 8)),
        status=dice.choice(("RECORDED", "RECORDED", "RECORDED", "CANCELED", "NO_SHOW")),
    )


@pytest.mark.parametrize("seed", range(24))
def test_all_numbers_can_be_shown(seed):
    services = odd_history(seed)

    for found in train(services, today=TODAY).values():
        lower, upper = found.interval.lower, found.interval.upper
        assert np.isfinite([found.expected, lower, upper]).all()
        assert ((found.expected >= 0) & (lower >= 0) & (lower <= upper)).all()
        assert len(found.coming()) == 28
    assert backtest({"Odd": services}, today=TODAY).horizons.keys() == {1, 3, 7, 14}


@pytest.mark.parametrize("days", range(1, 10))
def test_the_first_days_of_a_restaurant_are_too_early(days):
    rows = [
        PastBooking(MORNING - day, MORNING - day - 1, NEVER, 4, "RECORDED")
        for day in range(1, days + 1)
    ]

    (found,) = train({"dinner": bookings_of(rows)}, today=TODAY).values()

    assert found.too_early


def test_a_wrong_year_does_not_fill_the_memory():
    rows = [PastBooking(day, day - 3, NEVER, 4, "RECORDED") for day in range(MORNING - 90, MORNING)]
    wrong = PastBooking(date(1926, 5, 31).toordinal(), MORNING - 90, NEVER, 4, "RECORDED")

    (found,) = train({"dinner": bookings_of([wrong, *rows])}, today=TODAY).values()

    assert found.history.days == MOST_DAYS
    assert 2 < found.coming()[1].covers < 6


FILLED = {
    "grown until it is full": MadeUp("A", {"dinner": 18}, growth=0.8, seats=1.7),
    "full after it doubled": MadeUp(
        "B", {"dinner": 18}, seats=1.5, promotions=((TODAY - timedelta(days=70), 90, 1.8),)
    ),
}


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("name", FILLED)
def test_where_nobody_finds_a_seat_any_more_it_beats_the_rules(name, horizon):
    """What is booked earlier than usual is not more there: the average is a good guess."""
    first = TODAY - timedelta(days=500)
    every = {
        str(seed): make_bookings(FILLED[name], first=first, days=528, seed=seed)
        for seed in range(1, 4)
    }
    found: Any = backtest(every, today=TODAY).horizons[horizon]

    assert found["wape"] < min(found["wape_last4"], found["wape_ratio_rule"])
