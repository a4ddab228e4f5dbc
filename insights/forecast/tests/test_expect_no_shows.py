"""Expected no-shows: covers of a service, learnt from like services."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from insights.forecast.engine import train
from insights.forecast.history import Bookings
from insights.forecast.testing import MadeUp, make_bookings

FIRST = date(2025, 9, 1)  # a Monday
TODAY = FIRST + timedelta(days=230)
BISTRO = MadeUp("Bistro", {"dinner": 30}, follows_holidays=False)


def coming(**fields):
    services = make_bookings(replace(BISTRO, **fields), first=FIRST, days=300, seed=1)
    return train(services, today=TODAY)["dinner"].coming()


def saturdays_missed(known: Bookings) -> Bookings:
    """Every fifth booking of a Saturday is missed, and no other."""
    saturday = (known.day % 7 == 6) & known.confirmed
    missed = saturday & (np.arange(len(known)) % 5 == 0)
    return replace(known, came=known.confirmed & ~missed)


def test_it_works():
    [first, *_others] = coming(no_shows=0.05)

    assert 0.03 < first.no_shows / first.covers < 0.08
    assert first.missed_before > 0
    assert first.came_before > 10 * first.missed_before


def test_where_nobody_was_missed_nobody_will_be():
    assert {one.no_shows for one in coming(no_shows=0.0)} == {0.0}


def test_a_weekday_that_is_missed_more_has_its_own_number():
    services = make_bookings(BISTRO, first=FIRST, days=300, seed=1)
    worse = {"dinner": saturdays_missed(services["dinner"])}
    shares = {
        one.day.weekday(): one.no_shows / one.covers
        for one in train(worse, today=TODAY)["dinner"].coming()
    }

    assert shares[5] > 3 * max(share for day, share in shares.items() if day != 5)


@pytest.mark.parametrize("lag", [0, 6])
def test_over_many_services_as_many_are_expected_as_missed(lag):
    services = make_bookings(BISTRO, first=FIRST, days=500, seed=2)
    found = train(services, today=FIRST + timedelta(days=500))["dinner"]
    days = slice(200, 500)

    expected = found.no_show_covers[lag, days].sum()

    assert expected == pytest.approx(found.history.missed[days].sum(), rel=0.15)
