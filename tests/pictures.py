"""The pictures of README.md, light and dark, into docs/pictures.

    make run                     in one terminal; wait until everything is read
    python -m tests.pictures     in another

They are of the installation that `make run` shows. Look at them before they are kept.
"""

import os
import sys
from itertools import product
from pathlib import Path
from typing import Literal

import django
from PIL import Image

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - models exist once Django is set up
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright  # noqa: E402 - above

from accounts.rights import Role  # noqa: E402 - see above
from bin.servers import find_browser  # noqa: E402 - see above
from restaurants.models import Membership  # noqa: E402 - see above
from tests.shown import session_of_an_admin  # noqa: E402 - see above

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
BASE_URL = f"http://127.0.0.1:{os.environ.get('WEB_PORT', '8000')}"
WIDTH, HEIGHT = 1440, 900
# These leave some of the screen empty.
HEIGHTS = {"pulse": 660, "arrivals": 560}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NOT_SHOWN = "main aside.setup-bar, #alerts"
MOST_BYTES = 300_000
COLOURS = 255  # enough for screens; a third of the bytes


def at_dinner() -> str:
    """The restaurant where staff of the demo work just now."""
    staff = Membership.objects.filter(restaurant__isnull=False, role=Role.STAFF)
    return str(staff.values_list("restaurant__uuid", flat=True)[0])


def scenes() -> dict[str, str]:
    """The four zooms of an evening, the month around it, and the inbox."""
    one = f"/?scope={at_dinner()}&zoom="
    zooms = {zoom: one + zoom for zoom in ("arrivals", "stays", "list")}
    return {"pulse": "/?zoom=pulse", **zooms, "calendar": "/calendar/", "reviews": "/reviews/"}


def shoot(page: Page, *, path: str, file: Path) -> None:
    page.goto(BASE_URL + path, wait_until="load")
    # The words about the demo are beside the picture already, and alerts are of this machine.
    page.evaluate(f"document.querySelectorAll('{NOT_SHOWN}').forEach(one => one.remove())")
    page.wait_for_timeout(500)
    page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(COLOURS).save(file, optimize=True)
    if file.stat().st_size > MOST_BYTES:
        sys.exit(f"{file.name} is larger than {MOST_BYTES} bytes.")


def shoot_all(browser: Browser, cookie: dict[str, str], chosen: dict[str, str]) -> None:
    for theme, (name, path) in product(THEMES, chosen.items()):
        size = ViewportSize(width=WIDTH, height=HEIGHTS.get(name, HEIGHT))
        page = browser.new_page(viewport=size, color_scheme=theme)
        page.context.add_cookies([cookie])  # type: ignore[list-item]  # a cookie
        shoot(page, path=path, file=FOLDER / f"{name}-{theme}.png")
        page.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    session = session_of_an_admin()
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": BASE_URL}
    chosen = scenes()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        shoot_all(browser, cookie, chosen)
        browser.close()


if __name__ == "__main__":
    main()
