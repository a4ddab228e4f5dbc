"""Start everything on this machine with the sandbox, and stop it all on Ctrl-C.

honcho runs the Procfile and gives each process a colour. This program first checks that the ports
are free, and prepares the database, the sandbox connection and the static files.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

from honcho import manager as honcho
from honcho.environ import parse_procfile
from honcho.manager import Manager

ROOT = Path(__file__).resolve().parent.parent
WEB_PORT = os.environ.get("WEB_PORT", "8000")
SANDBOX_PORT = os.environ.get("SANDBOX_PORT", "8100")
# Longer than Celery's warm stop: a task in hand is finished, not cut off.
GRACE_SECONDS = 40
STOPPED_BY_A_PERSON = {128 + signal.SIGINT, 128 + signal.SIGTERM}


def demo_environment() -> dict[str, str]:
    """The environment of the set-up and of every process; it overrides `.env`."""
    address = f"http://127.0.0.1:{WEB_PORT}"
    return {
        **os.environ,
        "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
        # Celery warns of a worker that runs as root: good advice for a server, not for a demo.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        "PUBLIC_URL": address,
        "WEB_PORT": WEB_PORT,
        "SANDBOX_PORT": SANDBOX_PORT,
        "DEMO_SANDBOX": f"http://127.0.0.1:{SANDBOX_PORT}",
    }


def is_taken(port: str) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def refuse_taken_ports() -> None:
    for port, variable in ((WEB_PORT, "WEB_PORT"), (SANDBOX_PORT, "SANDBOX_PORT")):
        if is_taken(port):
            sys.exit(explain_taken_port(port, variable))


def explain_taken_port(port: str, variable: str) -> int:
    print(
        f"Port {port} is taken by another program (another `make run`, perhaps). "
        f"Stop that one, or choose another port: {variable}={int(port) + 1} make run",
        file=sys.stderr,
    )
    return 2


@contextmanager
def prepared(environment: dict[str, str]) -> Iterator[None]:
    """Start `bin.demo` and return when the other processes may start."""
    heard, ready = os.pipe()
    command = [sys.executable, "-m", "bin.demo", str(time.monotonic()), str(ready)]
    demo = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[ready])
    os.close(ready)
    try:
        if not os.read(heard, 1):
            sys.exit(demo.wait())  # it has printed why
        yield
    finally:
        demo.terminate()
        demo.wait()


def run_processes(environment: dict[str, str]) -> int:
    manager = Manager()
    procfile = parse_procfile((ROOT / "Procfile").read_text())
    for name, command in procfile.processes.items():
        manager.add_process(name, f"exec {command}", env=environment, cwd=str(ROOT))
    honcho.KILL_WAIT = GRACE_SECONDS
    signal.signal(signal.SIGHUP, stop_as_on_ctrl_c)
    manager.loop()
    return int(manager.returncode or 0)


def stop_as_on_ctrl_c(_signal: int, _frame: FrameType | None) -> None:
    """Stop when the terminal is closed, as on Ctrl-C: the processes have their own sessions."""
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    environment = demo_environment()
    refuse_taken_ports()
    try:
        with prepared(environment):
            returncode = run_processes(environment)
    except KeyboardInterrupt:  # before honcho listens for it
        return 0
    return 0 if returncode in STOPPED_BY_A_PERSON else returncode


if __name__ == "__main__":
    sys.exit(main())
