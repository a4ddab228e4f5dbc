"""The web program in processes of its own, on the database of the running test."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from bin.servers import free_port
from mirror.models import Alert, Heartbeat
from partner import testing as partner
from partner.models import Connection
from partner.testing import WEBHOOK_TOKEN
from webhooks.models import Delivery, HourlyCount

ADDRESS = f"/webhooks/partner/?token={WEBHOOK_TOKEN}"
ROOT = Path(settings.BASE_DIR)
START_SECONDS = 180  # the machine of a whole run may be busy


def database_url() -> str:
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    where = f"{facts['HOST']}:{facts['PORT']}/{facts['NAME']}"
    return f"postgres://{facts['USER']}:{facts['PASSWORD']}@{where}"


@contextmanager
def web_program(*, workers: int = 1, port: int = 0, **environment: str) -> Iterator["Web"]:
    """Start the server of the Procfile, on a free port if none is named; its log is `web.log()`."""
    port = port or free_port()
    log = Path(settings.VAR_DIR) / f"web-{port}.log"
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--port", str(port),
               "--workers", str(workers), "--blocking-threads", "128", "--no-ws",
               "--respawn-failed-workers", "--workers-kill-timeout", "10s",
               "--no-access-log", "config.wsgi:application"]  # fmt: skip
    surroundings = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database_url(),
        "LOG_LEVEL": "DEBUG",
        **environment,
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=surroundings, cwd=ROOT, stdout=output, stderr=output
        )
    web = Web(process, port=port, log_file=log)
    try:
        web.wait_until_ready()
        yield web
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=START_SECONDS)
        log.unlink()


@contextmanager
def connected_program(*, workers: int = 1, port: int = 0, **environment: str) -> Iterator["Web"]:
    """A program that knows the service, for the tests of a whole module.

    Its rows are deleted afterwards. Emptying all tables beside it, as a transactional test does,
    is a deadlock whenever it is just writing.
    """
    partner.connection()
    try:
        with web_program(workers=workers, port=port, **environment) as web:
            yield web
    finally:
        # Its watch has noted the time of this machine, too, which is ahead of most tests, and after
        # a while that no worker runs.
        for model in (Delivery, HourlyCount, Heartbeat, Alert, Connection):
            model._default_manager.all().delete()


class Web:
    def __init__(self, process: subprocess.Popen[bytes], *, port: int, log_file: Path) -> None:
        self._process = process
        self._log_file = log_file
        self.port = port

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if b"404" in self.say(request(b"", path="/webhooks/partner/")):
                return
            time.sleep(0.05)
        raise RuntimeError(f"The web program did not start:\n{self.log()}")

    def log(self) -> str:
        return self._log_file.read_text(errors="replace")

    def workers(self) -> list[int]:
        """The ids of its worker processes, which are its children."""
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [int(pid) for pid in children if b"granian" in _command_line(int(pid))]

    def kill(self) -> None:
        """Kill the server and its workers with SIGKILL, without waiting for running requests."""
        alive = [self._process.pid, *self.workers()]
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        self._process.wait(timeout=START_SECONDS)

    def say(self, *parts: bytes, ends: bool = False, patience: float = 10) -> bytes:
        """Send the parts as they are and return the whole answer, empty if there is none."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as wire:
                for part in parts:
                    wire.sendall(part)
                if ends:
                    wire.shutdown(socket.SHUT_WR)
                return _answer(wire)
        except OSError:
            return b""


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def _answer(wire: socket.socket) -> bytes:
    """Read one answer: its head, and as much of a body as the head announces."""
    got = b""
    while b"\r\n\r\n" not in got:
        if not (more := wire.recv(65536)):
            return got
        got += more
    head, _blank, body = got.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"),
        0,
    )
    while len(body) < length and (more := wire.recv(65536)):
        body += more
    return head + b"\r\n\r\n" + body


def request(
    body: bytes, *headers: str, path: str = ADDRESS, method: str = "POST", length: int | None = None
) -> bytes:
    """Spell out a request; without further headers it says its own length."""
    head = headers or (f"Content-Length: {len(body) if length is None else length}",)
    lines = [f"{method} {path} HTTP/1.1", "Host: events.example.org", *head, "", ""]
    return "\r\n".join(lines).encode() + body
