"""Four of five services fall inside their interval, whatever the errors look like."""

from datetime import date

import numpy as np
import pytest

from insights.forecast import DAYS_AHEAD
from insights.forecast.history import History
from insights.forecast.intervals import interval_of

DAYS = 500


def history(came: np.ndarray, held: np.ndarray | None = None) -> History:
    nothing = np.zeros((DAYS_AHEAD, DAYS + DAYS_AHEAD))
    return History(
        first=date(2025, 1, 6).toordinal(),
        days=DAYS,
        came=came.astype(float),
        missed=np.zeros(DAYS),
        held=np.ones(DAYS, bool) if held is None else held,
        booked=nothing,
        parties=nothing,
        made=nothing,
    )


def inside(came: np.ndarray, expected: float, held: np.ndarray | None = None) -> float:
    known = history(came, held)
    table = np.full((DAYS_AHEAD, known.columns), float(expected))
    interval = interval_of(known, table)
    days = np.flatnonzero(known.held)
    days = days[days >= 150]
    hits = (interval.lower[6, days] <= came[days]) & (came[days] <= interval.upper[6, days])
    return float(hits.mean())


def test_it_works():
    came = np.random.default_rng(1).normal(60, 12, DAYS).round().clip(0)

    assert 0.75 < inside(came, 60) < 0.85


@pytest.mark.parametrize("bias", [-8, 8])
def test_a_forecast_that_is_always_off_has_an_interval_around_the_truth(bias):
    came = np.random.default_rng(2).normal(60, 8, DAYS).round()

    assert 0.75 < inside(came, 60 + bias) < 0.85


def test_skewed_errors_are_held_too():
    came = np.random.default_rng(3).lognormal(3, 0.7, DAYS).round()

    assert 0.75 < inside(came, 25) < 0.85


def test_few_covers_are_held_as_well_as_whole_numbers_allow():
    came = np.random.default_rng(4).poisson(5, DAYS)

    assert 0.72 < inside(came, 5) < 0.88


def test_services_held_now_and_then_are_held():
    dice = np.random.default_rng(5)

    assert 0.72 < inside(dice.normal(90, 30, DAYS).round(), 90, dice.random(DAYS) < 0.4) < 0.88


def test_errors_that_grow_widen_the_interval():
    dice = np.random.default_rng(6)
    came = (60 + dice.normal(0, 1, DAYS) * np.linspace(3, 20, DAYS)).round()

    assert 0.75 < inside(came, 60) < 0.85


def test_it_never_goes_below_nobody_and_always_holds_the_expected_number():
    known = history(np.random.default_rng(7).poisson(2, DAYS))
    table = np.full((DAYS_AHEAD, known.columns), 2.4)

    interval = interval_of(known, table)

    assert interval.lower.min() >= 0
    assert (interval.lower <= 2).all()
    assert (interval.upper >= 2).all()


def test_with_hardly_any_errors_known_it_is_wide():
    known = history(np.full(DAYS, 50.0))
    table = np.full((DAYS_AHEAD, known.columns), 50.0)

    interval = interval_of(known, table)

    assert (interval.lower[0, 21], interval.upper[0, 21]) == (28, 72)
