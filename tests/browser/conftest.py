"""A browser that is signed in, and that takes any complaint of the page for a failure."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.staticfiles import handlers
from django.utils import timezone
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from accounts.models import User
from live.announcements import announce_one
from reservations.models import Reservation
from restaurants.testing import Cast, make_cast
from tests.browser.static_files import ReadOnce
from tests.sessions import session_of

# Patience on a machine that does other things too. What must come soon has a time of its own.
expect.set_options(timeout=40_000)
# Chromium asks nobody for updates, safe-browsing lists or fonts.
QUIET = ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
# Without `preload` axe leaves our style sheets alone; with it, it inserts copies that the policy
# of the page refuses.
GIVEN_UP = ("htmx:sendAbort", "htmx:afterRequest")
BLOCKED = "Service Worker registration blocked by Playwright"
REFUSED_FORM = "status of 422"
# Only a test that switches the network off has it.
NO_NETWORK = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED"
# What passed would be described node by node, too.
AXE_OPTIONS = {
    "preload": False,
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},
}
AXE_SCRIPT = Axe().axe_script
RUN_AXE = "options => axe.run(document, options).then(found => found.violations)"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/browser/" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], *QUIET]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """Without a service worker, which no other test is about, and which outlives its page."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture(scope="session")
def base_url() -> None:
    """In place of a plugin's fixture of this name, which pytest 9 warns about."""


@pytest.fixture(autouse=True, scope="session")
def _static_files():
    """The live server takes its handler when it begins."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handlers, "StaticFilesHandler", ReadOnce)
        yield


@pytest.fixture
def live_cast(transactional_db) -> Cast:
    """The cast, in a database that the live server sees too."""
    return make_cast()


@pytest.fixture
def tonight_cast(live_cast: Cast) -> Cast:
    """The same in a zone where it is evening now, for tests that book at this hour."""
    zone = zone_of_evening(timezone.now())
    for place in (live_cast.quay, live_cast.loft, live_cast.cellar):
        place.timezone = zone
        place.save(update_fields=["timezone"])
    return live_cast


def zone_of_evening(now: datetime, *, behind: int = 0) -> str:
    """A zone in which it is between seven and eight: no service day ends while a test runs.

    Some hours `behind` it is another clock on the same evening.
    """
    ahead = (19 - now.astimezone(UTC).hour) % 24
    ahead -= 24 if ahead > 14 else 0
    return f"Etc/GMT{behind - ahead:+d}"  # these names count westward


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # A requested page that answers 404 is no fault of its scripts or policy, and a request that
        # is given up for a newer one, or with its page, is none at all; nor is a refused form.
        is_given_up = message.text.startswith((*GIVEN_UP, BLOCKED, NO_NETWORK))
        is_own = message.location.get("url") != page.url
        is_refused = REFUSED_FORM in message.text
        if message.type in ("error", "warning") and is_own and not (is_given_up or is_refused):
            complaints.append(f"{page.url}: {message.text}")

    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    yield page
    assert complaints == []


def enter(context: BrowserContext, *, user: User, address: str) -> None:
    """Give the browser the session of a person who has signed in."""
    name, session = settings.SESSION_COOKIE_NAME, session_of(user)
    context.add_cookies([{"name": name, "value": session, "url": address}])


@pytest.fixture
def visit(page: Page, live_cast: Cast, live_server):
    """Open an address as Dora, who may see everything."""
    enter(page.context, user=live_cast.dora, address=live_server.url)

    def go(address: str) -> Page:
        page.goto(live_server.url + address)
        return page

    return go


def violations(page: Page) -> list[str]:
    """What axe finds on the page, one line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN_AXE, AXE_OPTIONS)
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def store_version(row: Reservation, **fields: Any) -> None:
    """The mirror has stored another version of the booking and announced it."""
    row.version += 1
    Reservation.objects.filter(pk=row.pk).update(version=row.version, **fields)
    announce_one("reservation", row.pk, version=row.version, restaurant=row.restaurant)
