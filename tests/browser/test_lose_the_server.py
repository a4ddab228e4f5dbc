"""The server is killed in the middle of service and comes back; and storage is refused."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from playwright.sync_api import BrowserContext, Error, Page, Route, expect

from bin.servers import free_port
from customers.testing import make_customer
from live.announcements import announce_one
from reservations.host_marks.models import HostMark
from reservations.models import Reservation
from reservations.testing import make_reservation
from restaurants.testing import make_offline_device, offline_cookie
from tests.browser.conftest import enter
from tests.browser.test_read_offline import follow, read_everything, sign_out
from webhooks.tests.serving import web_program

MOST_LIVE = 10_000  # milliseconds of an outage that the dot may still say Live
# Every state of the dot, and when.
WATCH = """
  window.states = [];
  const note = () => window.states.push([document.documentElement.dataset.live, performance.now()]);
  new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ["data-live"] });
"""
REFUSE = """
  const refuse = () => { throw new DOMException("denied", "SecurityError"); };
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
    Object.defineProperty(window, name, { get: refuse });
  navigator.serviceWorker.register = async () => refuse();
"""


@pytest.fixture
def rossi(tonight_cast):
    """Tonight at the Quay, with an allergy."""
    guest = make_customer(
        tonight_cast.harbour, last_name="Rossi", allergies_and_intolerances=["nuts"]
    )
    now = timezone.now()
    return make_reservation(tonight_cast.quay, customer=guest, party_size=2, meal_at=now)


@pytest.fixture
def tablet(rossi, tonight_cast, browser):
    """Open a browser on which an admin allows a copy of the Quay, at the address of its server."""
    contexts = []

    def make(address: str) -> BrowserContext:
        context: BrowserContext = browser.new_context(service_workers="allow", base_url=address)
        contexts.append(context)
        name, value = offline_cookie(make_offline_device(tonight_cast.quay))
        context.add_cookies([{"name": name, "value": value, "url": address}])
        enter(context, user=tonight_cast.bob, address=address)
        return context

    yield make
    for context in contexts:
        context.close()


def open_board(context: BrowserContext) -> Page:
    """The board, once its copy is kept and it is live."""
    page = context.new_page()
    page.goto("/?zoom=list")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator("[data-offline-state]")).to_contain_text("Offline copy", timeout=30_000)
    follow(page)
    return page


def test_it_works(rossi, tablet):
    port = free_port()
    context = tablet(f"http://127.0.0.1:{port}")
    context.add_init_script(WATCH)
    with web_program(port=port) as server:
        page = open_board(context)
        server.kill()
        killed_at = page.evaluate("performance.now()")
        expect(page.locator("#freshness")).to_contain_text("Offline since", timeout=30_000)
        states = [one for one in page.evaluate("states") if one[1] > killed_at]
        assert states[0][1] - killed_at <= MOST_LIVE
        assert "live" not in {state for state, _at in states}

        read_without_server(page, rossi)
        Reservation.objects.filter(pk=rossi.pk).update(party_size=7, version=2)
        announce_one("reservation", rossi.pk, version=2, restaurant=rossi.restaurant)
        assert "live" not in {state for state, _at in page.evaluate("states")}

    with web_program(port=port):
        expect(page.locator(".service")).to_contain_text("7", timeout=60_000)
        expect(page.locator("#main")).not_to_contain_text("Offline since")
        follow(page)


def read_without_server(page: Page, row: Reservation) -> None:
    page.reload()
    expect(page.locator("#main")).to_contain_text(re.compile(r"Offline since .+ · as of .+"))
    expect(page.locator(".now-row")).to_be_hidden()
    page.locator(f"#r-{row.pk} a").first.click()
    expect(page.locator("#drawer-body")).to_contain_text("nuts")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Briefing").click()
    expect(page.locator(".brief")).to_contain_text("Rossi")


def test_a_window_that_may_store_nothing_works_and_says_that_it_has_no_copy(
    rossi, tablet, live_server
):
    context = tablet(live_server.url)
    context.add_init_script(REFUSE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto("/?zoom=list")
    follow(page)

    expect(page.locator("[data-offline-state]")).to_contain_text("No offline copy")
    page.locator(f"#r-{rossi.pk} a").first.click()
    expect(page.locator("#drawer-body")).to_contain_text("nuts")
    assert faults == []


def test_whoever_signs_out_in_one_tab_has_left_the_other_too(rossi, tablet, live_server):
    context = tablet(live_server.url)
    first, second = open_board(context), context.new_page()
    second.goto("/?zoom=list")
    follow(second)
    sign_out(first)
    first.wait_for_url("**/accounts/login/**")

    expect(second).to_have_url(re.compile("/accounts/login/"))
    assert str(rossi.pk) not in read_everything(second)
    context.set_offline(True)
    with pytest.raises(Error):  # there is nothing to show
        second.goto("/?zoom=list")


def test_whoever_takes_a_tablet_over_finds_no_page_of_the_last_person(
    rossi, tonight_cast, tablet, live_server
):
    context = tablet(live_server.url)
    first, second, faulty = (context.new_page() for _ in range(3))
    first.goto("/?zoom=list")
    expect(first.locator("#main")).to_contain_text("Rossi")
    answer = {"status": 500, "content_type": "text/html", "body": render_to_string("500.html")}
    context.route("**/calls/", lambda route: route.fulfill(**answer))
    faulty.goto("/calls/")
    faulty.evaluate("window.isSame = true")
    enter(context, user=tonight_cast.charlie, address=live_server.url)
    with first.expect_event("load"):
        second.goto("/?zoom=list")

    expect(first.locator("#main")).not_to_contain_text("Rossi")
    assert faulty.evaluate("window.isSame")  # what was sent there is not sent again


PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(rossi, tonight_cast, live_server, browser, settings):
    """The board on a telephone without an offline copy, whose network then is gone."""
    settings.DEMO_SANDBOX = "http://127.0.0.1:8100"
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=tonight_cast.bob, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/?zoom=list")
    follow(page)
    context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-live", "offline")
    yield page
    context.close()


def test_a_telephone_too_shows_in_words_how_old_its_board_is(phone):
    words = phone.locator("#freshness")
    expect(words).to_contain_text(re.compile(r"Offline since .+ · as of"))
    box = words.bounding_box()
    tabs = phone.locator(".tabbar").bounding_box()
    demo = phone.locator(".setup-bar--slim")
    phone.locator("#evening").evaluate("one => one.style.minBlockSize = '3000px'")  # a full one

    assert box["width"] >= PHONE["width"] - 1
    assert box["y"] + box["height"] == pytest.approx(tabs["y"], abs=1)
    assert demo.bounding_box()["y"] + demo.bounding_box()["height"] <= box["y"]
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_booking_that_cannot_be_read_covers_no_board_with_an_empty_drawer(phone, rossi):
    card = phone.locator(f"#r-{rossi.uuid} a").first
    card.tap()

    expect(phone.get_by_role("alert")).to_contain_text("The server did not answer")
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(card).to_be_focused()
    expect(card).to_be_in_viewport()


def test_nobody_reads_that_nothing_changed_when_the_answer_to_what_was_sent_is_lost(
    phone, rossi, live_server
):
    phone.context.set_offline(False)
    phone.goto(f"{live_server.url}/?zoom=list")
    phone.locator(f"#r-{rossi.uuid} a").first.tap()
    no_answer = phone.locator("#drawer-body").get_by_role("button", name="No answer")
    expect(no_answer).to_be_visible()

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.route("**/marks/", lose_answer)
    no_answer.tap()

    words = phone.get_by_role("alert")
    expect(words).to_contain_text("may be saved or not: look before")
    words.get_by_role("button").click(trial=True)  # the drawer does not cover it
    assert HostMark.objects.filter(reservation=rossi).exists()


def test_a_booking_that_is_long_in_coming_is_waited_for_in_sight_and_not_for_ever(
    phone, rossi, live_server
):
    phone.context.set_offline(False)
    phone.goto(f"{live_server.url}/?zoom=list")
    phone.route(f"**/reservations/{rossi.uuid}/", lambda _route: None)
    card = phone.locator(f"#r-{rossi.uuid} a").first
    card.tap()
    body = phone.locator("#drawer-body")
    expect(body).to_be_visible()

    assert body.evaluate("one => getComputedStyle(one, '::before').animationName") == (
        "waiting, appear"
    )
    expect(phone.get_by_role("alert")).to_contain_text("The server did not answer")
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(card).to_be_focused()
