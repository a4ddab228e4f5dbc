"""A sandbox of one's own: a process on a free port, with its control interface at hand."""

import json
import select
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

START_SECONDS = 120
ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Sandbox:
    def __init__(self, folder: Path, *, world: str = "small") -> None:
        self.folder = folder
        port = str(free_port())
        command = [sys.executable, "-m", "partner_sandbox", "--port", port, "--data", str(folder)]
        self.process = subprocess.Popen(
            [*command, "--world", world],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        self.origin = self._wait_for_origin()
        self.world = self.get("world")

    def _wait_for_origin(self) -> str:
        output = self.process.stdout
        assert output
        ready, _, _ = select.select([output], [], [], START_SECONDS)
        line = output.readline() if ready else ""
        words = [word for word in line.split() if word.startswith("http://")]
        if not words:
            self.stop()
            raise RuntimeError(f"the sandbox did not start: {line!r}")
        return words[0]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)
        if self.process.stdout:
            self.process.stdout.close()

    def get(self, path: str) -> Any:
        return self._ask("GET", path)

    def post(self, path: str, **payload: Any) -> Any:
        return self._ask("POST", path, payload)

    def delete(self, path: str) -> Any:
        return self._ask("DELETE", path)

    def fault(self, match: dict[str, str] | None = None, **effect: Any) -> None:
        self.post("faults", match=match or {}, effect=effect)

    def breaches(self) -> dict[str, int]:
        found: dict[str, int] = self.get("journal")["breaches"]
        return found

    def requests_to(self, endpoint: str) -> int:
        return int(self.get("journal")["totals"]["by_endpoint"].get(endpoint, 0))

    def client(self, name: str) -> dict[str, Any]:
        return next(c for c in self.world["clients"] if c["name"] == name)

    def credentials(self, name: str = "full") -> dict[str, Any]:
        """Return what a `Connection` of one of the sandbox's clients is made of."""
        client = self.client(name)
        return {
            "base_url": self.world["base_url"],
            "auth_url": self.world["auth_url"],
            "audience": self.world["audience"],
            "client_id": client["client_id"],
            "client_secret": client["client_secret"],
        }

    def _ask(self, method: str, path: str, payload: Any = None) -> Any:
        request = urllib.request.Request(f"{self.origin}/_sandbox/{path}", method=method)  # noqa: S310 - our own process
        if payload is not None:
            request.data = json.dumps(payload).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own process
            return json.load(answer)
