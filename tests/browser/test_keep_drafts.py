"""A draft outlives the browser in which it was typed and the server that kept it."""

import os
import signal

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from reviews.models import Review
from reviews.testing import make_comment
from tests.browser.conftest import enter
from webhooks.tests.serving import Web, web_program

PATIENCE = 20_000  # milliseconds, on a machine that does other things too
DRAFT = "Thank you very much for your kind words. We look forward to seeing you again."


@pytest.fixture
def review(live_cast):
    return make_comment(live_cast.quay)


def open_review(browser: Browser, web: Web, user: User, review: Review) -> Page:
    """The review in a browser of its own, served by one of several web programs."""
    address = f"http://127.0.0.1:{web.port}"
    context = browser.new_context()
    enter(context, user=user, address=address)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/reviews/{review.pk}/")
    return page


def kill(browser: Browser) -> None:
    """Kill -9: no page is left in the ordinary way, and nothing is sent on the way out."""
    info = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    [main] = [process["id"] for process in info if process["type"] == "browser"]
    os.kill(main, signal.SIGKILL)


@pytest.mark.slow
def test_it_works(live_cast, review, launch_browser, browser):
    with web_program() as first, web_program() as second:
        doomed = launch_browser()
        page = open_review(doomed, first, live_cast.bob, review)
        page.locator("#reply-text").fill(DRAFT)
        expect(page.locator(".draft__saved:visible")).to_contain_text("Saved", timeout=PATIENCE)
        first.kill()
        kill(doomed)

        page = open_review(browser, second, live_cast.bob, review)
        expect(page.locator("#reply-text")).to_have_value(DRAFT)
        expect(page.locator(".draft__saved:visible")).to_contain_text("Draft of Bob")
        page.context.close()
