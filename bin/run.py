"""Start everything on this machine, and stop it all on Ctrl-C.

    python -m bin.run               the demo: with the sandbox, made-up people and bookings
    python -m bin.run --owners 2    the demo with two accounts, each with people of its own
    python -m bin.run --empty       as it is: no sandbox, nobody and nothing made up

honcho runs the Procfile and gives each process a colour. This program first checks that the ports
are free, and prepares the database, the sandbox connection and the static files.
"""

import argparse
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
MOST_OWNERS = 5  # each has a world of its own that is read as a whole
STOPPED_BY_A_PERSON = {128 + signal.SIGINT, 128 + signal.SIGTERM}


def own_environment() -> dict[str, str]:
    """The environment of every process; it overrides `.env`."""
    # A port that was named is where the addresses lead, unless those are named too.
    address = {"PUBLIC_URL": f"http://127.0.0.1:{WEB_PORT}"} if "WEB_PORT" in os.environ else {}
    return {
        **address,
        **os.environ,
        "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
        # Celery warns of a worker that runs as root: good advice for a server, not for a demo.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        "WEB_PORT": WEB_PORT,
    }


def demo_environment(*, owners: int = 1) -> dict[str, str]:
    return own_environment() | {
        "DEMO_OWNERS": str(owners),
        "PUBLIC_URL": f"http://127.0.0.1:{WEB_PORT}",
        "SANDBOX_PORT": SANDBOX_PORT,
        "DEMO_SANDBOX": f"http://127.0.0.1:{SANDBOX_PORT}",
    }


def is_taken(port: str) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def refuse_taken_ports(*, with_sandbox: bool) -> None:
    sandbox = [(SANDBOX_PORT, "SANDBOX_PORT")] if with_sandbox else []
    for port, variable in ((WEB_PORT, "WEB_PORT"), *sandbox):
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
    """Start `bin.demo` and return when the other processes may start.

    The sandbox builds its world meanwhile, on another core than the one that migrates.
    """
    heard, ready = os.pipe()
    command = [sys.executable, "-m", "bin.demo", str(time.monotonic()), str(ready)]
    with world_being_built(environment) as world:
        demo = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[ready])
        os.close(ready)
        try:
            # Whoever ends before it is ready has printed why.
            if not os.read(heard, 1):
                sys.exit(demo.wait())
            if failed := world.wait():
                sys.exit(failed)
            yield
        finally:
            demo.terminate()
            demo.wait()


@contextmanager
def world_being_built(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = f"exec {processes()['sandbox']} --build-only"
    world = subprocess.Popen(command, shell=True, cwd=ROOT, env=environment)  # noqa: S602 - ours
    try:
        yield world
    finally:
        world.terminate()
        world.wait()


def processes() -> dict[str, str]:
    """The commands of the Procfile by their names."""
    return dict(parse_procfile((ROOT / "Procfile").read_text()).processes)


def run_processes(environment: dict[str, str], *, without: tuple[str, ...] = ()) -> int:
    manager = Manager()
    for name, command in processes().items():
        if name in without:
            continue
        manager.add_process(name, f"exec {command}", env=environment, cwd=str(ROOT))
    honcho.KILL_WAIT = GRACE_SECONDS
    signal.signal(signal.SIGHUP, stop_as_on_ctrl_c)
    manager.loop()
    return int(manager.returncode or 0)


def stop_as_on_ctrl_c(_signal: int, _frame: FrameType | None) -> None:
    """Stop when the terminal is closed, as on Ctrl-C: the processes have their own sessions."""
    os.kill(os.getpid(), signal.SIGTERM)


def run_demo(*, owners: int) -> int:
    environment = demo_environment(owners=owners)
    refuse_taken_ports(with_sandbox=True)
    with prepared(environment):
        return run_processes(environment)


def run_empty() -> int:
    """The processes alone, on the database of `make setup`."""
    environment = own_environment()
    refuse_taken_ports(with_sandbox=False)
    subprocess.run([sys.executable, "-m", "bin.database"], cwd=ROOT, env=environment, check=True)
    return run_processes(environment, without=("sandbox",))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bin.run")
    parser.add_argument("--empty", action="store_true", help="without the demo")
    parser.add_argument(
        "--owners", type=int, choices=range(1, MOST_OWNERS + 1), default=1, help="demo accounts"
    )
    return parser.parse_args()


def main() -> int:
    chosen = read_arguments()
    try:
        returncode = run_empty() if chosen.empty else run_demo(owners=chosen.owners)
    except KeyboardInterrupt:  # before honcho listens for it
        return 0
    return 0 if returncode in STOPPED_BY_A_PERSON else returncode


if __name__ == "__main__":
    sys.exit(main())
