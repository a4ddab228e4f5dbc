"""Pictures of every page, wide and narrow, light and dark, full and empty, into var/screenshots.

    make screenshots                    all of them
    make screenshots ONLY='^reviews'    those whose name matches

It starts two installations of its own: a full one, the demo of `make run`, and an empty one, where
nothing is set up yet. Look at the pictures after each change of a component: a test sees what
is broken, only a person sees what is not beautiful.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import (
    Browser,
    Page,
    ViewportSize,
    sync_playwright,
)

from bin.servers import find_browser, free_port

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "var" / "screenshots"
INSTALLATIONS = ("full", "empty")
SIZES = [(1440, 900), (1024, 768), (390, 844)]
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PATIENCE_SECONDS = 300
# They show their face to a visitor only.
OF_VISITORS = {"account_login", "account_reset_password", "mfa_login_webauthn"}


def environment_of(installation: str) -> dict[str, str]:
    """Folders and ports of its own, so that a `make run` beside it is left alone."""
    var_dir = FOLDER / ".installations" / installation
    var_dir.mkdir(parents=True, exist_ok=True)
    port = str(free_port())
    return {
        **os.environ,
        "VAR_DIR": str(var_dir),
        "WEB_PORT": port,
        "SANDBOX_PORT": str(free_port()),
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "HTTPS_ONLY": "false",
        "DEBUG": "false",
    }


@contextmanager
def open_installation(installation: str) -> Iterator[dict[str, str]]:
    """Run the demo, or the web process alone, until the pictures are taken."""
    environment = environment_of(installation)
    manage("migrate --verbosity 0", environment)
    command = [sys.executable, "-m", "bin.run"]
    if installation == "empty":
        manage("collectstatic --noinput --verbosity 0", environment)
        command = [str(ROOT / "bin" / "process"), "web"]
    log = (Path(environment["VAR_DIR"]) / "log").open("wb")
    running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        wait_until_open(environment)
        yield environment
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait()
        log.close()


def manage(words: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "manage.py", *words.split()]
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def wait_until_open(environment: dict[str, str]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            address = f"{environment['PUBLIC_URL']}/health/ready"
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - our own loopback
        except OSError:
            time.sleep(0.2)
        else:
            return
    sys.exit(f"The installation did not start; its output is in {environment['VAR_DIR']}/log.")


@dataclass(frozen=True)
class Shown:
    """What the installation's own database says there is to see."""

    cookie: str
    session: str
    pages: dict[str, str]


def shown_in(environment: dict[str, str]) -> Shown:
    command = [sys.executable, "-m", "tests.shown", str(PATIENCE_SECONDS)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return Shown(**json.loads(done.stdout))


def shoot(page: Page, *, url: str, file: Path) -> bool:
    """Take one picture, if the address answers with a page of its own."""
    answer = page.request.get(url, max_redirects=0)
    is_page = answer.headers.get("content-type", "").startswith("text/html")
    if not is_page or answer.status not in {200, 404}:
        return False
    page.goto(url, wait_until="load")
    page.screenshot(path=file, full_page=True)
    return True


def shoot_installation(browser: Browser, *, installation: str, only: str) -> int:
    taken = 0
    with open_installation(installation) as environment:
        home, shown = environment["PUBLIC_URL"], shown_in(environment)
        chosen = {name: path for name, path in shown.pages.items() if re.search(only, name)}
        for (width, height), theme in product(SIZES, THEMES):
            size = ViewportSize(width=width, height=height)
            visitor = browser.new_page(viewport=size, color_scheme=theme)
            admin = browser.new_page(viewport=size, color_scheme=theme)
            admin.context.add_cookies([{"name": shown.cookie, "value": shown.session, "url": home}])
            for name, path in chosen.items():
                page = visitor if name in OF_VISITORS else admin
                file = FOLDER / f"{name}-{installation}-{width}-{theme}.png"
                taken += shoot(page, url=home + path, file=file)
            visitor.close()
            admin.close()
    return taken


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    only = os.environ.get("ONLY", "")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        taken = sum(
            shoot_installation(browser, installation=one, only=only) for one in INSTALLATIONS
        )
    sys.stdout.write(f"{taken} pictures in {FOLDER.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
