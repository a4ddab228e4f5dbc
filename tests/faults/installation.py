"""A whole installation in a scratch folder: all processes, and a sandbox.

The flavour follows the environment as everywhere else: SQLite and a broker of files, or, when
DATABASE_URL names PostgreSQL, a PostgreSQL and a Redis of its own that it may flush.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import redis

from bin import servers
from tests.faults.commands import Commands
from tests.migrated import copy_file
from tests.processes import ROOT, free_port, scratch_environment, wait_until_open

PROCESSES = ("web", "worker", "beat")
# So that the pace is not what a run waits for; the limiter has tests of its own. A backfill at 50
# connections and 50 ms reads up to 60,000 a minute, and the limiter leaves 3 % to people.
PER_MINUTE = 120_000
QUIET_SECONDS = 240
CONNECT_ANOTHER = """
import tomllib
from pathlib import Path
from bin.demo import connect_another
print(connect_another(tomllib.loads(Path({!r}).read_text())).webhook_url)
"""
COMMAND_SECONDS = 600


class Installation:
    def __init__(
        self, folder: Path, environment: dict[str, str], *, seed: int, world: str, owners: int = 1
    ) -> None:
        self.folder = folder
        self.environment = environment
        self.sandbox = Sandbox(free_port())
        others = [Sandbox(self.sandbox.port, owner=number) for number in range(2, owners + 1)]
        self.sandboxes = [self.sandbox, *others]
        self._world = ["--port", str(self.sandbox.port), "--seed", str(seed), "--world", world]
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._commands = Commands(folder)

    # --- Processes --------------------------------------------------------------------------

    def start(self, name: str) -> None:
        """Start one process of the Procfile in a session of its own, so that it dies whole."""
        self._spawn(name, [str(ROOT / "bin" / "process"), name])

    def begin(self, processes: tuple[str, ...] = PROCESSES) -> None:
        """Start them, and let the service know where to send its events."""
        for name in processes:
            self.start(name)
        if "web" in processes:
            wait_until_open(int(self.environment["WEB_PORT"]), what="web")
            for sandbox, url in zip(self.sandboxes, self.webhook_urls, strict=True):
                sandbox.post("webhook", url=url)

    def start_sandbox(self, *options: str) -> None:
        owners = ("--owners", str(len(self.sandboxes)))
        data = ["--data", str(self.folder / "sandbox"), *owners, *options]
        self._spawn("sandbox", [sys.executable, "-m", "partner_sandbox", *self._world, *data])
        wait_until_open(self.sandbox.port, what="sandbox")

    def restart_sandbox(self, *options: str) -> None:
        """Gently: what it has promised to send, it sends afterwards."""
        process = self._running.pop("sandbox")
        process.terminate()
        process.wait()
        self.start_sandbox(*options)

    def kill(self, name: str) -> None:
        """Kill -9, children and all."""
        process = self._running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        self._commands.stop()
        for name in list(self._running):
            self.kill(name)

    def processes(self) -> dict[str, int]:
        """The number of each that runs, which leads its children."""
        return {name: process.pid for name, process in self._running.items()}

    def _spawn(self, name: str, command: list[str]) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    # --- Commands ---------------------------------------------------------------------------

    def manage(self, *words: str) -> str:
        """Run a management command and return its output."""
        code, output, errors = self._commands.run(
            words, environment=self.environment, within=COMMAND_SECONDS
        )
        assert code == 0, f"{words}: {output[-2000:]}{errors[-4000:]}"
        return output

    def collect_static(self) -> None:
        """What pages name, and what a node must have before it is ready. It takes seconds."""
        self.manage("collectstatic", "--no-input", "--verbosity", "0")

    def set_up(self) -> None:
        """A database, the sandbox's restaurants, and the address for its events."""
        self._make_database()
        output = self.manage("provision", str(self._write_world(owner=1)))
        [self.webhook_url] = [w for w in output.split() if "/webhooks/partner/" in w]
        self.webhook_urls = [self.webhook_url]
        for sandbox in self.sandboxes[1:]:
            code = CONNECT_ANOTHER.format(str(self._write_world(owner=sandbox.owner)))
            self.webhook_urls.append(self.manage("shell", "--verbosity", "0", "-c", code).strip())

    def _write_world(self, *, owner: int) -> Path:
        command = [sys.executable, "-m", "partner_sandbox", "world", *self._world, "--provision"]
        command += ["--owner", str(owner)]
        text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        pace = f"[connection]\nrequests_per_minute = {PER_MINUTE}"
        file = self.folder / f"installation-{owner}.toml"
        file.write_text(text.replace("[connection]", pace, 1))
        return file

    def _make_database(self) -> None:
        """Servers of one's own begin empty; a file may be a copy."""
        if self.environment["DATABASE_URL"].startswith("sqlite"):
            copy_file(self.folder / "couvert.sqlite3")
        else:
            self.manage("migrate", "--verbosity", "0")

    def status(self) -> dict[str, Any]:
        # Called twice a second: the checks would be half of what it costs.
        status: dict[str, Any] = json.loads(self.manage("mirror_status", "--json", "--skip-checks"))
        return status

    def dump(self, kind: str) -> list[dict[str, Any]]:
        return [
            json.loads(line) for line in self.manage("mirror_dump", "--kind", kind).splitlines()
        ]

    def flush_broker(self) -> None:
        """Lose every message that is on its way."""
        url = self.environment.get("CELERY_BROKER_URL", "")
        if url.startswith("redis"):
            with redis.Redis.from_url(url) as broker:
                broker.flushall()
        else:
            shutil.rmtree(self.folder / "broker", ignore_errors=True)

    def wait_until_quiet(self, *, within: float = QUIET_SECONDS) -> None:
        """Return once every event has arrived and every requested read is done."""
        assert self.grows_quiet(within=within), json.dumps(self.status())[:3000]

    def grows_quiet(self, *, within: float) -> bool:
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if self._is_quiet():
                return True
            time.sleep(0.5)
        return False

    def _is_quiet(self) -> bool:
        if any(sandbox.events_under_way() for sandbox in self.sandboxes):
            return False
        status = self.status()
        sections = status["sections"].items()
        # Of several accounts each has a section of its own.
        unrouted = sum(one["waiting"] for key, one in sections if key.startswith("webhooks"))
        return not (unrouted or status["waiting"] or status["in_flight"])


