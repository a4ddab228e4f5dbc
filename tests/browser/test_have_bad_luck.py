"""What befalls the offline copy: a private window, an eviction, a clock that is hours off.

Each context of these tests is a private window of Chromium: its storage is its own, in memory.
"""

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import make_offline_device, offline_cookie
from restaurants.web_app.parts import WORKER_PARTS
from tests.browser.conftest import enter
from tests.browser.test_read_offline import follow, read_everything

NO_WORKER = {
    "refuses": "navigator.serviceWorker.register = async () => { throw new TypeError('denied'); };",
    "has none": "delete Navigator.prototype.serviceWorker;",
}
STATE = "[data-offline-state]"


@pytest.fixture
def rossi(tonight_cast):
    guest = make_customer(tonight_cast.harbour, last_name="Rossi")
    return make_reservation(tonight_cast.quay, customer=guest, meal_at=timezone.now())


@pytest.fixture
def window(rossi, tonight_cast, live_server, browser):
    """A private window on a device on which an admin allows a copy of the Quay."""
    context = browser.new_context(
        service_workers="allow", base_url=live_server.url, timezone_id="UTC"
    )
    name, value = offline_cookie(make_offline_device(tonight_cast.quay))
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    enter(context, user=tonight_cast.bob, address=live_server.url)
    yield context
    context.close()


def open_board(window: BrowserContext) -> Page:
    page = window.new_page()
    page.goto("/?zoom=list")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator(STATE)).to_contain_text("Offline copy", timeout=30_000)
    return page


def evict(page: Page, origin: str, what: str) -> None:
    """As a browser does that needs the space."""
    tools = page.context.new_cdp_session(page)
    tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": what})


def test_it_works(window, rossi):
    page = open_board(window)
    window.set_offline(True)
    page.reload()

    expect(page.locator("#main")).to_contain_text(re.compile(r"Offline since .+ · as of .+"))
    expect(page.locator(f"#r-{rossi.pk}")).to_contain_text("Rossi")


@pytest.mark.parametrize("how", NO_WORKER)
def test_a_window_without_a_service_worker_keeps_no_copy_and_says_so(window, rossi, how):
    window.add_init_script(NO_WORKER[how])
    page = window.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto("/?zoom=list")

    expect(page.locator(STATE)).to_contain_text("No offline copy")
    follow(page)
    assert str(rossi.pk) not in read_everything(page)
    assert faults == []


@pytest.mark.parametrize("what", ["indexeddb", "service_workers"])
def test_an_evicted_copy_is_not_claimed_while_the_server_is_gone(window, live_server, what):
    page = open_board(window)
    follow(page)
    evict(page, live_server.url, what)
    page.evaluate("dispatch('live-mode', 'offline')")

    expect(page.locator(STATE)).to_contain_text("No offline copy")


def test_an_evicted_copy_is_kept_anew(window, live_server, rossi):
    page = open_board(window)
    evict(page, live_server.url, "indexeddb,service_workers,cache_storage")
    page.close()
    page = open_board(window)
    window.set_offline(True)
    page.reload()

    expect(page.locator(f"#r-{rossi.pk}")).to_contain_text("Rossi")


class TestClockOfTheTablet:
    """Hours ahead of the server's, or behind."""

    @pytest.fixture(params=[-7, 7], ids=["ahead", "behind"])
    def server_time(self, request):
        with time_machine.travel(timezone.now() + timedelta(hours=request.param)):
            yield

    @pytest.fixture
    def rossi(self, server_time, tonight_cast):
        guest = make_customer(tonight_cast.harbour, last_name="Rossi")
        return make_reservation(tonight_cast.quay, customer=guest, meal_at=timezone.now())

    def test_it_changes_nothing(self, window, rossi, tonight_cast):
        page = open_board(window)
        window.set_offline(True)
        page.reload()

        head = page.locator("#main").get_by_text(re.compile(r"Offline since .+ · as of .+"))
        expect(head).to_be_visible()
        expect(page.locator(f"#r-{rossi.pk}")).to_contain_text("Rossi")
        times = re.findall(r"\d\d:\d\d", head.inner_text())
        now = tonight_cast.quay.local(timezone.now())  # by the server's clock
        ours = {f"{now - timedelta(minutes=ago):%H:%M}" for ago in range(4)}
        assert len(times) == 2
        assert set(times) <= ours


def test_two_tabs_keep_one_copy(window):
    first = open_board(window)
    second = window.new_page()
    second.goto("/?zoom=arrivals")
    expect(second.locator("html")).to_have_attribute("data-live", "live")
    window.set_offline(True)
    for page in (first, second):
        page.reload()
        expect(page.locator("#main")).to_contain_text("Offline since")
        expect(page.locator("#main")).to_contain_text("Rossi")


def test_a_new_version_takes_away_nothing_that_is_typed(window, monkeypatch):
    page = open_board(window)
    follow(page)
    page.locator("#evening-q").press_sequentially("Ros")
    monkeypatch.setattr(WORKER_PARTS, "entries", [*WORKER_PARTS.entries, "upgrade"])
    page.evaluate("navigator.serviceWorker.ready.then((one) => one.update()).then(() => true)")

    expect(page.get_by_role("button", name="Load the new version")).to_be_visible()
    expect(page.locator("#evening-q")).to_have_value("Ros")
    expect(page.locator("#evening-q")).to_be_focused()
    with page.expect_event("load"):
        page.get_by_role("button", name="Load the new version").click()
    expect(page.locator(STATE)).to_contain_text("Offline copy", timeout=30_000)
