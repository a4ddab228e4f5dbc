"""Back to a moment before a mistake: base backup, archived WAL, and what the service says since."""

import hashlib
import time
from collections.abc import Iterator

import psycopg

from tests.cluster import faults
from tests.cluster.nodes import NODES, Cluster
from tests.cluster.result import doubled, not_there, wait_until_sent
from tests.cluster.servers import PRIMARY, Servers, address
from tests.cluster.traffic import Traffic
from tests.faults import truth

STORM_SECONDS = 15.0
QUIET_SECONDS = 120
WORKERS = tuple(name for name in NODES if name.startswith("worker"))
LOOKS = 20
MISTAKE = "UPDATE reservations_reservation SET party_size = 99; DELETE FROM outbox_intent"
# What is here alone, and what is copied.
TABLES = ("outbox_intent", "accounts_user", "webhooks_delivery", "reservations_reservation")


def back_to_before_the_mistake(cluster: Cluster, servers: Servers, *, seed: int) -> Iterator[str]:
    """A sentence for each step. Raises if something is not as it was, lost or sent twice."""
    traffic = Traffic(cluster, seed=seed)
    servers.take_base_backup()
    _storm(cluster, traffic)
    for name in WORKERS:
        cluster.end(name)
    traffic.writer.write()  # it waits to be sent at the moment, and is sent later
    moment, before = _look()
    known = cluster.sandbox.announced()
    for name in WORKERS:
        cluster.start(name)
    _storm(cluster, traffic)
    _make_the_mistake()
    for name in NODES:
        cluster.end(name)
    forgotten = cluster.sandbox.announced() - known
    began = time.monotonic()
    servers.restore(moment)
    after = _look()[1]
    assert after == before, f"{before} is now {after}"
    yield f"to {moment} in {_seconds(began)}; {len(TABLES)} tables are as they were"
    stopped = cluster.manage("after_restore")
    assert "waited to be sent: 1\n" in stopped, stopped
    servers.rebuild_replica()
    yield f"a change that waited is withdrawn, and there is a new replica after {_seconds(began)}"
    for name in NODES:
        cluster.start(name)
    faults.wait_for_web()
    yield f"served again after {_seconds(began)}"
    since, until = truth.days(cluster)
    cluster.manage("backfill", "--since", since, "--until", until, "--wait")
    yield f"what came since is read again after {_seconds(began)}"
    yield _work_after(cluster, traffic, forgotten)


def _work_after(cluster: Cluster, traffic: Traffic, forgotten: set[str]) -> str:
    """Another storm: people sign in anew, and nothing is missing or there twice afterwards."""
    traffic.sign_in()
    traffic.answers.begin()
    notes = traffic.writer.written
    noted = len(notes)
    _storm(cluster, traffic)
    assert len(notes) > noted, "Nobody could write a note after the restore."
    assert set(traffic.answers.statuses) == {200}, traffic.answers.statuses
    found = truth.compare(cluster, forgotten=forgotten)
    lost, twice = not_there(cluster, notes), doubled(cluster.sandbox)
    assert found.is_equal, found
    assert lost + twice == [], f"not there: {lost}, sent twice: {twice}"
    return f"after another storm: {found}; {len(notes)} notes, none lost, none sent twice"


def _seconds(began: float) -> str:
    return f"{time.monotonic() - began:.1f} s"


def _storm(cluster: Cluster, traffic: Traffic) -> None:
    """People and changes for a while, until all of it is stored and sent."""
    traffic.start()
    time.sleep(STORM_SECONDS)
    traffic.stop()
    wait_until_sent(cluster)
    cluster.wait_until_quiet(within=QUIET_SECONDS)


def _look() -> tuple[str, dict[str, str]]:
    """A time of the database and a fingerprint of each table, which did not change around it."""
    for _ in range(LOOKS):
        found, moment, later = _fingerprints(), _clock(), _fingerprints()
        if found == later:
            return moment, found
    raise AssertionError("The tables change all the time.")


def _clock() -> str:
    with psycopg.connect(address(PRIMARY)) as server:
        row = server.execute("SELECT clock_timestamp() AT TIME ZONE 'UTC'").fetchone()
    assert row
    return f"{row[0]}+00"


def _fingerprints() -> dict[str, str]:
    with psycopg.connect(address(PRIMARY)) as server:
        server.execute("SET TIME ZONE 'UTC'")  # each server has one of its own
        return {table: _fingerprint(server, table) for table in TABLES}


def _fingerprint(server: psycopg.Connection, table: str) -> str:
    rows = server.execute(f"SELECT t::text FROM {table} t ORDER BY 1").fetchall()  # noqa: S608  # ours
    return f"{len(rows)} rows {hashlib.sha256(repr(rows).encode()).hexdigest()[:12]}"


def _make_the_mistake() -> None:
    with psycopg.connect(address(PRIMARY)) as server:
        server.execute(MISTAKE)
