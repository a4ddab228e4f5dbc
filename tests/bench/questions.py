"""Every question of the insights, beside counting one of them from the reservations themselves."""

from collections.abc import Iterator

from tests.bench.frame import Bench, Outcome, offered
from tests.bench.history import LONG, MEDIUM, filled

QUESTIONS = (
    *("fullness", "absence", "spend", "channels"),
    *("ratings", "lead", "diets", "campaigns"),
)


def run() -> Iterator[Bench | Outcome]:
    for flavour in offered():
        history = filled(flavour, LONG)
        installation = history.ask("tests.bench.question_process")
        names = ["counted from reservations", "all eight, 4 weeks"]
        names += [f"{slug}, 2 years" for slug in QUESTIONS]
        yield Bench(
            name=f"a question on {LONG.reservations:,} reservations, p95, {flavour}",
            unit="ms",
            measures={name: installation.measure(name) for name in names},
            aim="weeks ≤ 150 ms; years ≤ 150 ms",
        )
        yield Outcome(
            Bench(f"the sums of all days anew, {flavour}", unit="s", measures={}, aim="< 120 s"),
            {
                f"of {size.reservations:,} reservations": [filled(flavour, size).seconds_to_count]
                for size in (MEDIUM, LONG)
            },
        )
