"""`python -m tests.bench [NAME …]`: run the benchmarks and write docs/performance.md.

With names only these are run, and only their rows are replaced. What takes hours or much disk is
`ONLY_WHEN_NAMED`.
"""

import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import django

from tests import bench
from tests.bench.frame import Bench, Outcome, measure
from tests.bench.page import Row, parse, render, replace, rows_of

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "performance.md"


def find(wanted: list[str]) -> list[str]:
    names = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    return [
        name for name in names if not name.startswith("test_") and (not wanted or name in wanted)
    ]


def measure_all(names: list[str], *, wanted: list[str]) -> Iterator[Outcome]:
    for name in names:
        if name == "__main__":
            continue
        module = importlib.import_module(f"tests.bench.{name}")
        is_left_out = getattr(module, "ONLY_WHEN_NAMED", False) and not wanted
        if hasattr(module, "run") and not is_left_out:
            print(f"measuring {name} …", flush=True)  # noqa: T201 - a program for the terminal
            for found in module.run():
                yield measure(found) if isinstance(found, Bench) else found


def main(wanted: list[str]) -> None:
    """Write the page after each outcome: a benchmark that breaks takes no other with it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    before, measured = list(parse(PAGE.read_text())) if wanted else [], list[Row]()
    for outcome in measure_all(find(wanted), wanted=wanted):
        measured += rows_of(outcome)
        PAGE.write_text(render(replace(before, measured)))
        print(outcome, flush=True)  # noqa: T201 - a program for the terminal


if __name__ == "__main__":
    main(sys.argv[1:])
