"""Tables that are wider than a phone scroll: their last column is not cut off."""

import uuid

import pytest
from django.utils import timezone

from mirror.models import SyncRequest
from reservations.testing import make_intent

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def troubles(live_cast):
    """A record that could not be read, and an intent that has not left yet."""
    now = timezone.now()
    SyncRequest.objects.create(
        kind="reservation",
        uuid=uuid.uuid4(),
        requested_at=now,
        not_before=now,
        state=SyncRequest.State.PARKED,
        problem="malformed",
        sentence="The service sent an answer that we cannot read.",
    )
    make_intent(live_cast.quay)


@pytest.mark.parametrize(
    ("address", "button"), [("/setup/mirror/", "Give up"), ("/setup/outbox/", "Take back")]
)
def test_it_works(troubles, visit, page, address, button):
    page.set_viewport_size(PHONE)
    visit(address)

    # A trial scrolls there as a finger would, and fails if something hides the place.
    page.get_by_role("button", name=button).click(trial=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_menu_of_days_stays_on_the_screen(visit, page, live_cast):
    page.set_viewport_size(PHONE)
    visit(f"/?scope={live_cast.quay.uuid}")
    page.locator("[popovertarget=day-menu]").first.click()

    box = page.locator("#day-menu").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate(
        "(m => m.scrollWidth <= m.clientWidth)(document.querySelector('#day-menu'))"
    )
