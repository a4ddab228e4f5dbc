"""Trial of a cluster on one machine: `make trial-cluster`, some minutes, as root.

PostgreSQL with a streaming replica, PgBouncer in transaction mode, Redis, two web nodes behind
HAProxy, three workers and two beats, each on a loopback address of its own. While bookings change
and a browser reads pages, one part after the other is killed. Prints what was late, lost, doubled.
"""

import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.cluster.nodes import Cluster, environment
from tests.cluster.servers import WEB, WEB_PORT, Servers
from tests.faults import storm, truth
from tests.faults.people import PASSWORD, Person
from tests.processes import wait_until_open

SEED = 1
PER_SECOND = 5.0
WITHIN = 180
PAGES = ("/", "/?zoom=list", "/reviews/", "/health/live")
PAGE_EVERY = 0.2
PROXY_CHECKS_TWICE = 6.0  # seconds, and a start of the web process
STORM_SECONDS = 8.0  # seconds of storm after each fault
BOB = f"""
from accounts.models import User
from restaurants.models import Group, Membership
bob = User.objects.create_user("bob@example.org", {PASSWORD!r})
Membership.objects.create(user=bob, group=Group.objects.first(), role="staff")
"""


class Outcome(NamedTuple):
    fault: str
    longest_without_page: float
    statuses: dict[int, int]
    stored_after: float


class Reader(threading.Thread):
    """A signed-in browser behind the proxy: counts its answers and its longest wait for a page."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._bob = Person(address, "bob@example.org")
        self._bob.sign_in()
        self._stops = threading.Event()
        self.begin()

    def begin(self) -> None:
        self.statuses = Counter[int]()
        self._served_at, self.longest = time.monotonic(), 0.0

    def run(self) -> None:
        number = 0
        while not self._stops.wait(PAGE_EVERY):
            number += 1
            self._read(PAGES[number % len(PAGES)])

    def _read(self, path: str) -> None:
        try:
            status = self._bob.get(path).status
        except OSError:  # no answer at all
            status = 0
        self.statuses[status] += 1
        if status == 200:
            now = time.monotonic()
            self.longest = max(self.longest, now - self._served_at)
            self._served_at = now

    def stop(self) -> None:
        self._stops.set()
        self.join()


class Storm(threading.Thread):
    """Bookings change at the service all the while, by a seed."""

    def __init__(self, cluster: Cluster, *, seed: int) -> None:
        super().__init__(daemon=True)
        self._cluster = cluster
        self._luck = random.Random(seed)  # noqa: S311  # a reproducible storm
        self._known = {kind: list(truth.ours(cluster, kind)) for kind in storm.NAMED.values()}
        self._stops = threading.Event()
        self.changes = 0

    def run(self) -> None:
        while not self._stops.wait(self._luck.expovariate(PER_SECOND)):
            self.changes += storm.happen_once(self._cluster, self._luck, self._known)

    def stop(self) -> None:
        self._stops.set()
        self.join()


def report(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a program for the terminal


def faults(cluster: Cluster, servers: Servers) -> Iterator[tuple[str, Callable[[], None]]]:
    """What is done, one after the other. Killed nodes come back with the next fault."""
    for name in ("web1", "web2", "worker1", "worker2", "beat1", "beat2"):
        yield f"kill -9 {name}", partial(cluster.kill, name)
        cluster.start(name)
        _wait_for_web()
    yield "kill -9 redis, back empty", partial(_restart_redis, servers)
    yield "kill -9 primary, replica promoted", partial(_fail_over, servers)


def _wait_for_web() -> None:
    """Until both nodes can work, and the proxy has checked each of them twice."""
    for host in WEB:
        wait_until_open(WEB_PORT, host=host, what=host)
    time.sleep(PROXY_CHECKS_TWICE)


def _restart_redis(servers: Servers) -> None:
    servers.kill("redis")
    servers.start_redis()


def _fail_over(servers: Servers) -> None:
    servers.kill("primary")
    servers.promote_replica()


def run(cluster: Cluster, servers: Servers, *, seed: int) -> None:
    reader, change = Reader(cluster.environment["PUBLIC_URL"]), Storm(cluster, seed=seed)
    reader.start()
    change.start()
    for name, strike in faults(cluster, servers):
        reader.begin()
        began = time.monotonic()
        strike()
        late = _wait_for_a_change(cluster, began=began)
        time.sleep(max(0.0, STORM_SECONDS - late))
        report(_line(Outcome(name, reader.longest, dict(reader.statuses), late)))
    change.stop()
    reader.stop()
    report(f"{change.changes:,} changes")


def _wait_for_a_change(cluster: Cluster, *, began: float) -> float:
    """Seconds until a change that happened after the fault is stored here."""
    rows = cluster.sandbox.happen("new_booking") or cluster.sandbox.happen("walk_in")
    uuid = str(rows[0]["reservation"])
    while time.monotonic() - began < WITHIN:
        try:
            if truth.is_equal_here(cluster, "reservation", uuid):
                break
        except AssertionError:
            pass  # not there yet, or no database
        time.sleep(0.2)
    return time.monotonic() - began


def _line(one: Outcome) -> str:
    counts = ", ".join(f"{count} × {status or 'none'}" for status, count in one.statuses.items())
    return (
        f"{one.fault:<36} longest without a page {one.longest_without_page:5.1f} s;"
        f" a change is stored after {one.stored_after:5.1f} s; answers: {counts}"
    )


@contextmanager
def open_cluster(*, seed: int) -> Iterator[tuple[Cluster, Servers]]:
    with tempfile.TemporaryDirectory(prefix="couvert-cluster-") as name:
        folder = Path(name)
        servers = Servers(folder)
        cluster = Cluster(folder, environment(folder), seed=seed, world="small")
        try:
            servers.start_all()
            cluster.start_sandbox()
            cluster.set_up()
            cluster.start_nodes()
            _wait_for_web()
            cluster.sandbox.post("webhook", url=cluster.webhook_url)
            yield cluster, servers
        except BaseException:
            for log in sorted(folder.glob("*.log")):
                report(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}")
            raise
        finally:
            cluster.stop()
            servers.stop()


def main(seed: int) -> int:
    with open_cluster(seed=seed) as (cluster, servers):
        since, until = truth.days(cluster)
        cluster.manage("backfill", "--since", since, "--until", until, "--wait")
        cluster.manage("shell", "--verbosity", "0", "-c", BOB)
        report(f"filled: {truth.compare(cluster)}")
        run(cluster, servers, seed=seed)
        cluster.wait_until_quiet(within=WITHIN)
        found = truth.compare(cluster)
        report(f"at the end: {found}; a beat took the lead {cluster.leaders()} times")
        return 0 if found.is_equal else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SEED))