class Sandbox:
    """The control interface of the sandbox (docs/sandbox.md)."""

    def __init__(self, port: int, *, owner: int = 1) -> None:
        self.port = port
        self.owner = owner
        self._control = f"/owners/{owner}/_sandbox" if owner > 1 else "/_sandbox"

    def get(self, path: str) -> Any:
        return self._call("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        return self._call("POST", path, body)

    def happen(self, what: str, **options: Any) -> list[dict[str, Any]]:
        """Make something happen; nothing where the world has no candidate for it."""
        try:
            happened: list[dict[str, Any]] = self.post("happen", what=what, **options)["happened"]
        except urllib.error.HTTPError as refusal:
            if refusal.code != 409:
                raise
            return []
        return happened

    def truth(self, kind: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = self.get(f"truth/{kind}?limit=5000&after={after}")
            items += page["items"]
            after = page["next_after"]
        return items

    def announced(self) -> set[str]:
        """The uuids that an event has named which arrived."""
        return {
            row["payload"]["uuid"] for row in self.deliveries() if row["outcome"] == "delivered"
        }

    def deliveries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        before = 0  # the newest first
        while page := self.get(f"deliveries?limit=5000&before={before}")["deliveries"]:
            found += page
            before = page[-1]["id"]
            if before == 1:
                break
        return found

    def totals(self) -> dict[str, int]:
        """How many deliveries came to which end."""
        totals: dict[str, int] = self.get("deliveries?limit=1")["totals"]
        return totals

    def events_under_way(self) -> int:
        totals = self.totals()
        return int(totals.get("waiting", 0) + totals.get("resending", 0))

    def journal(self) -> dict[str, Any]:
        journal: dict[str, Any] = self.get("journal?limit=1")
        return journal

    def faults_of_the_api(self) -> list[dict[str, Any]]:
        """What was set up to go wrong, and how often it did; mere latency is no fault."""
        faults = self.get("faults")["faults"]
        return [row for row in faults if "path" in row["match"] and len(row["effect"]) > 1]

    def remove_faults(self) -> None:
        self._call("DELETE", "faults")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(  # noqa: S310  # loopback, as built here
            f"http://127.0.0.1:{self.port}{self._control}/{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.loads(answer.read())


@contextmanager
def open_installation(
    *,
    seed: int,
    world: str = "tiny",
    processes: tuple[str, ...] = PROCESSES,
    owners: int = 1,
    web_workers: int = 1,
) -> Iterator[Installation]:
    """An installation that is set up and running, and whose sandbox knows where to send events.

    Web has one process here unless the faults are of several: each reads the whole product.
    """
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="couvert-installation-"))
        )
        environment = _environment(folder, stack) | {"WEB_WORKERS": str(web_workers)}
        installation = Installation(folder, environment, seed=seed, world=world, owners=owners)
        stack.callback(installation.stop)
        installation.start_sandbox()
        installation.set_up()
        installation.begin(processes)
        try:
            yield installation
        except BaseException:
            _keep_logs(folder)
            raise


def _environment(folder: Path, stack: ExitStack) -> dict[str, str]:
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return scratch_environment(folder)
    address = stack.enter_context(servers.private_redis())
    return scratch_environment(folder) | {
        "DATABASE_URL": stack.enter_context(servers.private_postgres(durable=True)),
        "CELERY_BROKER_URL": f"{address}/0",
        "CACHE_URL": f"{address}/1",
    }


def _keep_logs(folder: Path) -> None:
    for log in sorted(folder.glob("*.log")):
        print(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}")  # noqa: T201  # pytest shows it on a failure
