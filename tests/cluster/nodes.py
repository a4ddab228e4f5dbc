"""Couvert's processes as nodes of the cluster, each with an own address and folder."""

import signal
import subprocess
from pathlib import Path
from typing import Any

from tests.cluster import servers
from tests.cluster.network import ADDRESSES, inside, lead_to_service
from tests.faults.installation import Installation
from tests.processes import ROOT, scratch_environment

DIRECT = (
    f"postgres://couvert@{servers.PRIMARY}:{servers.POSTGRES_PORT},"
    f"{servers.REPLICA}:{servers.POSTGRES_PORT}/couvert?target_session_attrs=read-write"
)
SET_CLOCK = ROOT / "tests" / "faults" / "set_clock"
REPLICA_URL = f"postgres://couvert@{servers.REPLICA}:{servers.POSTGRES_PORT}/couvert"
DRAIN_SECONDS = 4  # two checks of the proxy
STOP_SECONDS = 40  # as in deploy/systemd
NODES = ("web1", "web2", "worker1", "worker2", "worker3", "beat1", "beat2")


def environment(folder: Path) -> dict[str, str]:
    redis = f"redis://{servers.REDIS}:{servers.REDIS_PORT}"
    return scratch_environment(folder) | {
        "DATABASE_URL": f"postgres://couvert@{servers.POOLER}:{servers.POOLER_PORT}/couvert",
        "DATABASE_DIRECT_URL": DIRECT,
        "DATABASE_REPLICA_URL": REPLICA_URL,
        "CELERY_BROKER_URL": f"{redis}/0",
        "CACHE_URL": f"{redis}/1",
        "PUBLIC_URL": f"http://{servers.PROXY}:{servers.PROXY_PORT}",
        "ALLOWED_HOSTS": servers.PROXY,
        "BEHIND_PROXY": "true",
        "LOG_LEVEL": "WARNING",
    }


class Cluster(Installation):
    """An installation of several nodes. What a node may write stands in its own folder."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # The code that nodes are started with.
        self.code = ROOT

    def start_sandbox(self, *options: str) -> None:
        super().start_sandbox("--host", "0.0.0.0", "--any-host", *options)  # noqa: S104  # a bridge
        lead_to_service(self.sandbox.port)

    def start_nodes(self) -> None:
        for name in NODES:
            self.start(name)

    def start(self, name: str) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        own = {"VAR_DIR": str(folder), "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics")}
        if not (folder / "clock").exists():
            self.set_clock(name, 0)
        own |= {"CLOCK_FILE": str(folder / "clock"), "PYTHONPATH": str(SET_CLOCK)}
        if name.startswith("web"):
            own |= {
                "WEB_HOST": ADDRESSES[name],
                "WEB_PORT": str(servers.WEB_PORT),
                "WEB_WORKERS": "1",
            }
            own |= {"DRAIN_SECONDS": str(DRAIN_SECONDS)}
            self._collect_static(own)
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [*inside(name), str(self.code / "bin" / "process"), name[:-1]],
                cwd=self.code,
                env=self.environment | own,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_ended(self) -> None:
        """As systemd does with a process that has ended by itself."""
        for name in [one for one in NODES if one in self._running]:
            process = self._running.get(name)
            if process and process.poll() is not None:
                self.start(name)

    def set_clock(self, name: str, seconds: int) -> None:
        """The system clock of one node alone, by as many seconds from the right time."""
        clock = self.folder / name / "clock"
        fresh = clock.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(clock)

    def end(self, name: str) -> None:
        """As systemd does: a signal to the first process, and a while to finish."""
        process = self._running.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=STOP_SECONDS)

    def manage(self, *words: str) -> str:
        """With the code that nodes are started with."""
        if self.code == ROOT:
            return super().manage(*words)
        return self._run(self.environment, *words)

    def migrate(self) -> None:
        """Of the code that nodes are started with."""
        self._run(self.environment, "migrate", "--verbosity", "0")

    def _collect_static(self, own: dict[str, str]) -> None:
        """A web node serves its own copy: there is no shared disk."""
        mark = Path(own["VAR_DIR"]) / "collected"
        if not mark.exists() or mark.read_text() != self.code.name:
            self._run(self.environment | own, "collectstatic", "--no-input", "--verbosity", "0")
            mark.write_text(self.code.name)

    def _run(self, env: dict[str, str], *words: str) -> str:
        command = [str(self.code / ".venv/bin/python"), "manage.py", *words]
        done = subprocess.run(command, cwd=self.code, env=env, capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stderr[-4000:]}"
        return done.stdout

    def leaders(self) -> int:
        """How often a beat has taken the lead."""
        logs = [self.folder / f"{name}.log" for name in NODES if name.startswith("beat")]
        return sum(log.read_text().count("This beat leads") for log in logs if log.exists())

    def _make_database(self) -> None:
        self.migrate()
