"""Forecasts of the sandbox's group of twelve restaurants against the two simple rules.

Long, because three years of twelve restaurants are made up for it: half a minute of processor time,
and nothing but a change of the forecast or of that world can change what it finds.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from insights.forecast.backtest import backtest
from insights.forecast.from_csv.history import read_history

ROOT = Path(__file__).parents[1]
HISTORY = [
    "-m",
    "partner_sandbox",
    "history",
    "--world",
    "group",
    "--seed",
    "1",
    "--until",
    "2026-11-23",
]

pytestmark = [pytest.mark.long, pytest.mark.once]


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Any]:
    path = tmp_path_factory.mktemp("group") / "group.csv"
    with path.open("wb") as file:
        subprocess.run([sys.executable, *HISTORY], cwd=ROOT, stdout=file, check=True, timeout=240)
    history = read_history(path)
    assert len(history.restaurants) == 12
    return backtest(history.restaurants, today=history.today).horizons


@pytest.mark.parametrize(("horizon", "gain"), [(1, 0.1), (3, 0.2), (7, 0.2), (14, 0.1)])
def test_it_beats_the_better_rule(figures: dict[int, Any], horizon: int, gain: float) -> None:
    found = figures[horizon]

    assert found["services"] > 1000
    assert found["wape"] <= (1 - gain) * min(found["wape_last4"], found["wape_ratio_rule"])


@pytest.mark.parametrize("horizon", [1, 3, 7, 14])
def test_four_of_five_services_fall_inside(figures: dict[int, Any], horizon: int) -> None:
    assert 0.75 <= figures[horizon]["inside_80"] <= 0.85


def test_training_twelve_restaurants_takes_less_than_a_minute(figures: dict[int, Any]) -> None:
    assert figures[1]["seconds"] < 60
