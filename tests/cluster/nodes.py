"""Couvert's processes as nodes of the cluster, each with an address or a disk folder of its own."""

import subprocess
from pathlib import Path

from tests.cluster import servers
from tests.faults.installation import Installation
from tests.processes import ROOT, scratch_environment

DIRECT = (
    f"postgres://couvert@{servers.PRIMARY}:{servers.POSTGRES_PORT},"
    f"{servers.REPLICA}:{servers.POSTGRES_PORT}/couvert?target_session_attrs=read-write"
)
NODES = ("web1", "web2", "worker1", "worker2", "worker3", "beat1", "beat2")


def environment(folder: Path) -> dict[str, str]:
    redis = f"redis://{servers.REDIS}:{servers.REDIS_PORT}"
    return scratch_environment(folder) | {
        "DATABASE_URL": f"postgres://couvert@{servers.POOLER}:{servers.POOLER_PORT}/couvert",
        "DATABASE_DIRECT_URL": DIRECT,
        "CELERY_BROKER_URL": f"{redis}/0",
        "CACHE_URL": f"{redis}/1",
        "PUBLIC_URL": f"http://{servers.PROXY}:{servers.PROXY_PORT}",
        "ALLOWED_HOSTS": servers.PROXY,
        "BEHIND_PROXY": "true",
        "LOG_LEVEL": "WARNING",
    }


class Cluster(Installation):
    """An installation of several nodes. What a node may write stands in its own folder."""

    def start_nodes(self) -> None:
        for name in NODES:
            self.start(name)

    def start(self, name: str) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        own = {"VAR_DIR": str(folder), "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics")}
        if name.startswith("web"):
            host = servers.WEB[int(name[-1]) - 1]
            own |= {"WEB_HOST": host, "WEB_PORT": str(servers.WEB_PORT), "WEB_WORKERS": "1"}
            self._collect_static(own)
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [str(ROOT / "bin" / "process"), name[:-1]],
                cwd=ROOT,
                env=self.environment | own,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _collect_static(self, own: dict[str, str]) -> None:
        """A web node serves its own copy: there is no shared disk."""
        if (Path(own["VAR_DIR"]) / "static" / "staticfiles.json").exists():
            return
        subprocess.run(
            [str(ROOT / ".venv/bin/python"), "manage.py", "collectstatic", "--no-input", "-v", "0"],
            cwd=ROOT,
            env=self.environment | own,
            check=True,
        )

    def leaders(self) -> int:
        """How often a beat has taken the lead."""
        logs = [self.folder / f"{name}.log" for name in NODES if name.startswith("beat")]
        return sum(log.read_text().count("This beat leads") for log in logs if log.exists())

    def _make_database(self) -> None:
        self.manage("migrate", "--verbosity", "0")
