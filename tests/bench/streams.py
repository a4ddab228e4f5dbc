"""What open screens cost, and how long a commit takes to reach them all.

    python -m tests.bench.streams                       SQLite in a scratch folder
    DATABASE_URL=… python -m tests.bench.streams        an empty PostgreSQL database

The web program runs as in production (the `web` line of the Procfile). The screens are plain
sockets in this process, whose own share of the processor is stated beside the server's.
"""

import json
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import IO, Any

from tests.bench.frame import Bench, Outcome, flavours
from tests.processes import ROOT, scratch_environment, wait_until_open

SCREENS = 200
EVENTS = 60
SETTLE_SECONDS = 3.0
IDLE_SECONDS = 20.0
GIVE_UP_SECONDS = 5.0
TICK = os.sysconf("SC_CLK_TCK")


def measure(*, screens: int = SCREENS) -> dict[str, Any]:
    """Compare an idle server with one that `screens` people watch. Takes about a minute."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-bench-"))
        environment = scratch_environment(Path(folder))
        manage = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(manage, cwd=ROOT, env=environment, check=True)
        installation = stack.enter_context(WatchedInstallation(environment, browsers=screens))
        server = stack.enter_context(web_server(environment))
        empty = observe(server)
        opened = stack.enter_context(
            OpenScreens(int(environment["WEB_PORT"]), cookies=installation.cookies)
        )
        watched = observe(server)
        ways = [opened.watch(installation, version) for version in range(1, EVENTS + 1)]
    return {
        "database": installation.vendor,
        "screens": len(opened.open),
        "turned away": screens - len(opened.open),
        "memory, empty MiB": empty["memory"],
        "memory, watched MiB": watched["memory"],
        "processor, empty %": empty["server"],
        "processor, watched %": watched["server"],
        "processor, the screens' own %": watched["own"],
        "first screen, ms": spread([first for first, _last in ways]),
        "last screen, ms": spread([last for _first, last in ways]),
    }


@contextmanager
def web_server(environment: dict[str, str]) -> Iterator[int]:
    """Yield the process that is the parent of the web program's workers."""
    process = subprocess.Popen([ROOT / "bin" / "process", "web"], cwd=ROOT, env=environment)
    try:
        wait_until_open(int(environment["WEB_PORT"]), what="The web program")
        yield process.pid
    finally:
        process.terminate()
        process.wait()


class WatchedInstallation:
    """The process that announces."""

    def __init__(self, environment: dict[str, str], *, browsers: int) -> None:
        command = [sys.executable, "-m", "tests.bench.browsers_process", str(browsers)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.stdin: IO[bytes] = self.process.stdin  # type: ignore[assignment]  # a pipe, by the argument
        self.stdout: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        self.vendor, self.cookies = json.loads(self.stdout.readline()).values()

    def announce(self, version: int) -> float:
        self.stdin.write(b"%d\n" % version)
        self.stdin.flush()
        return float(self.stdout.readline())

    def __enter__(self) -> "WatchedInstallation":
        return self

    def __exit__(self, *_problem: object) -> None:
        self.stdin.close()
        self.process.wait()
        self.stdout.close()


class OpenScreens:
    """Many screens, each with a session of its own, all on one selector."""

    def __init__(self, port: int, *, cookies: list[str]) -> None:
        self.selector = selectors.DefaultSelector()
        self.open: list[socket.socket] = []
        for cookie in cookies:
            self._open(port, cookie)

    def _open(self, port: int, cookie: str) -> None:
        screen = socket.create_connection(("127.0.0.1", port), timeout=10)
        ask = f"GET /live/stream/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
        screen.sendall(ask.encode())
        if b" 200 " not in screen.recv(4096).split(b"\r\n")[0]:
            screen.close()
            return
        screen.setblocking(False)
        self.open.append(screen)
        self.selector.register(screen, selectors.EVENT_READ)

    def watch(self, installation: WatchedInstallation, version: int) -> tuple[float, float]:
        """Milliseconds from the moment before a commit to the first and to the last screen."""
        began = installation.announce(version)
        waiting = set(self.open)
        arrivals: list[float] = []
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while waiting and time.monotonic() < deadline:
            for key, _mask in self.selector.select(timeout=1):
                screen = key.fileobj
                text = screen.recv(65536)  # type: ignore[union-attr]  # only sockets are registered
                if b'"version": %d,' % version in text and screen in waiting:
                    waiting.discard(screen)
                    arrivals.append((time.monotonic() - began) * 1000)
        if waiting:
            raise RuntimeError(f"{len(waiting)} screens never heard of version {version}.")
        return arrivals[0], arrivals[-1]

    def __enter__(self) -> "OpenScreens":
        return self

    def __exit__(self, *_problem: object) -> None:
        self.selector.close()
        for screen in self.open:
            screen.close()


def observe(parent: int) -> dict[str, float]:
    """The idle server's memory (shared pages counted once) and processor time."""
    time.sleep(SETTLE_SECONDS)
    family = [parent, *descendants(parent)]
    before, own, began = ticks(family), ticks([os.getpid()]), time.monotonic()
    time.sleep(IDLE_SECONDS)
    seconds = time.monotonic() - began
    return {
        "memory": round(sum(map(memory, family)), 1),
        "server": round(100 * (ticks(family) - before) / TICK / seconds, 2),
        "own": round(100 * (ticks([os.getpid()]) - own) / TICK / seconds, 2),
    }


def descendants(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [each for child in map(int, children) for each in (child, *descendants(child))]


def ticks(processes: list[int]) -> int:
    stats = [Path(f"/proc/{process}/stat").read_text() for process in processes]
    return sum(sum(map(int, stat.rsplit(")", 1)[1].split()[11:13])) for stat in stats)


def memory(process: int) -> float:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def spread(milliseconds: list[float]) -> dict[str, float]:
    cuts = quantiles(milliseconds, n=100)
    return {"p50": round(cuts[49], 1), "p95": round(cuts[94], 1)}


def run() -> list[Outcome]:
    outcomes = []
    for flavour in flavours():
        found = measure()
        here = f"{found['screens']} idle screens, {flavour}"
        for what, unit, aim in (
            ("memory", "MiB", "more < 150 MiB"),
            ("processor", "%", "watched < 5 %"),
        ):
            figures = {how: [found[f"{what}, {how} {unit}"]] for how in ("empty", "watched")}
            figures["more"] = [figures["watched"][0] - figures["empty"][0]]
            bench = Bench(f"{what} with {here}", unit=unit, measures={}, aim=aim)
            outcomes.append(Outcome(bench, figures))
        outcomes.append(
            Outcome(
                Bench(f"commit → screen, {here}", unit="ms", measures={}),
                {
                    "first screen, p95": [found["first screen, ms"]["p95"]],
                    "last screen, p95": [found["last screen, ms"]["p95"]],
                },
            )
        )
    return outcomes


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))  # noqa: T201 - a script for a terminal
