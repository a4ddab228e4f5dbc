"""Regression: what being ahead of or behind the usual pace meant for the final covers."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from insights.forecast import DAYS_AHEAD
from insights.forecast.combining import recent_mean
from insights.forecast.history import Floats, History, Ints
from insights.forecast.pace import Pace

NOT_BEFORE = 30  # days until levels and paces say something
REFIT = 7  # days between two fits
MEMORY = 365.0  # days after which a service counts half
FURTHEST, LOWEST = 3.0, -1.0
USUAL_COVERS = 40.0  # a service of so many counts as one; larger ones are less a matter of luck
SIBLING = 0.5  # what a service of the same restaurant counts against one's own

# Of each feature: what it is believed to mean before anything was seen, and how firmly.
FEATURES = (
    (0.0, 40.0),  # a constant
    (0.8, 0.17),  # covers booked beyond usual
    (0.0, 0.17),  # parties ever booked beyond usual: what they leave for others to book
    (0.0, 0.3),  # the same parties of the other services of the day
    (0.0, 0.07),  # how far the days around are ahead
    (0.6, 0.06),  # how far the season is from the blended level
    (0.3, 0.3),  # how wrong this was of the last weeks
    (0.8, 0.3),  # how far the same date of last year stood out
)
PRIOR = np.array([belief for belief, _ in FEATURES])
LATELY = 14.0  # days after which a service counts half for that
DOUBT = np.diag([firmness for _, firmness in FEATURES])


@dataclass(frozen=True)
class RegressionSums:
    """Squares and products of the features until the morning of each fit, [fit, lag, …]."""

    squares: Floats
    products: Floats

    def with_siblings(self, others: list[Self]) -> "RegressionSums":
        """Services of one restaurant learn from each other what the pace means."""
        return RegressionSums(
            squares=self.squares + SIBLING * sum(other.squares for other in others),
            products=self.products + SIBLING * sum(other.products for other in others),
        )


def forecast(history: History, pace: Pace, features: Floats, sums: RegressionSums) -> Floats:
    """[lag, day] covers, from [feature, lag, day]."""
    wanted = (sums.products + DOUBT @ PRIOR)[..., None]
    terms = np.linalg.solve(sums.squares + DOUBT, wanted)[..., 0]
    fitted = np.clip(history.mornings, 0, None) // REFIT
    places = fitted * DAYS_AHEAD + np.arange(DAYS_AHEAD)[:, None]
    shares = np.zeros_like(pace.level)
    for term, feature in zip(np.moveaxis(terms, 2, 0), features, strict=True):
        shares += term.ravel().take(places) * feature
    return np.maximum(pace.level * (1 + shares), 0.0)


def sums_of(history: History, pace: Pace, features: Floats) -> RegressionSums:
    """Of the days before the morning of each fit, older ones counting less."""
    squares, products = _weekly(history, pace, features)
    kept = 0.5 ** (_week_lengths(history) / MEMORY)
    return RegressionSums(_faded_sums(squares, kept), _faded_sums(products, kept))


def _week_lengths(history: History) -> Ints:
    """Days that are over of each week before a fit: seven, then fewer, then none."""
    begins = np.arange(0, history.columns + 1 - REFIT, REFIT)
    lengths: Ints = np.clip(history.days - begins, 0, REFIT)
    return lengths


def _weekly(history: History, pace: Pace, features: Floats) -> tuple[Floats, Floats]:
    """Squares and products of each week, [week, lag, …]."""
    lengths = _week_lengths(history)
    days = len(lengths) * REFIT
    past = min(history.days, days)
    weights = np.zeros((DAYS_AHEAD, days))
    weights[:, :past] = _weights(history, pace)[:, :past] * _fading(lengths)[:past]
    missed = np.zeros((DAYS_AHEAD, days))
    missed[:, :past] = _missed(history, pace)[:, :past]
    ours = _by_week(features[:, :, :days])
    weighted = ours * _by_week(weights[None])
    squares: Floats = weighted @ ours.swapaxes(2, 3)
    products: Floats = weighted @ _by_week(missed[None]).swapaxes(2, 3)
    return squares, products[..., 0]


def _by_week(values: Floats) -> Floats:
    """[what, lag, day] → [week, lag, what, day of the week]."""
    kinds, lags, days = values.shape
    weeks = values.reshape(kinds, lags, days // REFIT, REFIT)
    return np.ascontiguousarray(weeks.transpose(2, 1, 0, 3))


def _fading(lengths: Ints) -> Floats:
    """[day] what a day counts at the end of its week."""
    ages = lengths[:, None] - 1 - np.arange(REFIT)
    fading: Floats = 0.5 ** (ages / MEMORY)
    return fading.ravel()


def _faded_sums(weekly: Floats, kept: Floats) -> Floats:
    """[fit, …] sums of the weeks before each fit; the first fit has none."""
    sums = np.zeros((len(weekly) + 1, *weekly.shape[1:]))
    for week, share in enumerate(kept.tolist()):
        sums[week + 1] = sums[week] * share + weekly[week]
    return sums


def _weights(history: History, pace: Pace) -> Floats:
    past = slice(0, history.days)
    usable = history.held & (history.mornings[:, past] >= NOT_BEFORE)
    weights: Floats = usable * pace.level[:, past] / USUAL_COVERS
    return weights


def _missed(history: History, pace: Pace) -> Floats:
    """Return the error of the level as a share of the level, [lag, day]."""
    level = pace.level[:, : history.days]
    return np.clip(history.came / level - 1, LOWEST, FURTHEST)


def lately_wrong(history: History, pace: Pace) -> Floats:
    """How wrong the usual reading of the pace was of the last weeks, [lag, day].

    It sees what no other feature does: a level that jumped, a service that cannot take more.
    """
    believed = PRIOR[1] * pace.ahead[:, : history.days]
    wrong = (_missed(history, pace) - believed) * history.held
    lately: Floats = np.clip(recent_mean(history, wrong[None], LATELY)[0], -0.5, 0.5)
    return lately
