"""A private PostgreSQL and a private Redis: own folder, free loopback port, gone afterwards.

fsync is off in this PostgreSQL unless `durable`: it lives for one run of the tests, and no test
pulls the plug.
"""

import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

POSTGRES_PROGRAMS = ("initdb", "postgres")
AS_POSTGRES = (*POSTGRES_PROGRAMS, "pg_basebackup", "pg_dump", "psql")
DEBIAN_SERVERS = "/usr/sbin/"
DEBIAN_POSTGRES = "/usr/lib/postgresql/*/bin/"
START_SECONDS = 30


def find_program(name: str) -> str | None:
    """Look on the PATH, then where Debian keeps servers and the programs of PostgreSQL."""
    hidden = sorted(glob.glob(DEBIAN_SERVERS + name) + glob.glob(DEBIAN_POSTGRES + name))
    return shutil.which(name) or (hidden[-1] if hidden else None)


def find_browser() -> str | None:
    """Chromium's shell, which has no windows and profiles to pay for, or else a whole browser."""
    return shutil.which("chromium-headless-shell") or find_whole_browser()


def find_whole_browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


def missing_programs() -> list[str]:
    """Name what the full test run needs and this machine does not have."""
    missing = [] if all(map(find_program, POSTGRES_PROGRAMS)) else ["PostgreSQL"]
    missing += [] if find_program("redis-server") else ["Redis"]
    return missing


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def private_postgres(*, durable: bool = False) -> Iterator[str]:
    """Yield the DATABASE_URL of a new, empty server. `durable` ones wait for the disk."""
    settings = ["max_connections=200"]
    settings += [] if durable else ["fsync=off", "full_page_writes=off"]
    with _scratch_folder() as folder, postgres_in(folder, *settings) as url:
        yield url


@contextmanager
def postgres_in(folder: Path, *settings: str) -> Iterator[str]:
    """Yield the DATABASE_URL of the server in this folder, which is made where there is none."""
    port = free_port()
    if not (folder / "data").exists():
        _make_cluster(folder / "data")
    own = ("listen_addresses=127.0.0.1", f"unix_socket_directories={folder}")
    command = [_program("postgres"), "-D", str(folder / "data"), "-p", str(port)]
    command += [part for setting in (*own, *settings) for part in ("-c", setting)]
    # SIGINT is PostgreSQL's "fast" stop: it does not wait for clients.
    with _running(command, log=folder / "log", stop=signal.SIGINT):
        yield f"postgres://couvert@127.0.0.1:{port}/postgres"


@contextmanager
def private_copy(url: str) -> Iterator[str]:
    """Yield the DATABASE_URL of a new server, with what one database of another server holds."""
    with _scratch_folder() as folder, private_postgres() as own:
        file = str(folder / "dump.sql")
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        _run([_program("pg_dump"), "--no-sync", "-f", file, "-d", url])
        _run([_program("psql"), "-qXv", "ON_ERROR_STOP=1", "-f", file, "-d", own])
        yield own


@contextmanager
def private_replica(*, port: int, user: str) -> Iterator[int]:
    """Yield the port of a streaming replica of a server on this machine."""
    with _scratch_folder() as folder:
        own = free_port()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data = str(folder / "data")
        copy = [_program("pg_basebackup"), "-D", data, "-R", "-c", "fast", "--no-sync"]
        _run([*copy, "-d", f"host=127.0.0.1 port={port} user={user}"])
        command = [_program("postgres"), "-D", data, "-p", str(own), "-k", str(folder)]
        command += ["-c", "max_connections=200", "-c", "fsync=off"]
        with _running(command, log=folder / "log", stop=signal.SIGINT):
            yield own


@contextmanager
def private_redis() -> Iterator[str]:
    """Yield the URL of a new, empty server, without the database number."""
    port = free_port()
    with _scratch_folder() as folder:
        command = [_program("redis-server"), "--port", str(port), "--bind", "127.0.0.1",
                   "--dir", str(folder), "--save", "", "--appendonly", "no",
                   "--databases", "256"]  # fmt: skip
        with _running(command, log=folder / "log", stop=signal.SIGTERM):
            yield f"redis://127.0.0.1:{port}"


def _program(name: str) -> str:
    if found := find_program(name):
        return found
    raise RuntimeError(f"The program {name} is not installed.")


@contextmanager
def _scratch_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="couvert-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_cluster(data: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(data.parent, "postgres")
    command = [_program("initdb"), "-D", str(data), "-U", "couvert", "-A", "trust",
               "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]  # fmt: skip
    _run(command)


def _run(command: list[str]) -> None:
    """Raise with what the program wrote, where it fails."""
    done = subprocess.run(_as_postgres(command), capture_output=True, text=True, cwd="/")
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def _as_postgres(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root, as it should."""
    if os.geteuid() != 0 or Path(command[0]).name not in AS_POSTGRES:
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


@contextmanager
def _running(command: list[str], *, log: Path, stop: signal.Signals) -> Iterator[None]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            _as_postgres(command), stdout=output, stderr=output, cwd="/", start_new_session=True
        )
    try:
        _wait_until_ready(process, log=log)
        yield
    finally:
        process.send_signal(stop)
        process.wait(timeout=START_SECONDS)


def _wait_until_ready(process: subprocess.Popen[bytes], *, log: Path) -> None:
    """Both servers write the same words once they answer; an open port comes too early."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if "eady to accept" in log.read_text(errors="replace"):
            return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} did not start:\n{log.read_text(errors='replace')}")
