"""What the Partner API client costs beside a bare requests.Session, against the same sandbox.

    python -m tests.bench.client

Both read reservations from a sandbox that takes 50 ms for each answer, with the same threads,
in turns in one process. The client does everything it does in production: token, permits,
reading, typed entities. The sandbox's own share of the two cores is not counted.
"""

import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.bench.frame import Bench, Outcome
from tests.contract.sandbox import Sandbox
from tests.processes import scratch_environment

ROOT = Path(__file__).resolve().parents[2]
LATENCY_MS = 50


def measure() -> dict[str, Any]:
    """Compare at 16 and 32 threads. Takes about a minute."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-bench-")))
        sandbox = Sandbox(folder / "sandbox")
        stack.callback(sandbox.stop)
        sandbox.fault({"endpoint": "get_reservation"}, latency_ms=LATENCY_MS)
        environment = scratch_environment(folder)
        answered_by([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
        facts = json.dumps(sandbox.credentials() | {"requests_per_minute": 1_000_000})
        place = sandbox.world["groups"][0]["restaurants"][0]["uuid"]
        printed = answered_by(
            [sys.executable, "-m", "tests.bench.calls", facts, place], environment
        )
        found: dict[str, Any] = json.loads(printed.splitlines()[-1])
        return found | {"breaches of the contract": sandbox.breaches()}


def answered_by(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def run() -> list[Outcome]:
    found = measure()
    outcomes = []
    for threads in (16, 32):
        rates = {
            name: [found[f"{threads} threads: {name}, calls/s"]]
            for name in ("bare session", "client")
        }
        name = f"calls of {LATENCY_MS} ms in {threads} threads"
        outcomes.append(Outcome(Bench(name, unit="calls/s", measures={}, aim="≥ 0.9"), rates))
    return outcomes


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))  # noqa: T201 - a benchmark speaks to a terminal
