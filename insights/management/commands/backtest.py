"""Print the errors that forecasts would have made on a history from a file.

Needs no database content.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from insights.forecast import HORIZONS
from insights.forecast.backtest import FURTHEST, Figures, Report, backtest
from insights.forecast.from_csv.history import read_history
from insights.forecast.from_csv.rows import Unreadable

HEADINGS = ("days before", "services", "wrong by", "bias", "inside 80 %", "last four", "ratio rule")


class Command(BaseCommand):
    help = (
        "Walk the last eight weeks of a CSV file of bookings day by day, forecast covers from what"
        " was known each day, and print how wrong that was beside two simple rules."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--csv", type=Path, required=True, metavar="FILE")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--horizons", type=read_horizons, default=HORIZONS, metavar="1,3,7,14")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            history = read_history(options["csv"])
        except Unreadable as problem:
            raise CommandError(str(problem)) from problem
        restaurants, horizons = history.restaurants, options["horizons"]
        report = backtest(restaurants, today=history.today, horizons=horizons)
        self._name_young(report, restaurants=len(restaurants))
        self.stdout.write(_json(report) if options["json"] else _table(report))

    def _name_young(self, report: Report, *, restaurants: int) -> None:
        lines = [
            f"{name}: too early to say: {early.weeks} of {early.needed} weeks."
            for name, early in report.too_early.items()
        ]
        if len(lines) == restaurants:
            raise CommandError("\n".join(lines))
        for line in lines:
            self.stderr.write(line)


def read_horizons(text: str) -> tuple[int, ...]:
    try:
        horizons = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        horizons = (0,)
    if not all(1 <= horizon <= FURTHEST for horizon in horizons):
        raise ArgumentTypeError(f"horizons are days from 1 to {FURTHEST}, such as 1,3,7,14")
    return horizons


def _json(report: Report) -> str:
    return json.dumps({str(horizon): figures for horizon, figures in report.horizons.items()})


def _table(report: Report) -> str:
    lines = ["  ".join(f"{heading:>11}" for heading in HEADINGS)]
    lines += [_line(horizon, figures) for horizon, figures in report.horizons.items()]
    seconds = max((figures["seconds"] or 0 for figures in report.horizons.values()), default=0)
    return "\n".join([*lines, f"Trained and walked in {seconds} s."])


def _line(horizon: int, figures: Figures) -> str:
    shares = ("wape", "bias", "inside_80", "wape_last4", "wape_ratio_rule")
    cells = [str(horizon), str(figures["services"]), *(_percent(figures[name]) for name in shares)]
    return "  ".join(f"{cell:>11}" for cell in cells)


def _percent(share: float | int | None) -> str:
    return "–" if share is None else f"{share:.1%}"
