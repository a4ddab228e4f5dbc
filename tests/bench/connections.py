"""One connection and two hundred, ten restaurants each, on one machine, in turn.

    python -m tests.bench connections
    BENCH_SHARE=0.05 python -m tests.bench connections     with ten instead, to try it out

Web, worker and beat run as the Procfile starts them. What a person waits for is requested as the
owner of one of the connections, whose own copy has the same size in both.
"""

import http.client
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bin import servers
from tests.bench import history
from tests.bench.frame import POSTGRES, Bench, Outcome, offered
from tests.bench.helper_process import HelperProcess
from tests.bench.receiver import closed_loop
from tests.bench.streams import TICK, descendants, memory, ticks
from tests.processes import ROOT, wait_until_ready

MANY = max(2, int(200 * history.SHARE))
ROUNDS = 2
PAGES = 30
IDLE_SECONDS = 60.0  # the longest period of a frequent task
PROCESSES = ("worker", "beat")
ADDRESSES = {"arrivals": "/?zoom=arrivals", "pulse": "/?zoom=pulse", "health": "/setup/mirror/"}
UNITS = {
    "start-up": "ms",
    "memory": "MiB",
    "idle processor": "%",
    "receiver": "events/s",
    "arrivals, p50": "ms",
    "pulse, p50": "ms",
    "health page of its owner, p50": "ms",
    "alert check": "ms",
    "looking for work": "ms",
    "routing one event": "ms",
}
AIMS = {"receiver": "≥ 0.77"}


class Installed:
    """An installation whose processes are started and stopped again in each round."""

    def __init__(self, flavour: str, number: int, stack: ExitStack) -> None:
        self.environment = history.empty(flavour) | {"ALLOWED_HOSTS": "127.0.0.1"}
        if flavour == POSTGRES:
            address = stack.enter_context(servers.private_redis())
            urls = {"CELERY_BROKER_URL": f"{address}/0", "CACHE_URL": f"{address}/1"}
            self.environment |= urls
        self.port = int(self.environment["WEB_PORT"])
        self.helper = HelperProcess(
            "tests.bench.connections_process", str(number), environment=self.environment
        )
        stack.callback(self.helper.close)

    def measure(self) -> dict[str, float]:
        self.helper.ask("settle")
        with ExitStack() as stack:
            began = time.monotonic()
            web = stack.enter_context(self._running("web"))
            wait_until_ready("127.0.0.1", self.port)
            found = {"start-up": 1000 * (time.monotonic() - began)}
            with ExitStack() as others:
                pids = [web, *(others.enter_context(self._running(name)) for name in PROCESSES)]
                self._wait_for_beats()
                found |= self._pages()
                found |= observe(pids)
                found["alert check"] = self.helper.ask("check alerts")
            found["looking for work"] = self.helper.ask("look for work")
            found["routing one event"] = self.helper.ask("route one")
            found["receiver"] = self._receive()
            self.helper.ask("clear")
            return found

    def _wait_for_beats(self) -> None:
        deadline = time.monotonic() + 60
        while self.helper.ask("beats") > 5000 and time.monotonic() < deadline:
            time.sleep(0.2)

    def _pages(self) -> dict[str, float]:
        waits = {name: self._median(address) for name, address in ADDRESSES.items()}
        waits["health page of its owner"] = waits.pop("health")
        return {f"{name}, p50": wait for name, wait in waits.items()}

    def _median(self, address: str) -> float:
        headers = {"Cookie": self.helper.facts["cookie"]}
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        waits = []
        for _page in range(PAGES):
            began = time.perf_counter()
            client.request("GET", address, headers=headers)
            answer = client.getresponse()
            answer.read()
            waits.append(1000 * (time.perf_counter() - began))
            assert answer.status == 200, (address, answer.status)
        client.close()
        return statistics.median(waits)

    def _receive(self) -> float:
        token = self.helper.facts["token"]
        address = f"http://127.0.0.1:{self.port}/webhooks/partner/?token={token}"
        with tempfile.TemporaryDirectory(prefix="couvert-bench-") as folder:
            return closed_loop(address, headers={}, folder=Path(folder))

    @contextmanager
    def _running(self, name: str) -> Iterator[int]:
        command = [str(ROOT / "bin" / "process"), name]
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment)
        try:
            yield process.pid
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=30)
            process.kill()
            process.wait()


def observe(parents: list[int]) -> dict[str, float]:
    """Memory (shared pages counted once) and processor of idle processes and their children."""
    family = [each for parent in parents for each in (parent, *descendants(parent))]
    before, began = ticks(family), time.monotonic()
    time.sleep(IDLE_SECONDS)
    seconds = time.monotonic() - began
    return {
        "memory": sum(map(memory, family)),
        "idle processor": 100 * (ticks(family) - before) / TICK / seconds,
    }


def run() -> Iterator[Outcome]:
    for flavour in offered():
        with ExitStack() as stack:
            both = {number: Installed(flavour, number, stack) for number in (1, MANY)}
            rounds = [
                {number: one.measure() for number, one in both.items()} for _round in range(ROUNDS)
            ]
        for what, unit in UNITS.items():
            figures = {
                "one connection" if number == 1 else f"{number} connections": [
                    found[number][what] for found in rounds
                ]
                for number in both
            }
            bench = Bench(
                f"{what}, as connections grow, {flavour}", unit, {}, AIMS.get(what, "≤ 1.3")
            )
            yield Outcome(bench, figures)
