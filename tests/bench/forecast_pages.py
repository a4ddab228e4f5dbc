"""Every page that shows a forecast, beside counting what is booked from the reservations.

In processor time too: on a machine that does other work, it says what the page costs.
"""

from collections.abc import Iterator

from tests.bench.frame import REPETITIONS, Bench, Outcome, offered
from tests.bench.history import COPIED, filled

PAGES = (
    *("what is booked, counted from reservations", "expected, all restaurants"),
    *("expected, one restaurant", "how wrong they were, all restaurants"),
    *("how wrong they were, one restaurant", "prep sheet, all restaurants"),
    *("prep sheet, one restaurant", "calendar with pace, all restaurants"),
    *("calendar with pace, one restaurant", "board of a coming day with pace"),
)
PARTS = {"p95": "p95", "processor": "processor time"}


def run() -> Iterator[Outcome]:
    for flavour in offered():
        installation = filled(flavour, COPIED).ask("tests.bench.forecast_pages_process")
        rounds = [{name: installation.ask(name) for name in PAGES} for _ in range(REPETITIONS)]
        for part, words in PARTS.items():
            name = (
                f"a page of forecasts on {COPIED.reservations:,} reservations, {words}, {flavour}"
            )
            bench = Bench(name, unit="ms", measures={}, aim="≤ 60 ms")
            yield Outcome(bench, {page: [one[page][part] for one in rounds] for page in PAGES})
