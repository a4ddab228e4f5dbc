"""An allergy arrives during service: the kitchen sees it, ticks it, and the host sees by whom."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from live.announcements import announce_one
from reservations.models import Reservation
from reservations.testing import make_reservation
from tests.browser.conftest import enter, violations

TABLET = {"width": 1024, "height": 768}
NOTE = "One of us is allergic to nuts (carries an EpiPen)"


@pytest.fixture
def rossi(web, tonight_cast):
    """A booking of tonight, of which nothing of the kind is known."""
    return make_reservation(tonight_cast.quay, meal_at=timezone.now(), party_size=4)


@pytest.fixture
def kitchen(rossi, visit, page):
    """The kitchen's tablet, which is live."""
    page.set_viewport_size(TABLET)
    visit("/reservations/brief/")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    return page


def arrive(row, note):
    """An event has announced another note, and it is stored."""
    Reservation.objects.filter(pk=row.pk).update(customer_note=note, version=row.version + 1)
    row.refresh_from_db()
    announce_one("reservation", row.pk, version=row.version, restaurant=row.restaurant)


def test_it_works(rossi, kitchen, live_cast, live_server, browser):
    arrive(rossi, NOTE)
    line = kitchen.locator(".ticket")
    expect(line).to_contain_text("EpiPen")
    expect(kitchen.get_by_role("heading", name="Not seen yet")).to_be_visible()

    line.get_by_role("button", name="Seen").click()
    expect(kitchen.locator(".ticket")).to_contain_text("Kitchen: seen by")

    host = browser.new_context()
    enter(host, user=live_cast.alice, address=live_server.url)
    page = host.new_page()
    page.goto(f"{live_server.url}/reservations/{rossi.uuid}/")
    expect(page.locator("#seen-by-kitchen")).to_contain_text(f"seen by {live_cast.dora}")
    assert violations(kitchen) == []
    host.close()


def test_what_changes_after_the_tick_stands_on_top(rossi, kitchen):
    arrive(rossi, NOTE)
    kitchen.get_by_role("button", name="Seen").click()
    expect(kitchen.get_by_role("heading", name="Seen by the kitchen")).to_be_visible()

    arrive(rossi, f"{NOTE}, and to fish")
    expect(
        kitchen.get_by_role("heading", name="Changed since it was printed or seen")
    ).to_be_visible()
    expect(kitchen.locator(".ticket")).to_contain_text("fish")


def test_the_host_hears_of_the_tick_while_the_drawer_is_open(
    rossi, kitchen, live_cast, live_server, browser
):
    arrive(rossi, NOTE)
    host = browser.new_context()
    enter(host, user=live_cast.alice, address=live_server.url)
    page = host.new_page()
    page.goto(f"{live_server.url}/reservations/{rossi.uuid}/")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    expect(page.locator("#seen-by-kitchen")).to_contain_text("not seen yet")

    kitchen.get_by_role("button", name="Seen").click()
    expect(page.locator("#seen-by-kitchen")).to_contain_text(f"seen by {live_cast.dora}")
    host.close()


@pytest.fixture
def paper(rossi, kitchen):
    """Printed with a number, and hung up; the tablet is left on the page of its code."""
    arrive(rossi, NOTE)
    expect(kitchen.locator(".ticket")).to_contain_text("EpiPen")
    kitchen.evaluate("print = () => { window.printed = true }")
    kitchen.get_by_role("button", name="Print").click()
    expect(kitchen.locator(".paper")).to_contain_text("Paper")
    kitchen.goto(kitchen.locator(".paper__code").evaluate("code => code.href"))
    expect(kitchen.locator("html")).to_have_attribute("data-live", "live")
    return kitchen


def test_the_paper_is_true_until_something_changes(rossi, paper):
    expect(paper.get_by_role("status").first).to_contain_text("Still true")

    arrive(rossi, f"{NOTE}, and to fish")
    expect(paper.get_by_role("status").first).to_contain_text("Not true any more")
    expect(paper.locator(".ticket")).to_contain_text("fish")
    assert violations(paper) == []


def test_the_kitchen_rings_when_a_line_comes(rossi, kitchen):
    kitchen.evaluate("addEventListener('kitchen:rings', ({detail}) => { window.rang = detail })")
    kitchen.get_by_role("button", name="Sound").click()
    expect(kitchen.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")

    arrive(rossi, NOTE)
    expect(kitchen.locator(".ticket--new")).to_contain_text("EpiPen")
    assert kitchen.evaluate("window.rang") == 1
