"""Back to a moment before a mistake: base backup, archived WAL, and what the service says since."""

import hashlib
import time

import psycopg

from tests.cluster.nodes import NODES, Cluster
from tests.cluster.servers import PRIMARY, Servers, address
from tests.cluster.traffic import Traffic
from tests.cluster.verdict import wait_until_sent
from tests.faults import truth

STORM_SECONDS = 15.0
QUIET_SECONDS = 120
MISTAKE = "UPDATE reservations_reservation SET party_size = 99; DELETE FROM outbox_intent"
# What waited to be sent at the moment was sent since: it must not be sent again.
WITHDRAW = """
from django.utils import timezone
from outbox import engine
from outbox.models import Intent
for intent in Intent.objects.open():
    engine.withdraw(intent, now=timezone.now())
"""
# What is here alone, and what is copied.
TABLES = ("outbox_intent", "accounts_user", "webhooks_delivery", "reservations_reservation")


def back_to_before_the_mistake(cluster: Cluster, servers: Servers, *, seed: int) -> list[str]:
    """What was seen, one sentence each. Raises if the tables are not those of the moment."""
    servers.take_base_backup()
    _storm(cluster, seed)
    moment, before = _look()
    _storm(cluster, seed + 1)
    _make_the_mistake()

    for name in NODES:
        cluster.end(name)
    began = time.monotonic()
    servers.restore(moment)
    restored = time.monotonic() - began
    after = _look()[1]
    assert after == before, f"{before} is now {after}"
    cluster.manage("shell", "--verbosity", "0", "-c", WITHDRAW)
    for name in NODES:
        cluster.start(name)
    since, until = truth.days(cluster)
    cluster.manage("backfill", "--since", since, "--until", until, "--wait")
    cluster.wait_until_quiet(within=QUIET_SECONDS)
    return [
        f"restored to {moment} in {restored:.1f} s; {len(TABLES)} tables as they were",
        f"works again and has read what came since after {time.monotonic() - began:.1f} s",
    ]


def _storm(cluster: Cluster, seed: int) -> None:
    traffic = Traffic(cluster, seed=seed)
    traffic.start()
    time.sleep(STORM_SECONDS)
    traffic.stop()
    wait_until_sent(cluster)
    cluster.wait_until_quiet(within=QUIET_SECONDS)


def _look() -> tuple[str, dict[str, str]]:
    """The time of the database, and a fingerprint of each table."""
    with psycopg.connect(address(PRIMARY)) as server:
        found = {table: _fingerprint(server, table) for table in TABLES}
        row = server.execute("SELECT clock_timestamp()::text").fetchone()
    assert row
    return str(row[0]), found


def _fingerprint(server: psycopg.Connection, table: str) -> str:
    rows = server.execute(f"SELECT t::text FROM {table} t ORDER BY 1").fetchall()  # noqa: S608  # ours
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:12]


def _make_the_mistake() -> None:
    with psycopg.connect(address(PRIMARY)) as server:
        server.execute(MISTAKE)
