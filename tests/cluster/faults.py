"""One part after the other fails, under traffic: how long was no page served, no event stored?"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from operator import le
from typing import NamedTuple

import psycopg

from tests.cluster import network
from tests.cluster.nodes import DIRECT, Cluster
from tests.cluster.servers import REPLICA, WEB, WEB_PORT, Servers, address
from tests.cluster.traffic import Repeating, Traffic
from tests.processes import wait_until_ready

NODES_TO_KILL = ("web1", "web2", "worker1", "worker2", "beat1", "beat2")
FAR = ("web1", "web2", "worker1", "worker2", "worker3")
PROXY_CHECKS_TWICE = 5.0  # seconds
LASTS = 10.0  # seconds
AFTERWARDS = 4.0  # seconds
LOOK_EVERY = 0.2
RESTART_SECONDS = 1.0  # as in deploy/systemd
ROUND_TRIP, LOSS = 50.0, 0.05
AHEAD = 300  # seconds
# Each stored change is announced; a sequence is no clock.
STORED = "SELECT max(id) FROM live_announcement"
# By this node itself: what its own readers looked at.
SCANS = "SELECT sum(seq_scan + coalesce(idx_scan, 0)) FROM pg_stat_user_tables"
Limits = tuple[float, float]


class Fault(NamedTuple):
    """What is broken for a while, and the longest seconds without a page and a stored event."""

    name: str
    broken: Callable[[], AbstractContextManager[None]]
    limits: Limits
    lasts: float = LASTS


class StoredEvents:
    """The longest time between two stored changes, looked up past the pooler."""

    def __init__(self) -> None:
        self._thread = Repeating(self._look, pause=lambda: LOOK_EVERY)
        self._newest = 0
        self.begin()

    def begin(self) -> None:
        self._stored_at, self._longest = time.monotonic(), 0.0

    @property
    def longest(self) -> float:
        return max(self._longest, time.monotonic() - self._stored_at)

    def _look(self) -> None:
        try:
            with psycopg.connect(DIRECT, connect_timeout=2) as server:
                [newest] = server.execute(STORED).fetchone() or [0]
        except psycopg.OperationalError:
            return
        if newest != self._newest:
            now = time.monotonic()
            self._longest = max(self._longest, now - self._stored_at)
            self._stored_at, self._newest = now, newest

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._thread.stop()


def faults(cluster: Cluster, servers: Servers) -> list[Fault]:
    """What is broken, one after the other; the primary last, because it does not come back."""
    killed = [
        Fault(f"kill -9 {name}", partial(_killed, cluster, name), (3, 60)) for name in NODES_TO_KILL
    ]
    return [
        *killed,
        Fault("kill -9 redis, back empty", partial(_redis_restarted, servers), (5, 5)),
        Fault("network of web1 cut", partial(_cut, "web1"), (10, 60)),
        Fault("network of worker1 cut", partial(_cut, "worker1"), (3, 60)),
        Fault("web1 sends nothing", partial(_cut, "web1", ways=("out",)), (10, 60)),
        Fault("primary and replica cut off", partial(_apart, servers), (30, 30), 20),
        Fault("replica hears, is not heard", partial(_apart, servers, ways=("in",)), (30, 30), 20),
        Fault("replica cut off from all", partial(_replica_away, servers), (30, 30), 20),
        Fault("50 ms and 5 % loss", partial(_slow, cluster), (10, 60), 30),
        Fault("clock of a node is 5 min ahead", partial(_clock, cluster, AHEAD), (3, 60), 30),
        Fault("clock of a node is 5 min behind", partial(_clock, cluster, -AHEAD), (3, 60), 30),
        Fault("disk of the database full", partial(_full_disk, servers), (30, 30)),
        Fault("kill -9 primary, replica promoted", partial(_failed_over, servers), (30, 30)),
    ]


@contextmanager
def _killed(cluster: Cluster, name: str) -> Iterator[None]:
    cluster.kill(name)
    yield
    cluster.start(name)
    if name.startswith("web"):
        wait_for_web()


def wait_for_web() -> None:
    """Until both nodes can work, and the proxy has checked each of them twice."""
    for host in WEB:
        wait_until_ready(host, WEB_PORT)
    time.sleep(PROXY_CHECKS_TWICE)


@contextmanager
def _redis_restarted(servers: Servers) -> Iterator[None]:
    servers.kill("redis")
    servers.start_redis()
    yield


@contextmanager
def _cut(node: str, *, ways: tuple[str, ...] = ("in", "out")) -> Iterator[None]:
    network.cut(node, ways=ways)
    yield
    network.mend(node)


@contextmanager
def _apart(servers: Servers, *, ways: tuple[str, ...] = ("in", "out")) -> Iterator[None]:
    """The documented step: whoever sees that the replica is away lets the primary go on alone."""
    network.cut("primary", other="replica", ways=ways)
    with _alone(servers):
        yield
        network.mend("primary")


@contextmanager
def _replica_away(servers: Servers) -> Iterator[None]:
    """Web nodes that read insights and exports there are left without an answer."""
    network.cut("replica")
    with _alone(servers):
        yield
        network.mend("replica")


@contextmanager
def _alone(servers: Servers) -> Iterator[None]:
    time.sleep(AFTERWARDS)
    servers.wait_for_replica(False)
    yield
    servers.wait_until_streaming()
    servers.wait_for_replica(True)


@contextmanager
def _slow(cluster: Cluster) -> Iterator[None]:
    """Between the nodes of Couvert and everything else."""
    late = {"milliseconds": ROUND_TRIP / 2, "loss": LOSS}
    with network.slow(*FAR, folder=cluster.folder, **late):
        yield


@contextmanager
def _clock(cluster: Cluster, seconds: int) -> Iterator[None]:
    for name in ("web1", "worker1"):
        cluster.set_clock(name, seconds)
    yield
    for name in ("web1", "worker1"):
        cluster.set_clock(name, 0)


@contextmanager
def _full_disk(servers: Servers) -> Iterator[None]:
    servers.fill_disk()
    yield
    servers.free_disk()


@contextmanager
def _failed_over(servers: Servers) -> Iterator[None]:
    servers.kill("primary")
    servers.promote_replica()
    yield


def run(faults: list[Fault], traffic: Traffic, cluster: Cluster) -> Iterator[tuple[str, bool]]:
    """A line for each fault, and whether it kept its limits. Ended nodes are started again."""
    systemd = Repeating(cluster.start_ended, pause=lambda: RESTART_SECONDS)
    systemd.start()
    stored = StoredEvents()
    stored.start()
    for fault in faults:
        scans = scans_at_replica()
        traffic.answers.begin()
        stored.begin()
        with fault.broken():
            time.sleep(fault.lasts)
        time.sleep(AFTERWARDS)
        found = traffic.answers.longest, stored.longest
        read = scans_at_replica() - scans
        yield _line(fault, found, traffic, read), all(map(le, found, fault.limits))
    stored.stop()
    systemd.stop()


def scans_at_replica() -> int:
    with psycopg.connect(address(REPLICA)) as server:
        row = server.execute(SCANS).fetchone()
    return int(row[0]) if row else 0


def _line(fault: Fault, found: Limits, traffic: Traffic, read: int) -> str:
    counts = ", ".join(f"{n} × {code or 'none'}" for code, n in traffic.answers.statuses.items())
    return (
        f"{fault.name:<34} longest without a page {found[0]:5.1f} s (limit {fault.limits[0]:g}),"
        f" without a stored event {found[1]:5.1f} s (limit {fault.limits[1]:g}); {counts};"
        f" {read:,} scans at the replica"
    )
