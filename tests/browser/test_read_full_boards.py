"""Boards with bookings on them, as those read them who do not see them: nothing for axe to find."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation
from tests.browser.conftest import violations


@pytest.fixture
def evening(house):
    """A booking that is due, one in house, a walk-in, and a guest with an allergy."""
    now = timezone.now()
    guest = make_customer(house.harbour, allergies_and_intolerances=["nuts"], is_vip=True)
    make_reservation(house.quay, customer=guest, meal_at=now, party_size=8)
    make_reservation(house.quay, meal_at=now, meal_status="SEATED")
    make_reservation(house.loft, meal_at=now, reservation_channel="Walk-in")


@pytest.mark.parametrize(
    "address", ["/?zoom=pulse", "/?zoom=arrivals", "/?zoom=stays", "/?zoom=list"]
)
def test_it_works(evening, visit, address):
    page = visit(address)

    assert page.locator("#board").is_visible()
    assert violations(page) == []


def test_the_briefing_is_readable_too(evening, visit):
    page = visit("/reservations/brief/")

    assert page.get_by_role("heading", name="Service list").is_visible()
    assert violations(page) == []


class TestLongEvening:
    """Thirty quarters of an hour do not fit beside each other."""

    @pytest.fixture
    def pulse(self, house, visit):
        for quarter in range(30):
            make_reservation(house.quay, meal_at=DINNER + timedelta(minutes=15 * (quarter - 24)))
        page = visit(f"/?zoom=pulse&day={DINNER:%Y-%m-%d}")
        page.set_viewport_size({"width": 1280, "height": 800})
        return page

    def test_it_scrolls_in_its_frame(self, pulse):
        assert pulse.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert pulse.get_by_role("link", name="Quay").is_visible()

    def test_a_change_takes_away_neither_the_focus_nor_the_place(self, pulse):
        frame = "document.querySelector('#board .table-frame__scroll')"
        pulse.locator(".pulse__cell a").nth(12).focus()
        held = pulse.evaluate("document.activeElement.href")
        pulse.evaluate(
            f"{frame}.scrollLeft = 150; document.querySelector('#board').dataset.old = 1"
        )
        pulse.evaluate("htmx.trigger(document.body, 'live:resync')")

        expect(pulse.locator("#board:not([data-old])")).to_be_visible()
        assert pulse.evaluate("document.activeElement.href") == held
        assert pulse.evaluate(f"{frame}.scrollLeft") == 150
