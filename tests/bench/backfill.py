"""How fast a backfill reads, beside the ideal, and what it costs of the processor.

    python -m tests.bench.backfill                      SQLite
    python -m tests.bench.backfill group 330            330 days of twelve restaurants
    DATABASE_URL=postgres… python -m tests.bench.backfill     a PostgreSQL of its own

The ideal is what the connections could read if nothing but the service took time. One process
does it all (`backfill --wait`), without worker and beat.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.bench.frame import Bench, Outcome, flavours
from tests.faults import truth
from tests.faults.installation import Installation, open_installation
from tests.processes import ROOT

CONNECTIONS = 50
LATENCY_MS = 50
# Of the sandbox's twelve restaurants, by how many reservations, guests and reviews they bring.
DAYS = {"20,000": 12, "300,000": 330}
PACE = {"20,000": "≥ 0.95", "300,000": "≥ 0.9"}
COSTS = (
    ("processor per item", "ms", "≤ 0.8 ms"),
    ("memory at its peak", "MiB", "≤ 180 MiB; ≤ 1.1"),
)


def measure(*, world: str = "group", days: int = DAYS["20,000"]) -> dict[str, Any]:
    """Backfill once. `days` counts back from today."""
    with open_installation(seed=1, world=world, processes=()) as installation:
        since, until = last(days)
        idle = spend(installation, ["mirror_status", "--skip-checks"])
        installation.sandbox.post(
            "faults", match={"path": "^/api/v1/[a-z]+/"}, latency_ms=LATENCY_MS
        )
        busy = spend(installation, ["backfill", "--since", since, "--until", until, "--wait"])
        items = sum(len(installation.dump(kind)) for kind in truth.KINDS)
    seconds = busy["seconds"] - idle["seconds"]
    ideal = items / (CONNECTIONS / (LATENCY_MS / 1000))
    return {
        "items": items,
        "seconds": round(seconds, 1),
        "items per second": round(items / seconds),
        "share of the ideal": round(ideal / seconds, 2),
        "processor per item, ms": round((busy["cpu"] - idle["cpu"]) / items * 1000, 2),
        "memory at its peak, MiB": round(busy["memory"], 1),
        "load of the machine": os.getloadavg()[0],
    }


def last(days: int) -> tuple[str, str]:
    now = datetime.now(UTC)
    return (now - timedelta(days=days)).date().isoformat(), now.date().isoformat()


def spend(installation: Installation, words: list[str]) -> dict[str, float]:
    """Run a management command; return its seconds, its processor time and its peak memory."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=installation.environment | {"MIRROR_CONNECTIONS": str(CONNECTIONS)},
        stdout=subprocess.DEVNULL,
    )
    memory = 0.0
    while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        memory = max(memory, peak(process.pid))
        time.sleep(0.05)
    _pid, status, used = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{words} ended with {process.returncode}.")
    return {
        "seconds": time.monotonic() - began,
        "cpu": used.ru_utime + used.ru_stime,
        "memory": memory,
    }


def peak(pid: int) -> float:
    """MiB. Not `ru_maxrss`: a child inherits that of the process that started it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except ProcessLookupError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def run() -> list[Outcome]:
    return [outcome for flavour in flavours() for outcome in compare(flavour)]


def compare(flavour: str) -> Iterator[Outcome]:
    """A small backfill and a large one: the pace of each, and what each item costs."""
    found = {name: measure(days=days) for name, days in DAYS.items()}
    ideal = CONNECTIONS / (LATENCY_MS / 1000)
    for name, figures in found.items():
        title = f"backfill of {name} at {CONNECTIONS} connections, {flavour}"
        pace = {"ideal": [ideal], "backfill": [figures["items per second"]]}
        yield Outcome(Bench(title, unit="items/s", measures={}, aim=PACE[name]), pace)
    for title, unit, aim in COSTS:
        costs = {name: [figures[f"{title}, {unit}"]] for name, figures in found.items()}
        yield Outcome(Bench(f"{title}, {flavour}", unit=unit, measures={}, aim=aim), costs)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    figures = measure(world=arguments[0], days=int(arguments[1])) if arguments else measure()
    print(json.dumps(figures, indent=2))  # noqa: T201 - a benchmark speaks to a terminal
