"""A host dismisses what was read in a note: the other screens follow, until the note changes."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from live.announcements import announce_one
from reservations.models import Reservation
from reservations.testing import make_reservation
from tests.browser.conftest import enter, violations

NOTE = "Allergic to nuts, no onions please"


@pytest.fixture
def rossi(web, tonight_cast):
    return make_reservation(tonight_cast.quay, meal_at=timezone.now(), customer_note=NOTE)


@pytest.fixture
def drawer(rossi, visit, page):
    """The drawer of the host, over the board."""
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(f"/?day={rossi.service_day}&zoom=list&whole=1&r={rossi.uuid}")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    expect(page.locator(".htmx-settling")).to_have_count(0)
    return page.locator("#drawer")


@pytest.fixture
def open_for_alice(live_cast, live_server, browser):
    """Pages of another person on another device, which are live."""
    device = browser.new_context()
    enter(device, user=live_cast.alice, address=live_server.url)

    def open_page(address):
        page = device.new_page()
        page.goto(live_server.url + address)
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        return page

    yield open_page
    device.close()


def press(drawer, name):
    if not drawer.get_by_role("button", name=name).is_visible():
        drawer.get_by_text("Confirm or dismiss").click()
    drawer.get_by_role("button", name=name).click()


def test_it_works(rossi, drawer, open_for_alice):
    board = open_for_alice(f"/?day={rossi.service_day}&zoom=list&whole=1")
    kitchen = open_for_alice("/reservations/brief/")
    card = board.locator(f"[data-live='reservation:{rossi.uuid}']").first
    expect(card.locator("[data-mark=allergy-noted]").first).to_be_attached()
    expect(kitchen.locator(".allergens")).to_contain_text("Nuts")

    press(drawer, "Dismiss : Nuts")
    expect(drawer).to_contain_text("Dismissed for this booking by")
    expect(card.locator("[data-mark=allergy-noted]")).to_have_count(0)
    expect(kitchen.locator(".allergens")).not_to_contain_text("Nuts")
    expect(kitchen.locator(".allergens")).to_contain_text("Onion")

    change_note(rossi, f"{NOTE}. She carries an EpiPen")
    expect(card.locator("[data-mark=allergy-noted]").first).to_be_attached()
    expect(kitchen.locator(".allergens")).to_contain_text("Nuts")
    expect(drawer).not_to_contain_text("Dismissed for this booking by")


def test_a_confirmed_hint_is_stated_on_every_screen(rossi, drawer, open_for_alice):
    kitchen = open_for_alice("/reservations/brief/")
    onion = kitchen.locator(".allergens tr", has_text="Onion")
    expect(onion).to_have_attribute("data-certainty", "maybe")

    press(drawer, "Confirm : Onion")
    expect(onion).to_have_attribute("data-certainty", "stated")
    expect(drawer).to_contain_text("Confirmed for this booking by")
    assert violations(drawer.page) == []


def change_note(row, note):
    """An event has announced another note, and it is stored."""
    row.refresh_from_db()
    row.version += 1
    Reservation.objects.filter(pk=row.pk).update(customer_note=note, version=row.version)
    announce_one("reservation", row.pk, version=row.version, restaurant=row.restaurant)
