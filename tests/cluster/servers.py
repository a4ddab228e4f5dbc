"""The servers of the cluster: PostgreSQL with a replica, PgBouncer, Redis and HAProxy."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from bin.servers import find_program
from tests.processes import ROOT

PRIMARY, REPLICA = "127.0.0.11", "127.0.0.12"
POOLER, REDIS, PROXY = "127.0.0.13", "127.0.0.14", "127.0.0.15"
WEB = ("127.0.0.21", "127.0.0.22")
POSTGRES_PORT, POOLER_PORT, REDIS_PORT = 8270, 8271, 8272
PROXY_PORT, WEB_PORT, PLAIN_PORT = 8273, 8274, 8275
START_SECONDS = 30
AS_POSTGRES = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
# What differs from the files that people copy: addresses, TLS and passwords.
POOLER_CHANGES = {
    "listen_addr = 127.0.0.1": f"listen_addr = {POOLER}",
    "listen_port = 6432": f"listen_port = {POOLER_PORT}",
    "auth_type = scram-sha-256": "auth_type = any",
    "auth_file = /etc/pgbouncer/userlist.txt\n": "",
}
PROXY_CHANGES = {
    "maxconn 20000": "maxconn 2000",
    "bind :443 ssl crt /etc/haproxy/couvert.pem alpn h2,http/1.1": f"bind {PROXY}:{PROXY_PORT}",
    "bind :80": f"bind {PROXY}:{PLAIN_PORT}",
    "X-Forwarded-Proto https": "X-Forwarded-Proto http",
    "web1:8000": f"{WEB[0]}:{WEB_PORT}",
    "web2:8000": f"{WEB[1]}:{WEB_PORT}",
}


class Servers:
    """Programs of the distribution, each in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o755)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start_all(self) -> None:
        self._start_primary()
        self._start_replica()
        self.point_pooler_at(PRIMARY)
        self._start("pgbouncer", "pgbouncer", str(self._pooler_file()), as_postgres=True)
        self.start_redis()
        self._start_proxy()

    def kill(self, name: str) -> None:
        """Kill -9; of PostgreSQL the children, too, or they would hold its folder."""
        process = self._running.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for name in list(self._running):
            self.kill(name)

    def start_redis(self) -> None:
        """An empty one."""
        options = ["--bind", REDIS, "--port", str(REDIS_PORT), "--save", "", "--appendonly", "no"]
        self._start("redis", "redis-server", *options, "--dir", str(self.folder))

    def promote_replica(self) -> None:
        """The documented steps of a fail-over, after the primary is dead."""
        with psycopg.connect(address(REPLICA), autocommit=True) as server:
            server.execute("SELECT pg_promote()")
        self.point_pooler_at(REPLICA)
        self._running["pgbouncer"].send_signal(signal.SIGHUP)

    def point_pooler_at(self, host: str) -> None:
        file = self._pooler_file()
        theirs = f"couvert = user=couvert host={host} port={POSTGRES_PORT}"
        file.write_text(
            _adapted("pgbouncer.ini", POOLER_CHANGES | {"couvert = host=db1 port=5432": theirs})
        )
        file.chmod(0o644)

    def _pooler_file(self) -> Path:
        return self.folder / "pgbouncer.ini"

    def _start_primary(self) -> None:
        data = self._own_folder("primary")
        self._run(
            "initdb", "-D", data, "-U", "couvert", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"
        )
        # Elsewhere than in UTC, so that a session that lost its setting would be seen.
        self._start_postgres("primary", PRIMARY, "-c", "timezone=Asia/Tokyo")
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            server.execute("CREATE DATABASE couvert")

    def _start_replica(self) -> None:
        data = self._own_folder("replica")
        source = f"host={PRIMARY} port={POSTGRES_PORT} user=couvert"
        self._run("pg_basebackup", "-d", source, "-D", data, "-R", "-c", "fast")
        self._start_postgres("replica", REPLICA)
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            # A commit is acknowledged once both have it: else a fail-over loses the last ones.
            server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            server.execute("SELECT pg_reload_conf()")

    def _start_postgres(self, name: str, host: str, *options: str) -> None:
        data = str(self.folder / name)
        network = ["-h", host, "-p", str(POSTGRES_PORT), "-k", ""]
        more = ["-c", "max_connections=200", *options]
        self._start(name, "postgres", "-D", data, *network, *more, as_postgres=True)
        _wait_until(lambda: psycopg.connect(address(host, name="postgres")).close())

    def _start_proxy(self) -> None:
        file = self.folder / "haproxy.cfg"
        file.write_text(_adapted("haproxy.cfg", PROXY_CHANGES))
        self._start("haproxy", "haproxy", "-db", "-f", str(file))

    def _own_folder(self, name: str) -> str:
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        shutil.chown(folder, "postgres")
        return str(folder)

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [*AS_POSTGRES, _found(program), *options], cwd="/", check=True, capture_output=True
        )

    def _start(self, name: str, program: str, *options: str, as_postgres: bool = False) -> None:
        command = [*(AS_POSTGRES if as_postgres else ()), _found(program), *options]
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command, stdout=log, stderr=log, cwd="/", start_new_session=True
            )


def address(host: str, *, name: str = "couvert") -> str:
    return f"postgres://couvert@{host}:{POSTGRES_PORT}/{name}"


def _adapted(name: str, changes: dict[str, str]) -> str:
    """A file of deploy/ for this machine."""
    text = (ROOT / "deploy" / name).read_text()
    for theirs, ours in changes.items():
        assert theirs in text, theirs
        text = text.replace(theirs, ours)
    return text


def _found(program: str) -> str:
    if path := find_program(program):
        return path
    raise SystemExit(f"Install {program} first: apt-get install postgresql redis pgbouncer haproxy")


def _wait_until(succeeds: Callable[[], object]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            succeeds()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
