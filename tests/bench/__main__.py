"""`python -m tests.bench [NAME …]`: run the benchmarks and write docs/performance.md.

With names only these are run, and only their rows are replaced.
"""

import importlib
import os
import pkgutil
import sys
from pathlib import Path

import django

from tests import bench
from tests.bench.frame import Bench, Outcome, measure, other_rows, render

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "performance.md"


def find(wanted: list[str]) -> list[str]:
    names = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    return [
        name for name in names if not name.startswith("test_") and (not wanted or name in wanted)
    ]


def run_all(names: list[str]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for name in names:
        if name == "__main__":
            continue
        module = importlib.import_module(f"tests.bench.{name}")
        if hasattr(module, "run"):
            print(f"measuring {name} …", flush=True)  # noqa: T201 - a program for the terminal
            found = module.run()
            outcomes += [measure(found)] if isinstance(found, Bench) else found
    return outcomes


def main(wanted: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    outcomes = run_all(find(wanted))
    kept = other_rows(PAGE.read_text(), outcomes) if wanted else []
    page = render(outcomes, kept=kept)
    PAGE.write_text(page)
    print(page)  # noqa: T201 - a program for the terminal


if __name__ == "__main__":
    main(sys.argv[1:])
