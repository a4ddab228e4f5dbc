"""Book, change, note, cancel and undo with a mouse, against the running sandbox."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from outbox.models import Intent
from partner import testing
from partner.models import Token
from restaurants.models import Restaurant
from restaurants.testing import make_member, make_user
from tests.browser.conftest import enter, violations
from tests.contract.places import carry, make_places
from tests.contract.sandbox import Sandbox

pytestmark = pytest.mark.slow
EDGES = "one => one.getBoundingClientRect().toJSON()"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    running = Sandbox(tmp_path_factory.mktemp("sandbox"))
    yield running
    running.stop()


@pytest.fixture
def bistro(live_cast, sandbox: Sandbox) -> Restaurant:
    """A restaurant that the sandbox knows, and a connection to it."""
    testing.connection(**sandbox.credentials())
    Token.objects.all().delete()
    return make_places(sandbox.world)[0]


@pytest.fixture
def at(page: Page, bistro: Restaurant, live_server):
    lea: User = make_user("lea@example.org")
    make_member(lea, bistro, "manager")
    enter(page.context, user=lea, address=live_server.url)

    def go(address: str) -> Page:
        page.goto(live_server.url + address)
        return page

    return go


def book(at, bistro: Restaurant) -> Page:
    day = timezone.now().date() + timedelta(days=3)
    page: Page = at(f"/reservations/new/?scope={bistro.uuid}&day={day}&size=2")
    page.locator(".slots a.chip").nth(2).click()
    page.get_by_label("First name").fill("Jo")
    page.get_by_label("Last name").fill("Martin")
    page.locator("#id_email").fill("browser@example.com")
    page.locator("#id_locale").select_option("fr_FR")
    page.locator("#id_civility").select_option("mx")
    page.evaluate("scrollTo(0, 0)")  # what lies half under the summary has no size
    assert violations(page) == []
    page.get_by_role("button", name="Book for 2 people").click()
    expect(page.get_by_text("Waiting to be sent")).to_be_visible()
    carry()
    page.reload()
    expect(page.get_by_text("Confirmed", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Open the booking").click()
    return page


def note(page: Page, text: str) -> None:
    page.get_by_role("link", name="Note", exact=True).click()
    page.get_by_label("Team note").fill(text)
    page.get_by_role("button", name="Save the note").click()
    expect(newest(page)).to_contain_text("Waiting to be sent")
    carry()
    expect(newest(page)).to_contain_text("Saved")


def change(page: Page) -> None:
    page.get_by_role("link", name="Change", exact=True).click()
    page.locator(".slots a.chip").nth(4).click()
    expect(page.get_by_text("This will change")).to_be_visible()
    page.get_by_role("button", name="Confirm the change").click()
    expect(newest(page)).to_contain_text("Waiting to be sent")
    carry()
    expect(newest(page)).to_contain_text("Saved")


def cancel(page: Page) -> None:
    page.get_by_role("link", name="Cancel booking").click()
    expect(page.get_by_text("This cannot be reversed")).to_be_visible()
    page.get_by_role("button", name="Cancel booking for 2").click()
    expect(newest(page)).to_contain_text("Held")


def newest(page: Page):
    return page.locator("#sent-changes article").first


def test_it_works(at, bistro: Restaurant, sandbox: Sandbox):
    page = book(at, bistro)
    uuid = Intent.objects.get().result_uuid

    def truth():
        return sandbox.get(f"truth/reservation/{uuid}")["payload"]

    before = truth()
    note(page, "Window\ntable")
    change(page)
    cancel(page)
    page.get_by_role("button", name="Undo").click()
    expect(newest(page)).to_contain_text("Undone, nothing was sent")
    carry()
    kept = truth()
    assert (kept["status"], kept["restaurantNote"]) == ("RECORDED", "Window\ntable")
    assert kept["mealDate"] != before["mealDate"]

    cancel(page)
    carry()
    expect(newest(page)).to_contain_text("Cancelled")
    assert truth()["status"] == "CANCELED"
    assert sandbox.breaches() == {}


def test_on_a_phone_the_free_times_stand_on_the_first_screen(at, bistro: Restaurant):
    day = timezone.now().date() + timedelta(days=3)
    page: Page = at(f"/reservations/new/?scope={bistro.uuid}&day={day}&size=2")
    page.set_viewport_size({"width": 390, "height": 720})
    page.reload()

    expect(page.locator(".slots a.chip").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".days [aria-current]")).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_button_to_book_stays_above_the_tabs(at, bistro: Restaurant):
    """Below a guest's fields it stood two screens down; it covers no field that has the focus."""
    day = timezone.now().date() + timedelta(days=3)
    page: Page = at(f"/reservations/new/?scope={bistro.uuid}&day={day}&size=2")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".slots a.chip").nth(2).click()
    book = page.get_by_role("button", name="Book for 2 people")
    bar = page.locator(".funnel .form__actions")
    tabs = page.locator(".tabbar").evaluate(EDGES)
    expect(page.locator(".booking-page__summary")).to_contain_text("\u00a0· ", use_inner_text=True)

    for name in ("First name", "The guest asks", "Team note"):
        field = page.get_by_label(name)
        field.focus()
        expect(field).to_be_in_viewport(ratio=1)
        expect(book).to_be_in_viewport(ratio=1)
        assert field.evaluate(EDGES)["bottom"] <= bar.evaluate(EDGES)["top"], name
        assert bar.evaluate(EDGES)["bottom"] <= tabs["top"] + 1, name


