"""A rolling upgrade and the way back: node after node, while people read, write and events come.

The nodes of an earlier revision are replaced by those of this one, whose migrations run first; then
the earlier code comes back, on the new tables.
"""

import io
import subprocess
import tarfile
import time
from pathlib import Path

from tests.cluster.nodes import DRAIN_SECONDS, NODES, Cluster
from tests.cluster.servers import WEB, WEB_PORT, Servers
from tests.cluster.traffic import Traffic
from tests.processes import ROOT, wait_until_ready

REQUESTS = 10_000
READERS = 6
STORM_SECONDS = 300
MIGRATIONS = "*/migrations/0*.py"


def before_last_migration() -> str:
    """The last revision whose tables are older than ours, so that an upgrade has to migrate."""
    newest = _git("log", "-1", "--format=%H", "--", MIGRATIONS).decode().strip()
    return _git("rev-parse", f"{newest}^").decode().strip()


def export(revision: str, *, to: Path) -> Path:
    """The code of a revision in a folder of its own, with the libraries of this one."""
    folder = to / f"code-{revision[:8]}"
    with tarfile.open(fileobj=io.BytesIO(_git("archive", revision))) as archive:
        archive.extractall(folder, filter="data")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    program = folder / ".venv/bin/python"
    subprocess.run([program, "-m", "bin.messages", "compile"], cwd=folder, check=True)
    return folder


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def roll(cluster: Cluster, servers: Servers, code: Path) -> None:
    """The documented steps: one node after the other, and the next once this one is ready."""
    by_hand = not drains(cluster.code)
    cluster.code = code
    for name in NODES:
        is_web = name.startswith("web")
        if is_web and by_hand:
            servers.set_state(name, "drain")
            time.sleep(DRAIN_SECONDS)
        cluster.end(name)
        cluster.start(name)
        if is_web and by_hand:
            servers.set_state(name, "ready")
        if is_web:
            wait_until_served(name)


def drains(code: Path) -> bool:
    """Whether a node of this code announces its end to the proxy."""
    return "DRAIN_SECONDS" in (code / "bin" / "process").read_text()


def wait_until_served(name: str) -> None:
    """Ready, and the proxy has noticed: it checks every two seconds, and wants two good answers."""
    wait_until_ready(WEB[int(name[-1]) - 1], WEB_PORT)
    time.sleep(5)


def there_and_back(cluster: Cluster, servers: Servers, traffic: Traffic, earlier: Path) -> None:
    """At least 10,000 requests are under way meanwhile: a third before, between and after."""
    _wait_for(traffic, REQUESTS // 3)
    migrate(cluster)
    roll(cluster, servers, ROOT)
    _wait_for(traffic, 2 * REQUESTS // 3)
    roll(cluster, servers, earlier)
    _wait_for(traffic, REQUESTS)


def migrate(cluster: Cluster) -> None:
    earlier, cluster.code = cluster.code, ROOT
    cluster.migrate()
    cluster.code = earlier


def _wait_for(traffic: Traffic, number: int) -> None:
    deadline = time.monotonic() + STORM_SECONDS
    while traffic.answers.total.total() < number and time.monotonic() < deadline:
        time.sleep(0.2)
