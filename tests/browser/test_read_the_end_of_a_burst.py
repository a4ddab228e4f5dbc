"""A change that comes while an earlier one is being read is on the screen too, without another."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Page, Route, expect

from live.announcements import announce_one
from reservations.testing import make_reservation
from tests.browser.conftest import store_version

NOTE = "One of us is allergic to nuts (carries an EpiPen)"
COUNT = """() => {
  window.heard = 0;
  document.body.addEventListener("live:reservations", () => { window.heard += 1; });
}"""
HEARD = """(count) => new Promise((done, fail) => {
  const ends = performance.now() + 30000;
  const look = () => {
    if (window.heard >= count) done();
    else if (performance.now() > ends) fail(new Error("not announced"));
    else setTimeout(look, 20);
  };
  look();
})"""
REQUESTED = {"status": "REQUESTED"}
# Where a board is read, the element of it, what changes second, and what that puts there.
PLACES: dict[str, tuple[str, dict[str, Any], str]] = {
    "kitchen": ("/reservations/brief/?scope={scope}", {"customer_note": NOTE}, "EpiPen"),
    "requests": ("/reservations/requests/?scope={scope}", REQUESTED, "Quay"),
    "board": ("/?zoom=pulse&scope={scope}", {"party_size": 9}, "13"),
    "tiles": ("/?zoom=list&whole=1&scope={scope}", {"party_size": 9}, "Party of 8+ 1"),
}


@pytest.fixture
def rows(web, tonight_cast):
    """Two bookings of an hour from now."""
    at = timezone.now() + timedelta(hours=1)
    return [make_reservation(tonight_cast.quay, meal_at=at, party_size=4) for _ in range(2)]


class Held:
    """The first answer for an element: read on the server, and on its way until it is let go."""

    def __init__(self, page: Page, element: str) -> None:
        self.page, self.element = page, element
        self.routes: list[tuple[Route, APIResponse]] = []
        page.route("**/*", self.take)

    def take(self, route: Route) -> None:
        if self.routes or route.request.headers.get("hx-target") != self.element:
            route.fallback()
        else:
            self.routes.append((route, route.fetch()))

    def wait(self) -> None:
        for _frame in range(2000):
            if self.routes:
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError("nothing was requested")

    def release(self) -> None:
        route, answer = self.routes[0]
        route.fulfill(response=answer)


@pytest.mark.parametrize("element", PLACES)
def test_it_works(rows, visit, page, element):
    first, second = rows
    address, fields, words = PLACES[element]
    visit(address.format(scope=first.restaurant.uuid))
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    page.evaluate(COUNT)
    held = Held(page, element)
    store_version(first, customer_note="A window, please")
    page.evaluate(HEARD, 1)
    held.wait()
    store_version(second, **fields)
    page.evaluate(HEARD, 2)
    held.release()

    expect(page.locator(f"#{element}")).to_contain_text(words, timeout=8_000)


@pytest.fixture
def held(rows, visit, page):
    """A board that is being read anew, as it is before the change."""
    visit(f"/?zoom=arrivals&whole=1&scope={rows[0].restaurant.uuid}")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    held = Held(page, "board")
    page.evaluate("document.getElementById('board').dataset.old = ''")
    page.evaluate("htmx.trigger(document.body, 'board:moved')")
    held.wait()
    return held


def test_a_board_read_before_a_change_puts_no_old_card_back(rows, held, page):
    card = page.locator(f'[data-live="reservation:{rows[0].pk}"]')
    store_version(rows[0], party_size=9)
    expect(card).to_have_attribute("data-version", "2")
    held.release()
    expect(page.locator("#board:not([data-old])")).to_be_visible()

    expect(card).to_have_attribute("data-version", "2", timeout=8_000)


def test_a_board_read_before_a_new_booking_announces_it_still(rows, held, page):
    new = make_reservation(rows[0].restaurant, meal_at=rows[0].meal_at)
    announce_one("reservation", new.pk, version=1, restaurant=new.restaurant)
    button = page.get_by_role("button", name="1 new – show")
    expect(button).to_be_visible()
    held.release()
    expect(page.locator("#board:not([data-old])")).to_be_visible()

    expect(button).to_be_visible(timeout=8_000)
