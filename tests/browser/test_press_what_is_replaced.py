"""A press on a link or button that the page refreshes before the finger leaves."""

import pytest
from playwright.sync_api import Locator, Page, expect

REPLACED = "(item) => item.replaceWith(item.cloneNode(true))"
BY_ANOTHER = (
    "(item) => { const it = item.cloneNode(true); it.href = '/phone/'; item.replaceWith(it) }"
)


@pytest.fixture
def page(visit) -> Page:
    page: Page = visit("/")
    page.evaluate("addEventListener('click', () => { window.clicks = (window.clicks ?? 0) + 1 })")
    return page


def press(item: Locator, *, meanwhile: str) -> None:
    """Put the mouse down on it, let the page change, and let go."""
    item.hover()
    item.page.mouse.down()
    item.evaluate(meanwhile)
    item.page.mouse.up()


def reviews(page: Page) -> Locator:
    menu = page.get_by_role("navigation", name="Main menu", exact=True)
    return menu.get_by_role("link", name="Reviews")


def test_a_link_is_followed(page):
    press(reviews(page), meanwhile=REPLACED)

    page.wait_for_url("**/reviews/**")


def test_a_button_is_pressed_once(page):
    press(page.get_by_role("button", name="Keep the menu open"), meanwhile=REPLACED)

    expect(page.locator("html")).to_have_attribute("data-rail", "pinned")
    assert page.evaluate("window.clicks") == 1


def test_a_finger_presses_once_too(page):
    """The browser presses what is there now by itself: a mark was set and taken back."""
    button = page.get_by_role("button", name="Keep the menu open")
    box = button.bounding_box()
    finger = page.context.new_cdp_session(page)
    points = [{"x": box["x"] + 9, "y": box["y"] + 9}]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    button.evaluate(REPLACED)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.evaluate("new Promise((late) => setTimeout(late, 300))")

    expect(page.locator("html")).to_have_attribute("data-rail", "pinned")
    assert page.evaluate("window.clicks") == 1


def test_a_click_on_what_lies_around_is_no_press(page):
    """Some browsers send it there, where the press began on what is no more."""
    page.evaluate("addEventListener('pointerup', () => setTimeout(() => document.body.click()))")
    press(reviews(page), meanwhile=REPLACED)

    page.wait_for_url("**/reviews/**")


def test_another_link_in_its_place_is_left_alone(page):
    press(reviews(page), meanwhile=BY_ANOTHER)

    assert page.evaluate("window.clicks ?? 0") == 0
