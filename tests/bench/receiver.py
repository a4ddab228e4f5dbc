"""How many events a second are acknowledged, beside empty views.

    python -m tests.bench.receiver                      SQLite in a scratch folder
    DATABASE_URL=… python -m tests.bench.receiver       an empty PostgreSQL database
    … --peer                                            also dj-stripe's deferred receiver

The web program runs as in production. One empty view stands behind its middleware, the other is a
Django site without any, on a server of its own with the same options. `--peer` installs dj-stripe
into a virtual environment of its own, thrown away afterwards: it is no dependency of the product.
Closed loops are driven by wrk where it is installed, else by threads of a second process, which
are slower themselves.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench import deferred_peer
from tests.bench.frame import POSTGRES, SQLITE, Bench, Outcome, flavours
from tests.bench.streams import web_server
from tests.faults import truth
from tests.faults.installation import open_installation
from tests.processes import ROOT, scratch_environment, wait_until_open

CONNECTIONS = 16
SECONDS = 5
REPETITIONS = 3
ARRIVALS = 200  # a second
WAITS = {SQLITE: 100, POSTGRES: 30}  # ms, the aim
TOKEN = "token-of-the-benchmark-0123456789-abcdef"  # noqa: S105 - opens a scratch database
EVENT = json.dumps(
    {
        # The first two are what dj-stripe looks for; ours ignores what it does not know.
        "id": "evt_1",
        "livemode": False,
        "entityType": "reservation",
        "eventType": "reservationUpdated",
        "uuid": "7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33",
        "groupUuid": "9d5b1c77-2d0e-4a86-8b0c-1e2f3a4b5c6d",
        "restaurantUuid": "c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10",
    }
)
SET_UP = f"""
from partner.models import Connection
Connection.objects.create(base_url="https://api.example.com", auth_url="https://auth.example.com",
    audience="a", client_id="c", client_secret="s", webhook_token="{TOKEN}")
"""


BEHIND_MIDDLEWARE, BARE = "empty view, all middleware", "empty view, no middleware"
PEER = "dj-stripe, deferred"
COUNT = "from webhooks.models import Delivery; print(Delivery.objects.count())"


def measure(*, with_peer: bool = False) -> dict[str, list[float]]:
    """Acknowledgements a second of each. About a minute.

    The addresses take turns, so that a slow minute is slow for all.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-bench-")))
        port = stack.enter_context(product(folder))
        addresses: dict[str, tuple[str, dict[str, str]]] = {
            BEHIND_MIDDLEWARE: (f"http://127.0.0.1:{port}/empty", {}),
            BARE: (f"http://127.0.0.1:{stack.enter_context(bare_site(folder))}/empty", {}),
            "receiver": (f"http://127.0.0.1:{port}/webhooks/partner/?token={TOKEN}", {}),
        }
        if with_peer:
            addresses[PEER] = stack.enter_context(
                deferred_peer.running(folder / "peer", body=EVENT)
            )
        rates: dict[str, list[float]] = {name: [] for name in addresses}
        for _ in range(REPETITIONS):
            for name, (address, headers) in addresses.items():
                rates[name].append(closed_loop(address, headers=headers, folder=folder))
        return rates


def at_a_steady_pace() -> dict[str, float]:
    """The waits for a minute while web, worker and beat run and read what the events name."""
    with open_installation(seed=1, world="small") as installation:
        kind = {"entityType": "reservation", "eventType": "reservationUpdated"}
        bodies = [
            json.dumps(kind | {"uuid": uuid}) for uuid in truth.ours(installation, "reservation")
        ]
        found = load("open", installation.webhook_url, bodies=bodies)
        kept = int(installation.manage("shell", "--verbosity", "0", "-c", COUNT))
        return found | {"lost": found["sent"] - kept}


