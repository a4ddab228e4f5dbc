"""What more nodes carry: the processor time of each node for the same events.

Two cores cannot run six nodes at full pace side by side. But a node that has a core of its own is
full when its processor time is, so the busiest node of a kind bounds what all of its kind carry
together: how many events the web nodes take in, how many reads the workers make.
"""

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.bench.load import CONNECTIONS, Sender
from tests.cluster import faults
from tests.cluster.nodes import Cluster
from tests.cluster.servers import PRIMARY, address
from tests.faults import truth

MORE = ("web2", "worker2", "worker3")
WITHIN = 300.0  # seconds
LOOK_EVERY = 0.5
KIND = {"entityType": "reservation", "eventType": "reservationUpdated"}
TICKS = os.sysconf("SC_CLK_TCK")
SESSION, USER, SYSTEM, THEIR_CHILDREN = 3, 11, 12, (13, 14)  # of /proc/PID/stat after the name
UNREAD = """
SELECT (SELECT count(*) FROM webhooks_delivery WHERE state = 'new') + (
    SELECT count(*) FROM mirror_syncrequest
    WHERE state IN ('waiting', 'working') AND served < request_count)
"""
READS = "SELECT sum(fetch_no) FROM mirror_syncrequest"


class Carried(NamedTuple):
    """What some nodes did, and the processor seconds of each."""

    events: int
    reads: int
    seconds: dict[str, float]

    def each(self, name: str) -> float:
        """Milliseconds of a web node for an event, of another for a read."""
        number = self.events if name.startswith("web") else self.reads
        return 1000 * self.seconds[name] / number

    def busiest(self, kind: str) -> float:
        return max(self.each(name) for name in self.seconds if name.startswith(kind))

    def __str__(self) -> str:
        spent = ", ".join(f"{name} {self.each(name):.2f}" for name in self.seconds)
        return (
            f"{self.events:,} events, {self.reads:,} reads; processor time of each in ms: {spent}"
        )


def compare(cluster: Cluster) -> Iterator[str]:
    """With one web node and one worker, and with two and three."""
    bodies = [json.dumps(KIND | {"uuid": uuid}) for uuid in truth.ours(cluster, "reservation")]
    for name in MORE:
        cluster.end(name)
    few = _carry(cluster, bodies)
    yield f"one and one: {few}"
    for name in MORE:
        cluster.start(name)
    faults.wait_for_web()
    many = _carry(cluster, bodies)
    yield f"two and three: {many}"
    for kind, what in (("web", "events"), ("worker", "reads")):
        ratio = few.busiest(kind) / many.busiest(kind)
        nodes = sum(name.startswith(kind) for name in many.seconds)
        yield f"{nodes} {kind} nodes with a core each: {ratio:.2f} × the {what} of one"


def _carry(cluster: Cluster, bodies: list[str]) -> Carried:
    """One event about each booking, as fast as they are taken in, until all are read."""
    before, reads = _seconds(cluster), _ask(READS)
    sender = Sender(cluster.webhook_url, bodies=bodies, headers={})
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for answer in [pool.submit(sender.send) for _ in bodies]:
            answer.result()
    deadline = time.monotonic() + WITHIN
    while _ask(UNREAD):
        assert time.monotonic() < deadline, f"{_ask(UNREAD)} are not read"
        time.sleep(LOOK_EVERY)
    spent = {name: after - before[name] for name, after in _seconds(cluster).items()}
    return Carried(len(bodies), _ask(READS) - reads, spent)


def _ask(query: str) -> int:
    with psycopg.connect(address(PRIMARY)) as server:
        row = server.execute(query).fetchone()
    return int(row[0]) if row else 0


def _seconds(cluster: Cluster) -> dict[str, float]:
    """Of processor time: of each node's session of processes."""
    leaders = {pid: name for name, pid in cluster.processes().items() if name != "sandbox"}
    found = dict.fromkeys(leaders.values(), 0.0)
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            facts = file.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if name := leaders.get(int(facts[SESSION])):
            ticks = int(facts[USER]) + int(facts[SYSTEM])
            ticks += sum(int(facts[at]) for at in THEIR_CHILDREN)
            found[name] += ticks / TICKS
    return found
