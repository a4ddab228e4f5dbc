"""Scope, day and preferences, with and without script."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import enter


def test_the_scope_goes_along(visit, live_cast):
    page = visit("/?day=2026-06-14")
    page.locator("[popovertarget=scope-menu]").click()
    page.get_by_role("link", name="Cellar").first.click()

    page.wait_for_url(f"**scope={live_cast.cellar.uuid}*")
    page.get_by_role("navigation", name="Main menu", exact=True).get_by_role(
        "link", name="Reviews"
    ).click()

    page.wait_for_url(f"**/reviews/?scope={live_cast.cellar.uuid}&day=2026-06-14")
    expect(page.locator(".topbar__scope")).to_contain_text("Cellar")


def test_a_theme_is_there_at_once_and_stays(visit, live_cast):
    page = visit("/")
    page.locator("header [popovertarget=user-menu]").click()
    with page.expect_response("**/preferences/"):
        page.get_by_role("button", name="Dark").click()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_menu_can_be_kept_open(visit):
    page = visit("/")
    button = page.get_by_role("button", name="Keep the menu open")
    for state in ("pinned", "narrow", "pinned"):
        with page.expect_response("**/preferences/"):
            button.click()
        expect(page.locator("html")).to_have_attribute("data-rail", state)

    page.reload()
    expect(page.locator("html")).to_have_attribute("data-rail", "pinned")


@pytest.fixture
def bare_page(browser, live_cast, live_server):
    context = browser.new_context(java_script_enabled=False)
    enter(context, user=live_cast.dora, address=live_server.url)
    yield context.new_page()
    context.close()


def test_it_works_without_script(bare_page, live_server):
    bare_page.goto(f"{live_server.url}/")
    bare_page.locator("header [popovertarget=user-menu]").click()
    bare_page.get_by_role("button", name="Dark").click()
    expect(bare_page.locator("html")).to_have_attribute("data-theme", "dark")

    bare_page.locator(".topbar__search").click()
    bare_page.wait_for_url("**/customers/")
