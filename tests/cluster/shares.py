"""What more nodes carry: events and reads a second of one node and of several.

Two cores cannot run six nodes at full pace side by side, so each gets a small share of one
(`quotas`): then nodes are scarce, and what they share is not.
"""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

import psycopg

from tests.bench.load import CONNECTIONS, Sender
from tests.cluster import quotas
from tests.cluster.nodes import Cluster
from tests.cluster.servers import PRIMARY, Servers, address
from tests.faults import truth

WEB, WORKERS = ("web1", "web2"), ("worker1", "worker2", "worker3")
SHARES = {WEB: 0.1, WORKERS: 0.15}  # of a core; with more, something else is the limit
ROUNDS = 3
WITHIN = 300.0  # seconds
STARTED = 15.0  # seconds until a worker takes its first task
LOOK_EVERY = 0.1
KIND = {"entityType": "reservation", "eventType": "reservationUpdated"}
UNREAD = """
SELECT (SELECT count(*) FROM webhooks_delivery WHERE state = 'new') + (
    SELECT count(*) FROM mirror_syncrequest
    WHERE state IN ('waiting', 'working') AND served < request_count)
"""
READS = "SELECT sum(fetch_no) FROM mirror_syncrequest"


class Pace(NamedTuple):
    """What some nodes did in a second, and of the time in which they wanted to run the part that
    they had to wait for their share."""

    a_second: float
    waited: dict[str, float]

    def __str__(self) -> str:
        waited = ", ".join(f"{name} {part:.0%}" for name, part in self.waited.items())
        return f"{self.a_second:.0f} a second (at their limit: {waited})"


class Trial:
    """One cluster, whose nodes are taken out and in again."""

    def __init__(self, cluster: Cluster, servers: Servers) -> None:
        self.cluster = cluster
        self.servers = servers
        uuids = truth.ours(cluster, "reservation")
        self.bodies = [json.dumps(KIND | {"uuid": uuid}) for uuid in uuids]

    def events(self, nodes: tuple[str, ...]) -> Pace:
        """Events taken in by web nodes while no worker runs; then they are read by all."""
        with (
            self._only(WORKERS, ()),
            self._drained(WEB, nodes),
            self._limited(nodes, SHARES[WEB]) as quota,
        ):
            began = time.monotonic()
            self._send()
            pace = len(self.bodies) / (time.monotonic() - began)
            found = Pace(pace, _waited(quota))
        self._wait_until_read()
        return found

    def reads(self, nodes: tuple[str, ...]) -> Pace:
        """Reads by workers once all events are there, so that no node is without work."""
        with self._only(WORKERS, nodes), self._limited(nodes, SHARES[WORKERS]) as quota:
            self._send()
            before, began = _ask(READS), time.monotonic()
            self._wait_until_read()
            pace = (_ask(READS) - before) / (time.monotonic() - began)
            return Pace(pace, _waited(quota))

    def _send(self) -> None:
        """One event about each booking, as fast as they are taken in."""
        sender = Sender(self.cluster.webhook_url, bodies=self.bodies, headers={})
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            for answer in [pool.submit(sender.send) for _ in self.bodies]:
                answer.result()

    def _wait_until_read(self) -> None:
        deadline = time.monotonic() + WITHIN
        while unread := _ask(UNREAD):
            assert time.monotonic() < deadline, f"{unread} are not read"
            time.sleep(LOOK_EVERY)

    @contextmanager
    def _only(self, all_of_them: tuple[str, ...], nodes: tuple[str, ...]) -> Iterator[None]:
        others = [name for name in all_of_them if name not in nodes]
        for name in others:
            self.cluster.end(name)
        yield
        for name in others:
            self.cluster.start(name)
        time.sleep(STARTED)

    @contextmanager
    def _drained(self, all_of_them: tuple[str, ...], nodes: tuple[str, ...]) -> Iterator[None]:
        """The proxy sends the others nothing."""
        others = [name for name in all_of_them if name not in nodes]
        for name in others:
            self.servers.set_state(name, "drain")
        yield
        for name in others:
            self.servers.set_state(name, "ready")

    @contextmanager
    def _limited(self, nodes: tuple[str, ...], share: float) -> Iterator[dict[str, quotas.Quota]]:
        running = self.cluster.processes()
        with quotas.limited({name: running[name] for name in nodes}, share=share) as quota:
            yield quota


def compare(cluster: Cluster, servers: Servers) -> Iterator[str]:
    """One web node and two, one worker and three, in turn."""
    trial = Trial(cluster, servers)
    for all_of_them, measure, what in (
        (WEB, trial.events, "events"),
        (WORKERS, trial.reads, "reads"),
    ):
        few, many = list[float](), list[float]()
        for _round in range(ROUNDS):
            for nodes, paces in ((all_of_them[:1], few), (all_of_them, many)):
                found = measure(nodes)
                paces.append(found.a_second)
                yield f"{what} of {len(nodes)}: {found}"
        ratio = median(many) / median(few)
        yield f"{what}: {len(all_of_them)} nodes carry {ratio:.2f} × of one"


def _waited(quota: dict[str, quotas.Quota]) -> dict[str, float]:
    periods = {name: one.periods() for name, one in quota.items()}
    return {name: waited / (wanted or 1) for name, (wanted, waited) in periods.items()}


def _ask(query: str) -> int:
    with psycopg.connect(address(PRIMARY)) as server:
        row = server.execute(query).fetchone()
    return int(row[0]) if row else 0
