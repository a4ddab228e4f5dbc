"""Dates that stood out last year, and dates that were shut."""

from datetime import date

import numpy as np
import pytest

from insights.forecast import DAYS_AHEAD
from insights.forecast.anniversaries import open_again, stood_out
from insights.forecast.history import History
from insights.forecast.pace import Pace

FIRST = date(2025, 9, 1).toordinal()
LAST_YEAR, THIS_YEAR = (date(year, 12, 10).toordinal() - FIRST for year in (2025, 2026))
DAYS = THIS_YEAR - 10
TO_COME = 0.8


def history(**days: dict[int, float]) -> History:
    """Forty covers a day, more or less, but for some days; nought is shut."""
    came = np.random.default_rng(1).normal(40, 3, DAYS)
    for day, covers in days.get("but", {}).items():
        came[day] = covers
    nothing = np.zeros((DAYS_AHEAD, DAYS + DAYS_AHEAD))
    return History(
        first=FIRST, days=DAYS, came=came, missed=np.zeros(DAYS), held=came > 0,
        booked=nothing, parties=nothing, made=nothing,
    )  # fmt: skip


def shown_again(known: History) -> float:
    return float(stood_out(known, pace_of(known))[10, THIS_YEAR])


def pace_of(known: History) -> Pace:
    """Forty are usual on every day but the first, before which nothing is known."""
    table = np.full((DAYS_AHEAD, known.columns), 1.0)
    level = table * 40
    level[:, 0] = 1.0
    return Pace(
        level=level,
        usual=table * (1 - TO_COME),
        usual_parties=table,
        pickup=table * TO_COME,
        ahead=table * 0,
        parties_ahead=table * 0,
    )


@pytest.mark.parametrize(("covers", "share"), [(80, 1.0), (20, -0.5)])
def test_a_date_stands_out_as_it_did_by_what_is_still_to_come(covers, share):
    found = shown_again(history(but={LAST_YEAR: covers}))

    assert found == pytest.approx(share * TO_COME, rel=0.1)


def test_a_date_like_all_others_does_not():
    assert abs(shown_again(history())) < 0.01


def test_the_first_day_of_a_history_stood_out_from_nothing():
    known = history()

    assert abs(stood_out(known, pace_of(known))[10, 365]) < 0.01


def test_a_whole_week_was_a_promotion_and_does_not():
    week = dict.fromkeys(range(LAST_YEAR - 3, LAST_YEAR + 4), 80.0)

    assert shown_again(history(but=week)) == 0


def test_two_holidays_side_by_side_do():
    assert shown_again(history(but={LAST_YEAR: 80.0, LAST_YEAR + 1: 80.0})) > 0.5


def test_a_date_that_was_shut_may_be_shut_again():
    shares = open_again(history(but={LAST_YEAR: 0.0}))

    assert shares[THIS_YEAR] == 0.5
    assert (np.delete(shares, THIS_YEAR) == 1).all()


def test_a_weekday_that_is_always_shut_says_nothing_of_a_date():
    weekdays = dict.fromkeys(range(LAST_YEAR % 7, DAYS, 7), 0.0)

    assert (open_again(history(but=weekdays)) == 1).all()


def test_a_history_of_less_than_a_year_knows_no_dates():
    short = history()
    young = History(
        first=FIRST + 300, days=DAYS - 300, came=short.came[300:], missed=short.missed[300:],
        held=short.held[300:], booked=short.booked[:, 300:], parties=short.parties[:, 300:],
        made=short.made[:, 300:],
    )  # fmt: skip

    assert (open_again(young) == 1).all()
