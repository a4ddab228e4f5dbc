"""Forecasts of one restaurant: each service, as of every morning.

`train` is all there is: what it returns holds the forecasts of the coming 28 days and, beside
them, those that would have been made on any earlier morning. The backtest and the product read
the same table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from insights.forecast import DAYS_AHEAD, WEEKS_NEEDED, Rule
from insights.forecast.anniversaries import stood_out
from insights.forecast.combining import blend, contest
from insights.forecast.history import Bookings, Flags, Floats, History, Ints, history_of
from insights.forecast.intervals import Interval, interval_of
from insights.forecast.levels import Cells, Levels, levels_of
from insights.forecast.no_shows import NoShows, no_shows_of
from insights.forecast.opening import open_share
from insights.forecast.pace import Pace, around, capacity_of, pace_of
from insights.forecast.regression import RegressionSums, forecast, lately_wrong, sums_of
from insights.forecast.simple_rules import booked_times_ratio, last_four
from insights.forecast.weekdays import WeekdayServices

MOST_DAYS = 3 * 366  # what lies further back says little, and memory has an end
HELD_NEEDED = 6  # services, for one that is not held every day
SEASON_VIEW = 3
LEVEL_TRUST, LEVEL_SHARPNESS, LEVEL_MEMORY = (1.0, 1.0, 1.0, 2.0, 1.0, 1.0), 20, 80.0
# the two simple rules, the level, the usual pickup added and multiplied, what the pace has meant
TRUST, SHARPNESS, MEMORY = (0.1, 0.08, 0.1, 0.2, 0.2, 0.7), 6, 50.0
MIXED_FROM = 14  # days whose errors count


@dataclass(frozen=True)
class ServiceForecast:
    """Forecasts of one service, [lag, day]: made `lag` days before, on that day's morning."""

    history: History
    expected: Floats
    interval: Interval
    rule: Ints  # of `Rule`
    rules: tuple[Floats, Floats]  # the average of the last four, booked × usual ratio
    usual_booked: Floats  # covers that are usually booked by then
    no_show_covers: Floats  # expected beside those that come
    no_shows: NoShows  # what that is learnt from
    ready: int  # the first morning, as a column, on which there was history enough

    @property
    def too_early(self) -> "TooEarly | None":
        """Set while there is too little history; then no number of this is to be shown."""
        if self.history.days >= self.ready:
            return None
        return TooEarly(min(self.history.days // 7, int(self.history.held.sum())))

    def coming(self) -> list["Expected"]:
        """Today and the 27 days after it."""
        return [self._on(lag) for lag in range(DAYS_AHEAD)]

    def _on(self, lag: int) -> "Expected":
        day = self.history.days + lag
        day_of_week = self.history.weekdays[day]
        return Expected(
            day=self.history.today + timedelta(days=lag),
            booked=int(self.history.booked[lag, day]),
            usually_booked=float(self.usual_booked[lag, day]),
            covers=float(self.expected[lag, day]),
            lower=int(self.interval.lower[lag, day]),
            upper=int(self.interval.upper[lag, day]),
            rule=Rule(int(self.rule[lag, day])),
            no_shows=float(self.no_show_covers[lag, day]),
            missed_before=int(self.no_shows.missed[self.history.days, day_of_week]),
            came_before=int(self.no_shows.came[self.history.days, day_of_week]),
        )


@dataclass(frozen=True)
class Expected:
    """What one coming service will bring."""

    day: date
    booked: int
    usually_booked: float
    covers: float
    lower: int
    upper: int
    rule: Rule
    no_shows: float  # covers, beside those that come
    missed_before: int  # covers of no-shows at like services
    came_before: int


@dataclass(frozen=True)
class TooEarly:
    """There is too little history for a forecast: “3 of 6 weeks”."""

    weeks: int  # known, or services held where those are fewer
    needed: int = WEEKS_NEEDED


@dataclass(frozen=True)
class Parts:
    """Intermediate results of a service, which the other services of the day use."""

    history: History
    cells: Cells
    levels: Levels
    level: Floats
    pace: Pace
    rules: tuple[Floats, Floats]


def train(services: Mapping[str, Bookings], *, today: date) -> dict[str, ServiceForecast]:
    """Forecasts of every service of a restaurant from what its books show this morning."""
    histories = _histories(services, today)
    parts = {name: _parts(history) for name, history in histories.items()}
    features = {name: _features(name, parts) for name in parts}
    sums = {name: sums_of(part.history, part.pace, features[name]) for name, part in parts.items()}
    return {name: _forecast(name, part, features[name], sums) for name, part in parts.items()}


def _histories(services: Mapping[str, Bookings], today: date) -> dict[str, History]:
    morning = today.toordinal()
    held = {name: bookings.known_on(morning) for name, bookings in services.items()}
    days = [known.day[known.confirmed] for known in held.values()]
    first = min((int(one.min()) for one in days if len(one)), default=morning)
    first = max(first, morning - MOST_DAYS)
    return {
        name: history_of(bookings, first=first, today=morning)
        for name, bookings in services.items()
        if first < morning
    }


def _parts(history: History) -> Parts:
    cells = Cells(history)
    levels = levels_of(history)
    own = WeekdayServices(history, cells, history.held)
    average = last_four(history, own)
    level = blend(
        history,
        [*levels.views, average],
        trust=LEVEL_TRUST,
        sharpness=LEVEL_SHARPNESS,
        memory=LEVEL_MEMORY,
    )
    rules = (average, booked_times_ratio(history, own, average))
    return Parts(history, cells, levels, level, pace_of(history, level, cells), rules)


def _features(name: str, parts: Mapping[str, Parts]) -> Floats:
    """As `regression.FEATURES` lists them, [feature, lag, day]."""
    part = parts[name]
    pace, views = part.pace, part.levels.views
    siblings = [other.pace for key, other in parts.items() if key != name]
    return np.stack(
        [
            np.ones_like(pace.ahead),
            pace.ahead,
            pace.parties_ahead,
            _together(siblings, pace),
            around(part.history, pace),
            np.clip(views[SEASON_VIEW] / pace.level - 1, -0.5, 0.5),
            lately_wrong(part.history, pace),
            stood_out(part.history, pace),
        ]
    )


def _together(siblings: list[Pace], pace: Pace) -> Floats:
    """Return how many parties the other services of the day are ahead, as one share."""
    if not siblings:
        return np.zeros_like(pace.ahead)
    levels = np.stack([other.level for other in siblings])
    shares = np.stack([other.parties_ahead for other in siblings])
    ahead: Floats = (shares * levels).sum(axis=0) / levels.sum(axis=0)
    return ahead


def _forecast(
    name: str, part: Parts, features: Floats, sums: Mapping[str, RegressionSums]
) -> ServiceForecast:
    history, pace, rules = part.history, part.pace, part.rules
    siblings = [other for key, other in sums.items() if key != name]
    learnt = forecast(history, pace, features, sums[name].with_siblings(siblings))
    full = np.maximum(part.cells.at(capacity_of(history)), history.booked)
    by_pace = [pace.added(history), pace.multiplied(history), learnt]
    views = [*rules, part.level, *(np.minimum(view, full) for view in by_pace)]
    mixed = blend(history, views, trust=TRUST, sharpness=SHARPNESS, memory=MEMORY, since=MIXED_FROM)
    share = open_share(history, pace, part.cells)
    chosen, rule = contest(history, mixed, rules)
    expected = chosen * share
    no_shows = no_shows_of(history)
    return ServiceForecast(
        history=history,
        expected=expected,
        interval=interval_of(history, expected).while_open(share > 0),
        rule=rule,
        rules=rules,
        usual_booked=pace.usual * pace.level,
        no_show_covers=no_shows.expected(expected, part.cells),
        no_shows=no_shows,
        ready=_ready(history.held),
    )


def _ready(held: Flags) -> int:
    """The first morning with six weeks behind it and a service held often enough."""
    days = np.flatnonzero(held)
    if len(days) < HELD_NEEDED:
        return len(held) + DAYS_AHEAD
    return max(7 * WEEKS_NEEDED, int(days[HELD_NEEDED - 1]) + 1)
