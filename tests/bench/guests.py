"""How long it takes to find a guest and to open the page of one with 400 visits.

    python -m tests.bench.guests     every kind of word, on every flavour

The peer is what one writes first: `icontains` on four columns. Both answer the same words, common
and rare, from 2 to 30 characters.
"""

import json
from collections.abc import Iterator

from tests.bench.frame import POSTGRES, SQLITE, Bench, offered
from tests.bench.history import LONG, MEDIUM, filled

WITHIN = {SQLITE: 25, POSTGRES: 20}  # ms


def run() -> Iterator[Bench]:
    for flavour in offered():
        few, many = (
            filled(flavour, size).ask("tests.bench.guest_search") for size in (MEDIUM, LONG)
        )
        yield Bench(
            name=f"finding a guest among {LONG.guests:,}, p95, {flavour}",
            unit="ms",
            measures={
                "icontains on four columns": many.measure("icontains", part="p95"),
                "ours": many.measure("search", part="p95"),
            },
            aim=f"ours ≤ 0.05; ours ≤ {WITHIN[flavour]} ms",
        )
        for part in ("p95", "p50"):
            yield Bench(
                name=f"finding a guest, as the installation grows, {part}, {flavour}",
                unit="ms",
                measures={
                    f"among {MEDIUM.guests:,}": few.measure("search", part=part),
                    f"among {LONG.guests:,}": many.measure("search", part=part),
                },
                aim="< 1.5",
            )
        yield Bench(
            name=f"the page of a guest with 400 visits, p95, {flavour}",
            unit="ms",
            measures={
                f"among {MEDIUM.guests:,}": few.measure("page", part="p95"),
                f"among {LONG.guests:,}": many.measure("page", part="p95"),
            },
            aim="≤ 60 ms",
        )


def main() -> None:
    for flavour in offered():
        search_process = filled(flavour, LONG).ask("tests.bench.guest_search")
        rounds = {
            what: search_process.ask(what) for what in ("icontains", "search", "page", "lengths")
        }
        print(flavour, json.dumps(search_process.facts | rounds, indent=2))  # noqa: T201 - for a terminal


if __name__ == "__main__":
    main()
