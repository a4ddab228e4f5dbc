"""The drawer of a booking follows the same events as its card, and leaves alone who works in it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from customers.testing import make_customer
from live.announcements import announce_one
from mirror.models import Change
from reservations.models import Reservation
from reservations.testing import make_reservation
from tests.browser.conftest import violations

BY_HAND = {"width": 1440, "height": 900}
TABLET = {"width": 1024, "height": 768}
PHONE = {"width": 390, "height": 844}


SWAP = "html => htmx.swap(document.querySelector('[data-open]'), html, { swapStyle: 'outerHTML' })"


@pytest.fixture
def rossi(web, tonight_cast):
    guest = make_customer(tonight_cast.harbour, phone="+33612345678", phone_e164="+33612345678")
    tonight = timezone.now() + timedelta(hours=1)
    return make_reservation(tonight_cast.quay, customer=guest, meal_at=tonight, party_size=4)


@pytest.fixture
def size():
    return BY_HAND


@pytest.fixture
def drawer(rossi, size, visit, page):
    """The drawer beside the board, which is live. On a narrower screen it covers the board."""
    page.set_viewport_size(size)
    day = rossi.service_day
    visit(f"/?scope={rossi.restaurant.uuid}&day={day}&zoom=list&whole=1&r={rossi.uuid}")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    expect(page.locator("#drawer h2")).to_be_focused()
    expect(page.locator(".htmx-settling")).to_have_count(0)
    return page.locator("#drawer")


def change(row, field="", before="", after="", **fields):
    """The mirror has stored another version of the booking and announced it."""
    row.version += 1
    Reservation.objects.filter(pk=row.pk).update(version=row.version, **fields)
    if field:
        seen = {"kind": "reservation", "uuid": row.pk, "seen_at": timezone.now()}
        about = {"field": field, "before": before, "after": after}
        Change.objects.create(version=row.version, **seen, **about)
    announce_one("reservation", row.pk, version=row.version, restaurant=row.restaurant)


class TestDrawer:
    def test_it_works(self, rossi, drawer):
        change(rossi, meal_status="ARRIVED", party_size=5, customer_note="By the window")

        expect(drawer.locator("[data-phase=here]")).to_be_visible()
        expect(drawer.get_by_text("5 people")).to_be_visible()
        expect(drawer.get_by_text("By the window")).to_be_visible()

    def test_a_cancelled_booking_can_no_longer_be_cancelled(self, rossi, drawer):
        expect(drawer.get_by_role("link", name="Cancel booking")).to_be_visible()

        change(rossi, status="CANCELED")

        expect(drawer.locator("[data-phase=cancelled]")).to_be_visible()
        expect(drawer.get_by_role("link", name="Cancel booking")).to_have_count(0)

    def test_the_focus_stays_where_it_is(self, rossi, drawer):
        drawer.get_by_role("link", name="Note").focus()
        change(rossi, party_size=6)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(drawer.get_by_role("link", name="Note")).to_be_focused()

    def test_what_is_unfolded_stays_so(self, rossi, drawer):
        drawer.get_by_text("Raw answer").click()
        change(rossi, party_size=6)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(drawer.locator("pre.raw")).to_be_visible()

    def test_on_a_phone_too(self, rossi, drawer, page):
        page.set_viewport_size(PHONE)
        change(rossi, status="CANCELED")

        expect(drawer.locator("[data-phase=cancelled]")).to_be_visible()

    def test_on_a_phone_the_number_is_one_press_away(self, rossi, drawer, page):
        """The contact stands below allergies, notes and marks: two swipes before it was dialled."""
        page.set_viewport_size(PHONE)
        long = "A word on each of the nine guests and on their seats. " * 12
        change(rossi, customer_note=long, restaurant_note=f"Allergic to nuts. {long}")
        expect(drawer.get_by_text("Nuts", exact=False).first).to_be_visible()
        drawer.get_by_role("link", name="Call").click()

        number = drawer.locator("a[href='tel:+33612345678']")
        expect(number).to_be_focused()
        expect(number).to_be_in_viewport()
        drawer.get_by_role("link", name="Call").click()
        expect(number).to_be_focused()

    def test_the_page_follows_as_well(self, rossi, visit, page):
        visit(rossi.get_absolute_url())
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        change(rossi, party_size=7)

        expect(page.get_by_text("7 people")).to_be_visible()

    def test_of_many_changes_at_once_the_last_stays(self, rossi, drawer):
        """How soon each is on the glass is measured by `python -m tests.bench painted`."""
        for size in range(10, 30):
            change(rossi, party_size=size)

        expect(drawer.get_by_text("29 people")).to_be_visible()
        change(rossi, party_size=30)
        expect(drawer.get_by_text("30 people")).to_be_visible()

    def test_an_answer_from_before_the_change_is_replaced_as_well(self, rossi, visit, page):
        """A mark of the team is answered while the change that follows it is being read."""
        visit(rossi.get_absolute_url())
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        before = page.evaluate("document.querySelector('[data-open]').outerHTML")
        held: list[Route] = []
        own = f"**/reservations/{rossi.pk}/"
        page.route(own, lambda route: route.continue_() if held else held.append(route))
        with page.expect_request(own):
            change(rossi, party_size=9)
        page.evaluate(SWAP, before)
        held[0].continue_()

        expect(page.get_by_text("9 people")).to_be_visible()


class TestCall:
    """From an open booking to the ringing telephone: two taps, or the key `c` twice."""

    def test_it_works(self, rossi, drawer):
        drawer.get_by_role("button", name="Reveal").click()
        number = drawer.get_by_role("link", name="+33612345678")

        expect(number).to_have_attribute("href", "tel:+33612345678")

    def test_the_number_stays_while_the_booking_changes(self, rossi, drawer):
        drawer.get_by_role("button", name="Reveal").click()
        expect(drawer.get_by_role("link", name="+33612345678")).to_be_visible()
        change(rossi, party_size=6)

        expect(drawer.get_by_text("6 people")).to_be_visible()
        expect(drawer.get_by_role("link", name="+33612345678")).to_be_visible()

    def test_another_guest_is_masked(self, rossi, drawer, live_cast, page):
        guest = make_customer(live_cast.harbour, last_name="Verdi", phone="+33687654321")
        other = make_reservation(rossi.restaurant, customer=guest, meal_at=rossi.meal_at)
        drawer.get_by_role("button", name="Reveal").click()
        expect(drawer.get_by_role("link", name="+33612345678")).to_be_visible()
        page.reload()
        page.locator(f"#r-{other.uuid} [data-drawer]").click()

        expect(drawer.get_by_text("•••• 4321")).to_be_visible()
        expect(drawer.get_by_text("+33612345678")).to_have_count(0)

    @pytest.mark.parametrize("size", [BY_HAND, TABLET, PHONE])
    def test_keys_reveal_and_cancel(self, drawer, page):
        page.keyboard.press("c")
        expect(drawer.get_by_role("link", name="+33612345678")).to_be_visible()
        page.keyboard.press("x")

        expect(drawer.get_by_role("button", name="Cancel booking")).to_be_visible()

    def test_the_sheet_lists_them(self, rossi, drawer, page):
        page.keyboard.press("?")

        expect(page.locator("#keys").get_by_text("Call: reveal the number")).to_be_visible()
        page.keyboard.press("Escape")

    def test_the_name_leads_to_the_profile(self, rossi, drawer, page):
        drawer.locator("h2").get_by_role("link").click()

        page.wait_for_url(f"**/customers/{rossi.customer_id}/")
        assert violations(page) == []


def test_a_form_says_so_at_once_and_not_only_with_the_new_facts(rossi, drawer, page):
    """It uncovered the zone of its times in place of the notice, until the facts were here."""
    page.route("**/facts/**", lambda route: route.abort())
    drawer.get_by_role("link", name="Note", exact=True).click()
    expect(drawer.locator("textarea")).to_be_visible()

    change(rossi, party_size=6)

    expect(drawer.get_by_text("The booking has just changed")).to_be_visible()


def test_a_form_says_that_its_booking_changed_and_keeps_what_is_typed(rossi, drawer, page):
    drawer.get_by_role("link", name="Note", exact=True).click()
    note, news = drawer.locator("textarea"), drawer.get_by_text("The booking has just changed")
    note.fill("By the window")
    expect(news).to_be_hidden()

    change(rossi, party_size=6)

    expect(news).to_be_visible()
    expect(note).to_have_value("By the window")
    expect(note).to_be_focused()
    assert violations(page) == []
