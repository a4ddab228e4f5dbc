"""The product's own processes, as the Procfile starts them, in a scratch folder with free ports."""

import base64
import os
import socket
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A large sandbox builds its world first.
START_SECONDS = 180


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def scratch_environment(folder: Path) -> dict[str, str]:
    """An environment that shares nothing with this machine's `.env`; SQLite by default."""
    port = free_port()
    return {
        "DATABASE_URL": f"sqlite:///{folder}/couvert.sqlite3",
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ENV_FILE": os.devnull,
        "VAR_DIR": str(folder),
        "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
        "SECRET_KEY": "only-for-a-scratch-folder-0123456789-abcdefghijklmnopqrst",
        "ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "HTTPS_ONLY": "false",
        "LOG_LEVEL": "ERROR",
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "WEB_PORT": str(port),
    }


def wait_until_open(port: int, *, what: str, host: str = "127.0.0.1") -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"{what} did not start within {START_SECONDS} s.")


def wait_until_ready(host: str, port: int) -> None:
    """Until a web process can work: its port opens before that."""
    deadline = time.monotonic() + START_SECONDS
    address = f"http://{host}:{port}/health/ready"
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310  # of this machine
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{address} was not ready within {START_SECONDS} s.")


def wait_until_exists(file: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not file.exists():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{file} was not made within {START_SECONDS} s.")
        time.sleep(0.05)
