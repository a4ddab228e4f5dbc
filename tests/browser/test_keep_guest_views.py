"""The guest list under a name, and the keys of the list and of a guest's page."""

import re

import pytest
from playwright.sync_api import Page, expect

from customers.models import Customer, ProfileView
from customers.testing import make_customer, make_saved_view
from restaurants.models import SavedView
from tests.browser.test_read_every_page import look_all_ways

NUMBER = "+33612345678"


@pytest.fixture
def guest(live_cast) -> Customer:
    return make_customer(
        live_cast.harbour, last_name="Lefèvre", is_vip=True, phone=NUMBER, phone_e164=NUMBER
    )


def test_it_works(visit, guest: Customer):
    page = visit("/customers/?show=vip")
    page.keyboard.press("s")
    page.get_by_label("Name").fill("Our stars")
    page.get_by_label("Who may use it").select_option("Harbour Group")
    page.get_by_role("button", name="Save").click()

    page.wait_for_url("**/customers/?show=vip")
    expect(page.locator(".guest-views__opener")).to_contain_text("Our stars")
    assert SavedView.objects.get().query == "show=vip"


def test_the_menu_leads_to_a_view(visit, live_cast, guest: Customer):
    make_saved_view(live_cast.alice, live_cast.harbour, name="Our stars")
    make_customer(live_cast.harbour, last_name="Other")
    page = visit("/customers/")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("link", name="Our stars Harbour Group, by Alice").click()

    expect(page.locator(".guest-rows tbody tr")).to_have_count(1)


def test_the_menu_can_be_read(visit, live_cast, guest: Customer, page: Page):
    make_saved_view(
        live_cast.alice, live_cast.harbour, name="Everybody whose birthday we must not forget"
    )
    make_saved_view(live_cast.dora, name="Mine")
    shown = visit("/customers/?show=duplicates")
    shown.get_by_role("button", name="Views").click()

    assert look_all_ways(shown) == {}


def test_a_shared_view_can_be_changed_and_read(visit, live_cast):
    view = make_saved_view(
        live_cast.dora, live_cast.harbour, query="show=vip&language=fr&columns=email"
    )

    assert look_all_ways(visit(f"/customers/views/{view.uuid}/edit/")) == {}


class TestKeysOfAGuest:
    def test_c_reveals_and_then_copies(self, visit, guest: Customer):
        page = visit(f"/customers/{guest.pk}/")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.keyboard.press("c")
        expect(page.locator("#contacts")).to_contain_text(NUMBER)
        page.keyboard.press("c")

        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == NUMBER
        assert ProfileView.objects.filter(what=ProfileView.What.REVEALED).count() == 1

    def test_a_number_is_copied_without_https(self, visit, guest: Customer):
        """A browser gives the scripts of such a page no clipboard."""
        page = visit(f"/customers/{guest.pk}/")
        page.evaluate("delete Navigator.prototype.clipboard")
        page.keyboard.press("c")
        page.get_by_role("button", name="Copy number").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        page.keyboard.press("/")
        page.keyboard.press("Control+v")

        expect(page.locator("input:focus")).to_have_value(NUMBER)

    def test_y_leads_to_privacy(self, visit, guest: Customer):
        page = visit(f"/customers/{guest.pk}/")
        page.keyboard.press("y")

        expect(page.locator("#privacy")).to_be_focused()

    def test_n_books_for_the_guest(self, visit, guest: Customer):
        page = visit(f"/customers/{guest.pk}/")
        page.keyboard.press("n")

        page.wait_for_url(re.compile("/new/"))
        expect(page.locator("main")).to_contain_text("Lefèvre")

    def test_the_sheet_names_them(self, visit, guest: Customer):
        page = visit(f"/customers/{guest.pk}/")
        page.keyboard.press("?")

        expect(page.locator("#keys")).to_contain_text("Book for this guest")
