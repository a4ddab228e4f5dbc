"""The servers of the cluster: PostgreSQL with a replica, PgBouncer, Redis and HAProxy.

Each is a node of the network of its own.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from bin.servers import find_program
from tests.cluster.network import ADDRESSES, NETWORK, inside
from tests.processes import ROOT, wait_until_exists

PRIMARY, REPLICA = ADDRESSES["primary"], ADDRESSES["replica"]
POOLER, REDIS, PROXY = (ADDRESSES[name] for name in ("pgbouncer", "redis", "haproxy"))
WEB = (ADDRESSES["web1"], ADDRESSES["web2"])
POSTGRES_PORT, POOLER_PORT, REDIS_PORT = 8270, 8271, 8272
PROXY_PORT, WEB_PORT, PLAIN_PORT = 8273, 8274, 8275
START_SECONDS = 30
PERMITTED = f"""
host all all {NETWORK}.0/24 trust
host replication all {NETWORK}.0/24 trust
"""
SOURCE = f"host={PRIMARY} port={POSTGRES_PORT} user=couvert"
RESTORE = """
restore_command = 'cp {archive}/%f %p'
recovery_target_time = '{moment}'
recovery_target_action = 'promote'
synchronous_standby_names = ''
"""
# A replica that is made from the restored server would stop at the moment, too.
ONCE = ("restore_command", "recovery_target_time", "recovery_target_action")
STREAMING = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"
FILLER = "filler"
DISK = "1200m"  # of the primary
AS_POSTGRES = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
# What differs from the files that people copy: addresses, TLS and passwords.
POOLER_CHANGES = {
    "listen_addr = 127.0.0.1": f"listen_addr = {POOLER}",
    "listen_port = 6432": f"listen_port = {POOLER_PORT}",
    "auth_type = scram-sha-256": "auth_type = any",
    "auth_file = /etc/pgbouncer/userlist.txt\n": "",
}
ADMIN_SOCKET = "haproxy.sock"
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
        subprocess.run(["umount", "--lazy", self.folder / "primary"], capture_output=True)

    def start_redis(self) -> None:
        """An empty one."""
        options = ["--bind", REDIS, "--port", str(REDIS_PORT), "--save", "", "--appendonly", "no"]
        options += ["--protected-mode", "no", "--dir", str(self.folder)]
        self._start("redis", "redis-server", *options)

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
        disk = self.folder / "primary"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", disk], check=True)
        data = self._own_folder("primary")
        self._run(
            "initdb", "-D", data, "-U", "couvert", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"
        )
        with (Path(data) / "pg_hba.conf").open("a") as rules:
            rules.write(PERMITTED)
        self._start_as_primary(data)
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            server.execute("CREATE DATABASE couvert")

    def _start_as_primary(self, data: str) -> None:
        # Elsewhere than in UTC, so that a session that lost its setting would be seen.
        archive = f"archive_command=cp %p {self._own_folder('archive')}/%f"
        options = ["-c", "timezone=Asia/Tokyo", "-c", "archive_mode=on", "-c", archive]
        self._start_postgres("primary", PRIMARY, *options, data=Path(data))

    def _start_replica(self) -> None:
        data = self._own_folder("replica")
        self._run("pg_basebackup", "-d", SOURCE, "-D", data, "-R", "-c", "fast")
        self._start_postgres("replica", REPLICA)
        # A commit is acknowledged once both have it: else a fail-over loses the last ones.
        self.wait_for_replica(True)

    def _start_postgres(
        self, name: str, host: str, *options: str, data: Path | None = None
    ) -> None:
        network = ["-h", host, "-p", str(POSTGRES_PORT), "-k", ""]
        more = ["-c", "max_connections=200", "-c", "hot_standby_feedback=on", *options]
        self._start(
            name,
            "postgres",
            "-D",
            str(data or self.folder / name),
            *network,
            *more,
            as_postgres=True,
        )
        _wait_until(lambda: psycopg.connect(address(host, name="postgres")).close())

    def _start_proxy(self) -> None:
        file = self.folder / "haproxy.cfg"
        admin = {"/run/haproxy/admin.sock": str(self.folder / ADMIN_SOCKET)}
        file.write_text(_adapted("haproxy.cfg", PROXY_CHANGES | admin))
        self._start("haproxy", "haproxy", "-db", "-f", str(file))

    def wait_for_replica(self, waits: bool) -> None:
        """Whether the primary acknowledges a commit only once the replica has it, too."""
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            names = "*" if waits else ""
            server.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
            server.execute("SELECT pg_reload_conf()")

    def wait_until_streaming(self) -> None:
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            deadline = time.monotonic() + START_SECONDS
            while not server.execute(STREAMING).fetchone() and time.monotonic() < deadline:
                time.sleep(0.2)

    def fill_disk(self) -> None:
        """Of the primary alone; the rest of the cluster lives on another one."""
        with suppress(OSError), (self.folder / "primary" / FILLER).open("wb") as file:
            while True:
                file.write(bytes(1_000_000))
                file.flush()

    def free_disk(self) -> None:
        """And start the primary again if it has ended, as systemd does."""
        (self.folder / "primary" / FILLER).unlink()
        if self._running["primary"].poll() is not None:
            self._start_as_primary(str(self.folder / "primary"))

    def take_base_backup(self) -> None:
        self._run("pg_basebackup", "-d", SOURCE, "-D", self._own_folder("restored"), "-c", "fast")

    def restore(self, moment: str) -> None:
        """The documented steps: the base backup, and what was archived up to a moment, in place of
        the primary. No commit waits for a replica that is not there yet."""
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            row = server.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        assert row
        wait_until_exists(self.folder / "archive" / str(row[0]))
        self.kill("replica")
        self.kill("primary")
        data = self.folder / "restored"
        with (data / "postgresql.auto.conf").open("a") as settings:
            settings.write(RESTORE.format(archive=self.folder / "archive", moment=moment))
        (data / "recovery.signal").touch()
        self._start_as_primary(str(data))
        _wait_until(self._check_writable)
        with psycopg.connect(address(PRIMARY, name="postgres"), autocommit=True) as server:
            for name in ONCE:
                server.execute(f"ALTER SYSTEM RESET {name}")

    def rebuild_replica(self) -> None:
        shutil.rmtree(self.folder / "replica")
        self._start_replica()

    def _check_writable(self) -> None:
        with psycopg.connect(address(PRIMARY)) as server:
            if server.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
                raise psycopg.OperationalError("still replaying")

    def set_state(self, node: str, state: str) -> None:
        """Take a web node out by hand ("drain"), or in again ("ready")."""
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self.folder / ADMIN_SOCKET))
            admin.sendall(f"set server web/{node} state {state}\n".encode())
            admin.recv(1000)

    def _own_folder(self, name: str) -> str:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700)
        shutil.chown(folder, "postgres")
        return str(folder)

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [*AS_POSTGRES, _found(program), *options], cwd="/", check=True, capture_output=True
        )

    def _start(self, name: str, program: str, *options: str, as_postgres: bool = False) -> None:
        command = [*inside(name), *(AS_POSTGRES if as_postgres else ()), _found(program), *options]
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