def summary(rates: dict[str, list[float]], in_time: dict[str, float]) -> dict[str, Any]:
    medians = {name: median(found) for name, found in rates.items()}
    return {
        "acknowledged a second": medians,
        "receiver ÷ others": {
            name: round(medians["receiver"] / rate, 2) for name, rate in medians.items()
        },
        f"at {ARRIVALS} arrivals a second, ms": in_time,
        "load driven by": driver(),
    }


def driver() -> str:
    """What sends. Threads need more of the processor than wrk, which lowers all figures."""
    return "wrk" if shutil.which("wrk") else "threads"


@contextmanager
def product(folder: Path) -> Iterator[int]:
    settings = {"DJANGO_SETTINGS_MODULE": "tests.bench.empty_settings"}
    environment = scratch_environment(folder) | settings
    for arguments in (["migrate", "--verbosity", "0"], ["shell", "--verbosity", "0", "-c", SET_UP]):
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    with web_server(environment):
        yield int(environment["WEB_PORT"])


@contextmanager
def bare_site(folder: Path) -> Iterator[int]:
    """The server of the Procfile's web line, with another program."""
    environment = scratch_environment(folder / "bare")
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    [web] = re.findall(r"^web: (.*)$", (ROOT / "Procfile").read_text(), re.MULTILINE)
    command = "exec " + web.replace("config.wsgi:", "tests.bench.bare_site:")
    process = subprocess.Popen(["sh", "-c", command], cwd=ROOT, env=environment)
    try:
        port = int(environment["WEB_PORT"])
        wait_until_open(port, what="The bare site")
        yield port
    finally:
        process.terminate()
        process.wait()


def closed_loop(address: str, *, headers: dict[str, str], folder: Path) -> float:
    """Acknowledgements a second, each connection sending again as soon as it was answered."""
    wrk = shutil.which("wrk")
    if wrk is None:
        return load("closed", address, bodies=[EVENT], headers=headers)["rate"]
    script = folder / "event.lua"
    lines = [
        f"wrk.headers[{json.dumps(key)}] = {json.dumps(value)}" for key, value in headers.items()
    ]
    script.write_text(f"wrk.method = 'POST'\nwrk.body = [[{EVENT}]]\n" + "\n".join(lines))
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}", "-s", str(script), address]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        raise RuntimeError(f"{address} did not always answer 200:\n{output}")
    [rate] = re.findall(r"Requests/sec:\s+([\d.]+)", output)
    return float(rate)


def load(
    kind: str, address: str, *, bodies: list[str], headers: dict[str, str] | None = None
) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.load", kind, address, json.dumps(headers or {})]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ,
        input="\n".join(bodies).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def run() -> list[Outcome]:
    outcomes = []
    for flavour in flavours():
        rates, in_time = measure(with_peer=True), at_a_steady_pace()
        for other, aim in ((BEHIND_MIDDLEWARE, ""), (BARE, "≥ 0.35"), (PEER, "≥ 8")):
            pair = {name: rates[name] for name in (other, "receiver")}
            name = f"acknowledging, {flavour}, driven by {driver()}"
            outcomes.append(Outcome(Bench(name, unit="events/s", measures={}, aim=aim), pair))
        aim = f"p99 ≤ {WAITS[flavour]} ms"
        name = f"{ARRIVALS} events a second, all processes running, {flavour}"
        waits = {share: [in_time[share]] for share in ("p50", "p99")}
        outcomes.append(Outcome(Bench(name, unit="ms", measures={}, aim=aim), waits))
        counts = {"refused and sent again": [in_time["refused"]]}
        counts[f"lost of {in_time['sent']:,.0f}"] = [in_time["lost"]]
        outcomes.append(
            Outcome(Bench(name, unit="events", measures={}, aim="lost ≤ 0 events"), counts)
        )
    return outcomes


if __name__ == "__main__":
    figures = summary(measure(with_peer="--peer" in sys.argv), at_a_steady_pace())
    print(json.dumps(figures, indent=2, ensure_ascii=False))  # noqa: T201 - a script for a terminal
