"""Expected covers of the coming days: learnt from the past, blind to the future."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from insights.forecast import DAYS_AHEAD, Rule
from insights.forecast.combining import contest
from insights.forecast.engine import ServiceForecast, TooEarly, train
from insights.forecast.history import NEVER, Bookings, PastBooking, bookings_of
from insights.forecast.testing import MadeUp, make_bookings

FIRST = date(2025, 9, 1)  # a Monday
WEEK = (0.7, 0.8, 0.9, 1.0, 1.3, 1.4, 0.9)
BISTRO = MadeUp("Bistro", {"lunch": 10, "dinner": 20}, weekdays=WEEK, follows_holidays=False)


def bookings(place: MadeUp = BISTRO, *, days: int = 230, seed: int = 1) -> dict[str, Bookings]:
    return make_bookings(place, first=FIRST, days=days, seed=seed)


def forecast(
    place: MadeUp = BISTRO, *, days: int = 230, ago: int = 30, service: str = "dinner"
) -> ServiceForecast:
    """Made `ago` days before the history ends, so that the coming weeks are in the book."""
    return train(bookings(place, days=days), today=morning(days - ago))[service]


def morning(days: int) -> date:
    return FIRST + timedelta(days=days)


def poisoned(services: dict[str, Bookings], today: int) -> dict[str, Bookings]:
    """Everything that happens from a morning on is made absurd."""
    return {name: _poison(known, today) for name, known in services.items()}


def _poison(known: Bookings, today: int) -> Bookings:
    ahead = known.day >= today
    cancelled = np.where(known.cancelled >= today, today + 1, known.cancelled)
    kept = known.created < today
    false = replace(
        known,
        cancelled=np.where(ahead, cancelled, known.cancelled),
        came=np.where(ahead, ~known.came, known.came),
        confirmed=np.where(ahead, ~known.confirmed, known.confirmed),
        covers=np.where(ahead & ~kept, 900, known.covers),
    )
    more = [
        PastBooking(today + day, today + day // 2, NEVER, 5000, "RECORDED") for day in range(60)
    ]
    rows = bookings_of(more)
    columns = false.__dataclass_fields__
    return Bookings(
        **{name: np.concatenate([getattr(false, name), getattr(rows, name)]) for name in columns}
    )


def cells(found: ServiceForecast, today: int) -> list[np.ndarray]:
    """The forecasts of one morning."""
    lags = np.arange(DAYS_AHEAD)
    columns = today + lags
    parts = (found.expected, found.interval.lower, found.interval.upper, found.rule, *found.rules)
    return [part[lags, columns] for part in parts]


def test_it_works():
    coming = forecast().coming()

    assert [one.day for one in coming] == [morning(200 + lag) for lag in range(28)]
    assert all(one.lower <= one.covers + 0.5 and one.covers - 0.5 <= one.upper for one in coming)
    assert all(one.lower >= 0 for one in coming)
    assert coming[0].booked > coming[7].booked > coming[27].booked
    saturdays = [one.covers for one in coming if one.day.weekday() == 5]
    mondays = [one.covers for one in coming if one.day.weekday() == 0]
    assert min(saturdays) > max(mondays)


def test_a_poisoned_future_changes_nothing():
    services = bookings()
    today = morning(200)

    clean = train(services, today=today)
    false = train(poisoned(services, today.toordinal()), today=today)

    for name in services:
        for one, other in zip(cells(clean[name], 200), cells(false[name], 200), strict=True):
            assert np.array_equal(one, other)
        assert clean[name].coming() == false[name].coming()


@pytest.mark.parametrize("ago", [1, 6, 25, 90])
def test_each_earlier_morning_has_the_forecasts_that_were_made_on_it(ago):
    services = bookings()

    now = train(services, today=morning(230))
    then = train(services, today=morning(230 - ago))

    for name in services:
        wide = now[name].history.columns
        lags = np.arange(min(DAYS_AHEAD, wide - (230 - ago)))
        for late, early in zip(_table(now[name]), _table(then[name]), strict=True):
            columns = 230 - ago + lags
            np.testing.assert_allclose(late[lags, columns], early[lags, columns], atol=1e-6)


def _table(found: ServiceForecast) -> list[np.ndarray]:
    return [found.expected, found.interval.lower, found.interval.upper, *found.rules]


def test_a_day_that_fills_faster_than_usual_is_expected_to_bring_more():
    services = bookings()
    today = morning(200).toordinal()
    more = [PastBooking(today + 5, today - 1, NEVER, 4, "RECORDED") for _ in range(8)]
    dinner = services["dinner"]
    fuller = Bookings(
        **{
            name: np.concatenate([getattr(dinner, name), getattr(bookings_of(more), name)])
            for name in dinner.__dataclass_fields__
        }
    )

    usual = train(services, today=morning(200))["dinner"].coming()
    ahead = train(services | {"dinner": fuller}, today=morning(200))["dinner"].coming()

    assert ahead[5].booked == usual[5].booked + 32
    assert usual[5].covers + 15 < ahead[5].covers < usual[5].covers + 60


def test_a_closed_weekday_is_expected_to_bring_nobody():
    closed = replace(BISTRO, weekdays=(0, *WEEK[1:]))

    coming = forecast(closed).coming()

    mondays = [one for one in coming if one.day.weekday() == 0]
    assert [(one.covers, one.lower, one.upper) for one in mondays] == [(0, 0, 0)] * 4
    assert all(one.covers > 20 for one in coming if one.day.weekday() != 0)


def test_a_closed_weekday_that_is_booked_all_the_same_is_expected_to_be_held():
    closed = replace(BISTRO, weekdays=(0, *WEEK[1:]))
    services = bookings(closed)
    monday = morning(203).toordinal()
    rows = bookings_of([PastBooking(monday, monday - 6, NEVER, 10, "RECORDED")])
    dinner = services["dinner"]
    opened = Bookings(
        **{
            name: np.concatenate([getattr(dinner, name), getattr(rows, name)])
            for name in dinner.__dataclass_fields__
        }
    )

    coming = train(services | {"dinner": opened}, today=morning(200))["dinner"].coming()

    assert coming[3].booked == 10
    assert coming[3].covers > 0


def test_holidays_of_the_whole_restaurant_leave_the_level_as_it_was():
    holiday = replace(BISTRO, closures=((morning(170), 16),))

    with_gap, without = forecast(holiday).coming(), forecast().coming()

    ratio = sum(one.covers for one in with_gap) / sum(one.covers for one in without)
    assert 0.8 < ratio < 1.2


def test_one_week_of_promotion_is_no_new_level():
    promoted = replace(BISTRO, promotions=((morning(186), 7, 2.0),))

    with_it, without = forecast(promoted).coming(), forecast().coming()

    ratio = sum(one.covers for one in with_it[7:]) / sum(one.covers for one in without[7:])
    assert 0.9 < ratio < 1.3


@pytest.mark.parametrize(("growth", "low", "high"), [(1.0, 1.15, 2.0), (-0.5, 0.5, 0.85)])
def test_growing_and_shrinking_restaurants_are_followed(growth, low, high):
    moving = replace(BISTRO, growth=growth)

    found = forecast(moving, days=330, ago=30)

    first = found.history.came[60:116].mean()
    last = np.mean([one.covers for one in found.coming()])
    assert low < last / first < high


def test_a_service_with_little_history_is_not_ready():
    services = bookings(days=60)

    found = train(services, today=morning(24))["dinner"]

    assert found.too_early == TooEarly(weeks=3, needed=6)
    assert train(services, today=morning(42))["dinner"].too_early is None


def test_a_service_held_now_and_then_waits_until_it_was_held_often_enough():
    brunch = bookings_of(
        [
            PastBooking(FIRST.toordinal() + day, FIRST.toordinal() + day - 3, NEVER, 8, "RECORDED")
            for day in (20, 50, 80)
        ]
    )

    found = train(bookings() | {"brunch": brunch}, today=morning(200))

    assert found["brunch"].too_early == TooEarly(weeks=3)
    assert found["dinner"].too_early is None


def test_no_history_at_all_has_no_forecast():
    assert train({"dinner": bookings_of([])}, today=FIRST) == {}


def test_a_service_that_was_never_held_takes_nothing_from_the_others():
    services = bookings()

    alone = train({"dinner": services["dinner"]}, today=morning(200))["dinner"]
    beside = train({"dinner": services["dinner"], "brunch": bookings_of([])}, today=morning(200))

    assert beside["brunch"].too_early == TooEarly(weeks=0)
    np.testing.assert_allclose(alone.expected, beside["dinner"].expected)


def test_a_forecast_that_loses_gives_way_to_the_rule_that_beat_it():
    history = forecast().history
    came = np.concatenate([history.came, np.zeros(DAYS_AHEAD)])
    truth = np.broadcast_to(came, (DAYS_AHEAD, history.columns))

    chosen, rule = contest(history, truth + 9.0, [truth + 1.0, truth + 5.0])

    assert rule[0, -1] == Rule.LAST_FOUR
    assert chosen[0, -1] == 1.0
    assert contest(history, truth, [truth + 1.0, truth])[1][0, -1] == Rule.FORECAST


def test_the_first_weeks_of_a_history_decide_nothing():
    history = forecast(days=100, ago=0).history
    truth = np.zeros((DAYS_AHEAD, history.columns))
    truth[:, : history.days] = history.came
    early = np.where(np.arange(history.columns) < 28, 500.0, 1.0)

    _chosen, rule = contest(history, truth + early, [truth + 2.0, truth + 3.0])

    assert rule[0, -1] == Rule.FORECAST


def test_the_rule_that_a_number_comes_from_stands_beside_it():
    assert {one.rule for one in forecast().coming()} <= set(Rule)
