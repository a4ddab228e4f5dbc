"""Trial of a cluster on one machine: `make trial-cluster`, some minutes, as root.

PostgreSQL with a streaming replica, PgBouncer in transaction mode, Redis, two web nodes behind
HAProxy, three workers and two beats, each on an address of its own.

    python -m tests.cluster faults [--seed 1]        one part after the other fails
    python -m tests.cluster upgrade [--from COMMIT]  and back again, node after node
    python -m tests.cluster restore                  to a moment before a mistake
    python -m tests.cluster shares                   what two web nodes and three workers carry
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster import faults, restore, result, shares, upgrade
from tests.cluster.network import open_network
from tests.cluster.nodes import Cluster, environment
from tests.cluster.servers import Servers
from tests.cluster.traffic import BOB, Traffic
from tests.faults import truth
from tests.processes import ROOT


def report(line: object) -> None:
    print(line, flush=True)  # noqa: T201 - a program for the terminal


def stop_gently(_signal: int, _frame: object) -> None:
    raise SystemExit(1)


@contextmanager
def open_cluster(*, seed: int, revision: str = "") -> Iterator[tuple[Cluster, Servers]]:
    """All of it runs, with the code of a revision, and the copy is filled."""
    with open_network(), tempfile.TemporaryDirectory(prefix="couvert-cluster-") as name:
        folder = Path(name)
        servers = Servers(folder)
        cluster = Cluster(folder, environment(folder), seed=seed, world="small")
        cluster.code = upgrade.export(revision, to=folder) if revision else ROOT
        try:
            servers.start_all()
            cluster.start_sandbox()
            cluster.set_up()
            cluster.start_nodes()
            faults.wait_for_web()
            cluster.sandbox.post("webhook", url=cluster.webhook_url)
            since, until = truth.days(cluster)
            cluster.manage("backfill", "--since", since, "--until", until, "--wait")
            cluster.manage("shell", "--verbosity", "0", "-c", BOB)
            report(f"filled: {truth.compare(cluster)}")
            yield cluster, servers
        except Exception:
            for log in sorted(folder.glob("*.log")):
                report(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}")
            raise
        finally:
            cluster.stop()
            servers.stop()


def try_faults(*, seed: int, only: str) -> bool:
    with open_cluster(seed=seed) as (cluster, servers):
        traffic = Traffic(cluster, seed=seed)
        traffic.start()
        all_kept = True
        chosen = [fault for fault in faults.faults(cluster, servers) if only in fault.name]
        for line, is_kept in faults.run(chosen, traffic, cluster):
            report(f"{'  ' if is_kept else '! '}{line}")
            all_kept &= is_kept
        traffic.stop()
        end = result.check(cluster, traffic.writer)
        report(f"after {traffic.changes:,} changes: {end}")
        report(f"a beat took the lead {cluster.leaders()} times")
        return end.is_good and all_kept


def try_upgrade(*, seed: int, revision: str) -> bool:
    with open_cluster(seed=seed, revision=revision) as (cluster, servers):
        report(f"from {revision[:8]} to this code and back again")
        traffic = Traffic(cluster, seed=seed, readers=upgrade.READERS)
        traffic.start()
        began = len(traffic.answers.failures)
        upgrade.there_and_back(cluster, servers, traffic, cluster.code)
        traffic.stop()
        for failure in traffic.answers.failures[began:][:20]:
            report(f"! {failure}")
        counts = traffic.answers.total
        report(f"{counts.total():,} requests: {dict(counts)}; {traffic.changes:,} changes")
        end = result.check(cluster, traffic.writer)
        report(end)
        return end.is_good and counts.total() == counts[200] >= upgrade.REQUESTS


def try_restore(*, seed: int) -> bool:
    with open_cluster(seed=seed) as (cluster, servers):
        for line in restore.back_to_before_the_mistake(cluster, servers, seed=seed):
            report(line)
        return True


def try_shares(*, seed: int) -> bool:
    with open_cluster(seed=seed) as (cluster, servers):
        for line in shares.compare(cluster, servers):
            report(line)
        return True


def main() -> int:
    signal.signal(signal.SIGTERM, stop_gently)
    parser = argparse.ArgumentParser(prog="python -m tests.cluster")
    trials = ["faults", "upgrade", "restore", "shares"]
    parser.add_argument("trial", choices=trials, default="faults", nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="faults whose names contain this")
    parser.add_argument("--from", dest="revision", default="")
    given = parser.parse_args()
    return 0 if is_passed(given.trial, given) else 1


def is_passed(trial: str, given: argparse.Namespace) -> bool:
    if trial == "faults":
        return try_faults(seed=given.seed, only=given.only)
    if trial == "upgrade":
        revision = given.revision or upgrade.before_last_migration()
        return try_upgrade(seed=given.seed, revision=revision)
    return {"restore": try_restore, "shares": try_shares}[trial](seed=given.seed)


if __name__ == "__main__":
    sys.exit(main())
