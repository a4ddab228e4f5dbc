"""Backtest: the errors of the forecasts on the last eight weeks, beside those of two simple rules.

A forecast at horizon h is the one made at the end of service day D − h, before the next one
begins, from what was known by then: bookings made and cancelled until that moment, and the
outcome of services until D − h.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from insights.forecast import DAYS_AHEAD, HORIZONS
from insights.forecast.engine import ServiceForecast, TooEarly, train
from insights.forecast.history import Bookings, Floats, Ints

FURTHEST = DAYS_AHEAD
DAYS = 8 * 7


Figures = dict[str, float | int | None]


@dataclass
class Score:
    """Errors of all services at one horizon."""

    services: int = 0
    came: float = 0.0
    missed: float = 0.0
    above: float = 0.0
    inside: int = 0
    missed_by_rules: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def add(self, forecast: ServiceForecast, *, lag: int, days: Ints) -> None:
        came = forecast.history.came[days]
        expected = forecast.expected[lag, days]
        interval = forecast.interval
        self.services += len(days)
        self.came += float(came.sum())
        self.missed += _missed(expected, came)
        self.above += float((expected - came).sum())
        within = (interval.lower[lag, days] <= came) & (came <= interval.upper[lag, days])
        self.inside += int(within.sum())
        for place, rule in enumerate(forecast.rules):
            self.missed_by_rules[place] += _missed(rule[lag, days], came)

    def figures(self, seconds: float) -> Figures:
        last4, ratio = self.missed_by_rules
        return {
            "services": self.services,
            "wape": _share(self.missed, self.came),
            "bias": _share(self.above, self.came),
            "inside_80": _share(self.inside, self.services),
            "wape_last4": _share(last4, self.came),
            "wape_ratio_rule": _share(ratio, self.came),
            "seconds": round(seconds, 3),
        }


@dataclass(frozen=True)
class Report:
    """What a backtest found."""

    horizons: dict[int, Figures]
    too_early: dict[str, TooEarly]  # by restaurant


def _missed(expected: Floats, came: Floats) -> float:
    return float(np.abs(expected - came).sum())


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def backtest(
    restaurants: Mapping[str, Mapping[str, Bookings]],
    *,
    today: date,
    horizons: Sequence[int] = HORIZONS,
) -> Report:
    """Of the services held in the eight weeks before today, all restaurants together."""
    began = time.perf_counter()
    scores = {horizon: Score() for horizon in horizons}
    too_early: dict[str, TooEarly] = {}
    for name, services in restaurants.items():
        forecasts = train(services, today=today).values()
        waiting = [forecast.too_early for forecast in forecasts]
        if all(waiting):
            too_early[name] = TooEarly(max((one.weeks for one in waiting if one), default=0))
        for forecast in forecasts:
            _add(scores, forecast)
    seconds = time.perf_counter() - began
    figures = {horizon: score.figures(seconds) for horizon, score in scores.items()}
    return Report(figures, too_early)


def _add(scores: Mapping[int, Score], forecast: ServiceForecast) -> None:
    for horizon, score in scores.items():
        score.add(forecast, lag=horizon - 1, days=scored_days(forecast, horizon=horizon))


def scored_days(forecast: ServiceForecast, *, horizon: int) -> Ints:
    """Columns of the last eight weeks held, forecast on a morning with history enough."""
    history = forecast.history
    days = np.arange(max(history.days - DAYS, 0), history.days)
    made = days - (horizon - 1)
    return days[history.held[days] & (made >= forecast.ready)]
