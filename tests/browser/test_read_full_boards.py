"""Boards with bookings on them, as those read them who do not see them: nothing for axe to find."""

import pytest
from django.utils import timezone

from customers.testing import make_customer
from reservations.testing import make_reservation
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
