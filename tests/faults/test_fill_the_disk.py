"""A full disk, a frozen database and a broker without memory: reported at once, over by itself."""

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.faults.installation import Installation, open_installation

pytestmark = pytest.mark.faults

ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")
WITHIN = 60  # seconds
EVENT = {"entityType": "reservation", "eventType": "reservationUpdated"}
FOLDER = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW data_directory")
    print(cursor.fetchone()[0])
"""
COUNT = "from webhooks.models import Delivery; print(Delivery.objects.count())"


def ask(address: str, body: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    """Status and JSON of an answer; 0 for none within five seconds."""
    data = json.dumps(body).encode() if body else None
    headers = {"Content-Type": "application/json"} if body else {}
    request = urllib.request.Request(address, data=data, headers=headers)  # noqa: S310 - our own
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - our own loopback
            return answer.status, _json(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _json(error.read())
    except OSError:
        return 0, {}


def _json(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def becomes(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + WITHIN
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.25)
    return True


def probe(installation: Installation, name: str) -> tuple[int, dict[str, Any]]:
    return ask(f"{installation.environment['PUBLIC_URL']}/health/{name}")


def send_event(installation: Installation) -> int:
    return ask(installation.webhook_url, EVENT | {"uuid": "7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33"})[
        0
    ]


def children_of(leader: int) -> set[int]:
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            facts = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(facts[1]) == leader:
                found.add(int(folder.name))
    return found


def is_running(process: int) -> bool:
    """Not ended, and not waiting for its parent to notice."""
    facts = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
    return facts[0] != "Z"


@pytest.fixture
def small_disk(tmp_path, monkeypatch) -> Iterator[Path]:
    """A small disk of its own for the data of the installation."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("No disk can be mounted here.")
    monkeypatch.setattr("tempfile.tempdir", str(disk))
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(64 * 1024))
    try:
        yield
    finally:
        filler.unlink()


@pytest.mark.skipif(ON_POSTGRES, reason="The servers live on this disk too: they have their own.")
def test_a_full_disk_is_reported_and_over_when_there_is_space(small_disk, monkeypatch):
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    with open_installation(seed=10, processes=()) as installation:
        del installation.environment["PROMETHEUS_MULTIPROC_DIR"]  # as in production
        installation.collect_static()
        installation.begin(("web",))
        assert becomes(lambda: probe(installation, "ready")[0] == 200)
        processes = children_of(installation.processes()["web"])
        acknowledged = [send_event(installation) for _ in range(20)].count(200)

        with full(small_disk):
            assert becomes(lambda: probe(installation, "ready")[0] == 503)
            assert "disk" in probe(installation, "ready")[1]["failed"]
            for _ in range(100):  # each is counted in the figures
                assert probe(installation, "live")[0] == 200
            refused = [send_event(installation) for _ in range(20)]
            acknowledged += refused.count(200)
            assert refused.count(503) > 0

        assert becomes(lambda: probe(installation, "ready")[0] == 200)
        assert send_event(installation) == 200
        assert children_of(installation.processes()["web"]) == processes
        kept = int(installation.manage("shell", "--verbosity", "0", "-c", COUNT))
        assert kept >= acknowledged + 1


@pytest.mark.skipif(not ON_POSTGRES, reason="SQLite has no server that could freeze.")
def test_a_frozen_database_is_reported_within_two_seconds():
    with open_installation(seed=10, processes=()) as installation:
        installation.collect_static()
        installation.begin(("web",))
        assert becomes(lambda: probe(installation, "ready")[0] == 200)
        folder = installation.manage("shell", "--verbosity", "0", "-c", FOLDER).split()[-1]
        leader = int((Path(folder) / "postmaster.pid").read_text().split()[0])
        servers = {leader, *children_of(leader)}
        for server in servers:
            os.kill(server, signal.SIGSTOP)
        try:
            for _ in range(3):  # the second probe does not wait behind the first
                started = time.monotonic()
                status, body = probe(installation, "ready")
                assert (status, time.monotonic() - started < 2) == (503, True)
                assert "database" in body["failed"]
            assert probe(installation, "live")[0] == 200
        finally:
            for server in servers:
                os.kill(server, signal.SIGCONT)

        assert becomes(lambda: probe(installation, "ready")[0] == 200)


def without_memory(broker: redis.Redis, worker: int) -> None:
    """The worker finds a full server when it comes for what beat has offered meanwhile."""
    broker.config_set("maxmemory-policy", "noeviction")
    os.killpg(worker, signal.SIGSTOP)
    time.sleep(5)
    broker.config_set("maxmemory", "1")
    os.killpg(worker, signal.SIGCONT)


def read_only(broker: redis.Redis, _worker: int) -> None:
    """As the former primary is after a fail-over."""
    broker.replicaof("127.0.0.1", "1")


def as_before(broker: redis.Redis) -> None:
    broker.config_set("maxmemory", "0")
    broker.replicaof("NO", "ONE")


@pytest.mark.skipif(not ON_POSTGRES, reason="The broker of files refuses nothing.")
def test_a_broker_that_refuses_ends_no_worker():
    waiting = "from webhooks.models import Delivery as D; print(D.objects.waiting().count())"
    with open_installation(seed=10, processes=()) as installation:
        installation.collect_static()
        installation.begin()
        broker = redis.Redis.from_url(installation.environment["CELERY_BROKER_URL"])
        acknowledged = 0
        for refuse in (without_memory, read_only):
            assert becomes(lambda: probe(installation, "ready")[1] == {"status": "ready"})
            refuse(broker, installation.processes()["worker"])
            acknowledged += [send_event(installation) for _ in range(20)].count(200)
            time.sleep(15)  # several rounds of beat, each refused
            as_before(broker)

            assert becomes(lambda: probe(installation, "ready")[1] == {"status": "ready"})
            assert all(is_running(process) for process in installation.processes().values())
        assert becomes(
            lambda: (
                installation.manage("shell", "--verbosity", "0", "-c", waiting).split()[-1] == "0"
            )
        )
        kept = int(installation.manage("shell", "--verbosity", "0", "-c", COUNT))
        assert kept >= acknowledged
