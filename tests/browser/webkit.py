"""Drives WebKit, the engine of every iPad and iPhone, in the build that Linux has.

Only what a trial needs, by the protocol of all drivers (W3C WebDriver). The playwright of the other
tests brings an engine of its own, which no package of a system has.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
from urllib3.util import Retry

from bin.servers import free_port

LIBRARIES = Path("/usr/lib")
ENVIRONMENT = {
    # Its own sandbox cannot begin as root, nor in most containers.
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
}


def missing() -> list[str]:
    """The packages of Debian that this machine lacks."""
    lacking = [] if shutil.which("WebKitWebDriver") and small_browser() else ["webkit2gtk-driver"]
    return lacking + ([] if shutil.which("xvfb-run") else ["xvfb", "xauth"])


def small_browser() -> Path | None:
    return next(LIBRARIES.glob("*/webkit2gtk-4.*/MiniBrowser"), None)


class WebKit:
    def __init__(self, driver: str) -> None:
        self.http = requests.Session()
        # The driver is still starting.
        patient = requests.adapters.HTTPAdapter(max_retries=Retry(connect=9, backoff_factor=0.2))
        self.http.mount("http://", patient)
        options = {"binary": str(small_browser()), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.address = driver
        session = self.post("/session", capabilities=wanted)["sessionId"]
        self.address = f"{driver}/session/{session}"

    def post(self, command: str, **values: Any) -> Any:
        answer = self.http.post(self.address + command, json=values).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer

    def open(self, address: str) -> None:
        self.post("/url", url=address)

    def enter(self, name: str, value: str) -> None:
        """Give it a cookie of the page that is open."""
        self.post("/cookie", cookie={"name": name, "value": value, "path": "/"})

    def make_wide(self, pixels: int, high: int = 900) -> None:
        frame = pixels - self.evaluate("return innerWidth")
        self.post("/window/rect", width=self.evaluate("return outerWidth") + frame, height=high)

    def evaluate(self, script: str, *values: Any) -> Any:
        """What the body of a function returns, or what the promise holds that it returns."""
        return self.post("/execute/sync", script=script, args=list(values))


@contextmanager
def started() -> Iterator[WebKit]:
    port = free_port()
    command = ["xvfb-run", "--auto-servernum", "WebKitWebDriver", f"--port={port}"]
    with subprocess.Popen(
        command, env=os.environ | ENVIRONMENT, start_new_session=True, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield WebKit(f"http://127.0.0.1:{port}")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