def test_an_offer_leads_over_its_days_to_a_booking(at, bistro: Restaurant, sandbox: Sandbox):
    page: Page = at(f"/reservations/offers/?scope={bistro.uuid}")
    card = page.locator("article", has_text="Menu of the day, 2 courses")
    expect(card).to_contain_text("1–8")  # sizes come by themselves
    assert violations(page) == []
    card.get_by_role("link", name="Which days?").click()
    two = page.get_by_role("link", name="2", exact=True).first
    two.click()
    expect(two).to_have_attribute("aria-current", "true")
    page.locator("a.offer-days__day").nth(2).click()
    expect(page.locator(".slots a.chip").first).to_be_visible()
    assert violations(page) == []
    expect(page.get_by_role("link", name="Book this offer")).to_have_attribute(
        "href", re.compile("size=2&day=")
    )
    page.locator(".slots a.chip").first.click()
    expect(page.get_by_text("Only the sizes, days and times of this offer")).to_be_visible()
    fill_in_a_guest_of_no_usual_language(page)
    page.get_by_role("button", name="Book for 2 people").click()
    carry()
    page.reload()

    expect(page.get_by_text("Confirmed", exact=True).first).to_be_visible()
    intent = Intent.objects.get()
    booked = sandbox.get(f"truth/reservation/{intent.result_uuid}")["payload"]
    assert booked["offerUuid"] == intent.payload["offer_uuid"]
    assert intent.payload["customer"]["locale"] == "pt_AO"


def fill_in_a_guest_of_no_usual_language(page: Page) -> None:
    page.get_by_label("First name").fill("Jo")
    page.get_by_label("Last name").fill("Martin")
    page.locator("#id_email").fill("offer@example.com")
    page.locator("#id_civility").select_option("mx")
    expect(page.locator("#id_locale_code")).to_be_hidden()
    page.locator("#id_locale").select_option("other")
    expect(page.locator("#id_locale_code")).to_be_visible()
    page.locator("#id_locale_code").fill("pt-ao")
    page.evaluate("scrollTo(0, 0)")  # what lies half under the summary has no size
    assert violations(page) == []


def test_choosing_a_time_leaves_the_page_where_it_is(at, bistro: Restaurant):
    """On a page that was scrolled it led past the offers and the guest, to the button."""
    day = timezone.now().date() + timedelta(days=3)
    page: Page = at(f"/reservations/new/?scope={bistro.uuid}&day={day}&size=2")
    page.set_viewport_size({"width": 1440, "height": 700})
    time = page.locator(".slots a.chip").nth(2)
    expect(time).to_be_visible()
    page.evaluate("scrollTo(0, 100)")

    time.click()

    expect(page.get_by_role("button", name="Book for 2 people")).to_be_visible()
    page.evaluate(
        "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))"
    )
    assert page.evaluate("scrollY") == 100
