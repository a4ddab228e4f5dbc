"""A form that somebody has opened stays open and filled in, whatever happens meanwhile."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, Route, expect

from customers.testing import make_customer
from reservations.models import Reservation
from reservations.testing import make_reservation
from reviews.testing import make_comment
from tests.browser.conftest import store_version, violations

FORMS = {"Cancel booking": "textarea", "Change": "#pick-size", "Note": "textarea"}
NOTE = "Allergic to nuts, no onions please"
# What a page reads again by itself, and what it may read again because of it.
EVENTS = """() => [
  "live:resync", "live:intent", "live:reservation", "live:reservations", "live:readings",
  "live:reviews", "live:works", "live:acknowledgements", "live:alerts", "live:call",
].forEach((name) => document.body.dispatchEvent(new CustomEvent(name)))"""
PLACES = """[...new Set([...document.querySelectorAll(
  "[hx-trigger*='live:'], [hx-trigger*='every '], [data-open-url]"
)].map((one) => document.querySelector(
  one.getAttribute("hx-target")?.match(/^#.+/)?.[0] ?? "nothing"
) ?? one))]"""
FIELDS = "[...place.querySelectorAll('input:not([type=hidden]), textarea, select')]"
# Every field within what is refreshed; each such place is marked as not refreshed.
FILL = f"""() => {PLACES}.flatMap((place) => {{
  const fields = {FIELDS};
  if (!fields.length) return [];
  place.firstElementChild.dataset.old = "";
  place.querySelectorAll("details").forEach((one) => {{ one.open = true; }});
  for (const field of fields) {{
    if (field.matches("[type=radio], [type=checkbox]")) field.checked = true;
    else field.value = field.options ? field.options[field.options.length - 1].value : "filled in";
  }}
  return fields.map((field) => field.name);
}})"""
REFRESHED = "() => !document.querySelector('[data-old]')"
EMPTIED = f"""() => {PLACES}.flatMap((place) => {FIELDS}).filter((field) => {{
  if (field.matches("[type=radio]")) return field.checked && field.defaultChecked;
  if (field.matches("[type=checkbox]")) return !field.checked;
  return !field.options && field.value !== "filled in";
}}).map((field) => field.name)"""

NOTIFY = "(name) => document.body.dispatchEvent(new CustomEvent(name))"
# A row of the list, as live-refresh.js replaces it.
CHANGE = """() => {
  const row = document.querySelector("[data-live]");
  htmx.swap(row, "<li>Changed</li>", { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
}"""
TYPE = """(value) => {
  const field = document.querySelector("[hx-trigger*='live:reviews'] [name=name]");
  return value ? field.value = value : field.value;
}"""


@pytest.fixture
def rossi(web, tonight_cast) -> Reservation:
    tonight = timezone.now() + timedelta(hours=1)
    guest = make_customer(tonight_cast.harbour)
    fields = {"customer": guest, "meal_at": tonight, "party_size": 4, "customer_note": NOTE}
    return make_reservation(tonight_cast.quay, **fields)


@pytest.fixture
def drawer(rossi, visit, page) -> Locator:
    page.set_viewport_size({"width": 1440, "height": 900})
    day = rossi.service_day
    visit(f"/?scope={rossi.restaurant.uuid}&day={day}&zoom=list&whole=1&r={rossi.pk}")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    expect(page.locator("#drawer h2")).to_be_focused()
    expect(page.locator(".htmx-settling")).to_have_count(0)
    found: Locator = page.locator("#drawer")
    return found


@pytest.fixture(params=FORMS)
def form(request, drawer) -> Locator:
    """One of the forms of a booking, by its first field."""
    return open_form(drawer, request.param)


def open_form(drawer: Locator, name: str) -> Locator:
    drawer.get_by_role("link", name=name, exact=True).click()
    field = drawer.locator(FORMS[name])
    expect(field).to_be_visible()
    expect(drawer.locator(".htmx-settling")).to_have_count(0)
    return field


def hold(page: Page, address: str) -> list[Route]:
    """Answers of an address that come only when they are let go."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))
    return held


class TestEvents:
    def test_it_works(self, rossi, drawer, form, page):
        form.fill("12")
        page.evaluate(EVENTS)
        store_version(rossi, party_size=6)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(drawer.get_by_text("The booking has just changed")).to_be_visible()
        expect(form).to_have_value("12")
        expect(form).to_be_focused()
        assert violations(page) == []

    def test_the_button_of_a_cancellation_follows_too(self, rossi, drawer):
        form = open_form(drawer, "Cancel booking")
        form.fill("By telephone")
        store_version(rossi, party_size=6)

        expect(drawer.get_by_role("button", name="Cancel booking for 6")).to_be_visible()
        expect(drawer.get_by_text("still to be cancelled")).to_be_visible()
        expect(form).to_have_value("By telephone")

    def test_it_is_seen_that_the_booking_was_cancelled(self, rossi, drawer, form):
        form.fill("12")
        store_version(rossi, status="CANCELED")

        expect(drawer.get_by_text("nothing can be changed any more")).to_be_visible()
        expect(form).to_have_value("12")

    def test_a_change_that_was_not_announced_is_seen_after_the_next_resync(
        self, rossi, drawer, form, page
    ):
        Reservation.objects.filter(pk=rossi.pk).update(version=rossi.version + 1, party_size=6)
        page.evaluate(EVENTS)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(drawer.get_by_text("The booking has just changed")).to_be_visible()
        expect(form).to_be_visible()

    def test_of_a_booking_as_it_was_nothing_is_reported(self, drawer, form, page):
        with page.expect_response("**/changes/facts/**"):
            page.evaluate(EVENTS)

        expect(drawer.get_by_text("4 people")).to_be_visible()
        expect(drawer.get_by_text("The booking has just changed")).to_be_hidden()
        expect(form).to_be_visible()


class TestDialogs:
    def test_the_key_that_closes_another_leaves_it_open(self, drawer, page):
        form = open_form(drawer, "Note")
        form.fill("12")
        page.keyboard.press("Control+k")
        expect(page.locator("#palette")).to_be_visible()
        page.keyboard.press("Escape")

        expect(page.locator("#palette")).to_be_hidden()
        expect(form).to_have_value("12", timeout=1_000)

    def test_text_that_is_marked_beyond_its_edge_stays(self, drawer, page):
        """On a smaller screen, where a press beside the drawer closes it."""
        page.set_viewport_size({"width": 1100, "height": 800})
        page.reload()
        form = open_form(drawer, "Note")
        form.fill("Many things that somebody has typed")
        box: Any = form.bounding_box()
        page.mouse.move(box["x"] + 80, box["y"] + 15)
        page.mouse.down()
        page.mouse.move(box["x"] - 300, box["y"] + 15)
        page.mouse.up()

        expect(form).to_have_value("Many things that somebody has typed", timeout=1_000)
        page.mouse.click(9, 400)
        expect(form).to_be_hidden()


class TestLateAnswer:
    """An answer to what was pressed before the form was opened."""

    @pytest.mark.parametrize("name", FORMS)
    def test_of_a_mark(self, drawer, page, name):
        held = hold(page, "**/marks/")
        drawer.get_by_role("button", name="No answer").click()
        form = open_form(drawer, name)
        form.fill("12")
        with page.expect_response("**/changes/facts/**"):
            held[0].continue_()

        expect(form).to_have_value("12")
        drawer.get_by_role("link", name="Back to the booking").click()
        expect(drawer.locator(".host-marks__list")).to_contain_text("no answer")

    @pytest.mark.parametrize("name", FORMS)
    def test_about_a_form_that_was_left_is_not_awaited(self, rossi, drawer, page, name):
        hold(page, "**/changes/facts/**")
        open_form(drawer, name)
        with page.expect_request("**/changes/facts/**"):
            store_version(rossi, party_size=6)
        with page.expect_event("requestfailed", lambda one: "/changes/facts/" in one.url):
            drawer.get_by_role("link", name="Back to the booking").click()

        expect(drawer.get_by_role("link", name=name, exact=True)).to_be_visible()
        expect(drawer.get_by_text("6 people")).to_be_visible()

    def test_of_another_booking(self, rossi, drawer, page):
        other = make_reservation(rossi.restaurant, meal_at=rossi.meal_at, party_size=9)
        page.reload()
        expect(page.locator("#drawer h2")).to_be_focused()
        held = hold(page, f"**/reservations/{other.pk}/")
        page.locator(f"#r-{other.pk} [data-drawer]").click()
        form = open_form(drawer, "Note")
        form.fill("12")
        with page.expect_request_finished(lambda one: str(other.pk) in one.url):
            held[0].continue_()
        store_version(rossi, party_size=6)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(form).to_have_value("12")

    def test_of_a_refused_form_is_reported(self, drawer, page):
        form = open_form(drawer, "Note")
        held = hold(page, "**/note/")
        form.fill("x" * 20)
        form.evaluate("(area) => { area.value = 'x'.repeat(5000) }")
        drawer.get_by_role("button", name="Save the note").click()
        drawer.get_by_role("link", name="Back to the booking").click()
        form = open_form(drawer, "Cancel booking")
        held[0].continue_()

        expect(page.get_by_text("That did not work")).to_be_visible()
        expect(form).to_be_visible()


def test_a_card_that_changes_behind_the_drawer_gets_the_focus_back(rossi, drawer, page):
    """The link that had opened it was replaced: the focus went to the top of the page."""
    link = page.locator(f"#r-{rossi.pk} [data-drawer]")
    link.click()
    expect(page.locator("#drawer h2")).to_be_focused()
    page.mouse.move(0, 0)
    link.evaluate("one => { one.dataset.old = true; }")
    store_version(rossi, party_size=6)
    expect(page.locator("[data-old]")).to_have_count(0)
    page.keyboard.press("Escape")

    expect(link).to_be_focused()


def test_a_card_that_changes_keeps_the_focus(rossi, drawer, page):
    """Where the drawer has left it. The next key began at the top of the page."""
    link = page.locator(f"#r-{rossi.pk} [data-drawer]")
    link.click()
    expect(page.locator("#drawer h2")).to_be_focused()
    drawer.locator("[data-close]").first.click()
    expect(link).to_be_focused()
    store_version(rossi, party_size=6)

    expect(page.locator(f"#r-{rossi.pk}")).to_have_attribute("data-version", "2")
    expect(link).to_be_focused()


class TestRefreshedPlaces:
    """Fields within what a page reads again by itself."""

    def check(self, page: Page, *names: str) -> None:
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        found = page.evaluate(FILL)
        page.evaluate(EVENTS)
        page.wait_for_function(REFRESHED)

        assert set(names) <= set(found)
        assert page.evaluate(EMPTIED) == []

    def test_of_a_booking(self, rossi, visit, page):
        visit(rossi.get_absolute_url())

        self.check(page, "scope")
        expect(page.get_by_role("button", name="Confirm : Nuts")).to_be_visible()

    def test_one_without_an_answer_undoes_nothing_that_is_typed_later(
        self, web, live_cast, visit, page
    ):
        """After a moment without the server the next refresh of any place brought it back."""
        make_comment(live_cast.quay)
        visit("/reviews/?late=1")
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        page.route("**/reviews/**", lambda route: route.fulfill(status=204))
        page.evaluate(TYPE, "filled")
        with page.expect_response(lambda answer: answer.status == 204):
            page.evaluate(NOTIFY, "live:reviews")
        page.evaluate(TYPE, "filled in")
        page.evaluate(CHANGE)
        with page.expect_response("**/live/alerts/"):
            page.evaluate(NOTIFY, "live:alerts")
        page.evaluate("new Promise((drawn) => setTimeout(drawn, 100))")

        assert page.evaluate(TYPE) == "filled in"

    def test_of_reviews(self, web, live_cast, visit, page):
        review = make_comment(live_cast.quay)
        visit(f"/reviews/{review.pk}/?late=1")
        reply = page.locator("#reply-text")
        reply.fill("Thank you very much")

        self.check(page, "name")
        expect(reply).to_have_value("Thank you very much")
