"""One evening from its first look to its last: what somebody does who keeps the board open."""

import pytest
from playwright.sync_api import Page, expect

from customers.testing import make_customer
from live.announcements import announce
from live.testing import make_line
from reservations.testing import DINNER, make_reservation
from tests.browser.conftest import enter, violations

DAY = f"day={DINNER:%Y-%m-%d}"


@pytest.fixture
def rossi(web, live_cast):
    """At the Quay, with an allergy; somebody else comes then too."""
    guest = make_customer(
        live_cast.harbour, first_name="Ada", last_name="Rossi", allergies_and_intolerances=["nuts"]
    )
    other = make_customer(live_cast.harbour, first_name="Leo", last_name="Brandt")
    make_reservation(live_cast.quay, customer=other, party_size=4)
    return make_reservation(live_cast.quay, customer=guest, party_size=2)


@pytest.fixture
def board(rossi, visit, live_cast) -> Page:
    page: Page = visit(f"/?scope={live_cast.quay.uuid}&{DAY}")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    return page


def grow(row, *, party_size: int) -> None:
    """An event has announced a change, and it is stored."""
    row.party_size = party_size
    row.version += 1
    row.save()
    announce([make_line(row.restaurant, uuid=row.uuid, version=row.version)])


def card(page: Page, row):
    return page.locator(f"#r-{row.uuid}")


def test_it_works_from_the_keyboard_alone(board, rossi):
    for key, zoom in (("1", "pulse"), ("3", "stays"), ("4", "list"), ("2", "arrivals")):
        board.keyboard.press(key)
        board.wait_for_url(f"**zoom={zoom}*")
        expect(board.locator("#board")).to_contain_text("Rossi" if zoom != "pulse" else "6")

    board.get_by_role("link", name="Allergy, tagged 1", exact=True).focus()
    board.keyboard.press("Enter")
    expect(card(board, rossi)).to_be_visible()
    expect(board.locator("#board")).not_to_contain_text("Brandt")

    board.keyboard.press("j")
    board.keyboard.press("Enter")
    expect(board.locator("#drawer-body")).to_contain_text("nuts")
    board.keyboard.press("Escape")
    expect(board.locator("#drawer")).to_be_hidden()


def test_a_change_arrives_while_someone_types(board, rossi):
    expect(card(board, rossi)).to_contain_text("2")
    board.locator("#evening-q").focus()
    board.keyboard.type("Bra")

    grow(rossi, party_size=5)

    expect(card(board, rossi)).to_contain_text("5")
    board.keyboard.type("ndt")
    expect(board.locator("#evening-q")).to_be_focused()
    expect(board.locator("#evening-q")).to_have_value("Brandt")


def test_what_changed_without_network_is_there_afterwards(rossi, live_cast, live_server, context):
    enter(context, user=live_cast.dora, address=live_server.url)
    tab = context.new_page()  # whose complaints about the network are no fault
    tab.goto(f"{live_server.url}/?scope={live_cast.quay.uuid}&{DAY}")
    expect(tab.locator("html")).to_have_attribute("data-live", "live")
    context.set_offline(True)
    expect(tab.locator("html")).to_have_attribute("data-live", "offline")
    tab.evaluate("htmx.ajax('GET', '/', '#tiles').catch(() => {})")  # as by itself every minute
    expect(tab.locator("[data-toast]")).to_have_count(0)
    grow(rossi, party_size=7)

    context.set_offline(False)

    expect(card(tab, rossi)).to_contain_text("7")
    expect(tab.locator("html")).to_have_attribute("data-live", "live")


def test_paper_gets_the_evening_and_nothing_else(board, rossi):
    board.emulate_media(media="print")

    expect(card(board, rossi)).to_be_visible()
    for screen_only in ("#evening-q", "header nav", "#freshness"):
        assert not board.locator(screen_only).first.is_visible(), screen_only


def test_a_phone_in_the_dark_begins_with_the_list(
    rossi, live_cast, live_server, browser, playwright
):
    context = browser.new_context(**playwright.devices["Pixel 7"], color_scheme="dark")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/?{DAY}")

    expect(page.get_by_role("table")).to_contain_text("Rossi")
    assert violations(page) == []
    card(page, rossi).get_by_role("link").first.click()
    expect(page.get_by_text("nuts").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
