"""The line of now on the glass: at the right place, in every zoom, moving by itself."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import expect

from reservations.models import ArrivalTracking
from reservations.testing import make_reservation
from tests.browser.conftest import violations, zone_of_evening

ZOOMS = ["pulse", "arrivals", "stays", "list"]
LINES = ":is([data-now], .now-row, .arrivals__slot[aria-current], svg.now-line)"


@pytest.fixture
def two_clocks(tonight_cast):
    """The loft is three hours behind: elsewhere it is evening, there the same day."""
    tonight_cast.loft.timezone = zone_of_evening(timezone.now(), behind=3)
    tonight_cast.loft.save(update_fields=["timezone"])
    return tonight_cast


@pytest.fixture
def tonight(two_clocks):
    """Guests around now at three restaurants on two clocks."""
    now = timezone.now()
    for restaurant in (two_clocks.quay, two_clocks.loft, two_clocks.cellar):
        for minutes in (-20, 20, 60):
            make_reservation(restaurant, meal_at=now + timedelta(minutes=minutes))


def local(restaurant, *, ahead=0):
    return f"{restaurant.local(timezone.now() + timedelta(minutes=ahead)):%H:%M}"


@pytest.mark.parametrize("zoom", ZOOMS)
def test_it_works(tonight, page, visit, zoom):
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        board = visit(f"/?zoom={zoom}&sort=time")

        assert board.locator(LINES).count() >= 2  # one of each clock
        expect(board.locator(LINES).last).to_be_visible()
        assert board.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(board) == []


@pytest.mark.parametrize("zoom", ["arrivals", "stays", "list"])
def test_it_moves_by_itself(tonight, live_cast, page, visit, zoom):
    page.clock.install()
    quay = live_cast.quay
    with time_machine.travel(timezone.now(), tick=False):  # not over the end of a minute
        board = visit(f"/?zoom={zoom}&scope={quay.uuid}&sort=time")
        expect(board.locator(".now-time")).to_contain_text(local(quay))

    with time_machine.travel(timezone.now() + timedelta(minutes=5), tick=False):
        page.clock.run_for(61_000)

        expect(board.locator(".now-time")).to_contain_text(local(quay))


def test_arrivals_of_several_clocks_open_where_guests_are(two_clocks, page, visit):
    """The earliest clock stands three hours before, where nobody comes."""
    now = timezone.now()
    guests = make_reservation(two_clocks.quay, meal_at=now)
    make_reservation(two_clocks.loft, meal_at=now + timedelta(hours=4))
    page.set_viewport_size({"width": 1440, "height": 900})
    board = visit("/?zoom=arrivals")

    expect(board.locator(f"#r-{guests.pk}")).to_be_in_viewport()

    page.set_viewport_size({"width": 390, "height": 844})
    expect(board.locator(".arrivals__slot[aria-current]").first).to_be_hidden()
    expect(board.locator(f".arrivals__slot[aria-current]:has(#r-{guests.pk})")).to_be_visible()


def test_arrivals_open_with_the_late_ones_in_sight(tonight_cast, page, visit):
    quay, now = tonight_cast.quay, timezone.now()
    ArrivalTracking.objects.create(restaurant=quay, bookings=9, marked=9, measured_at=now)
    late = make_reservation(quay, meal_at=now - timedelta(minutes=25))
    for minutes in range(0, 150, 15):
        make_reservation(quay, meal_at=now + timedelta(minutes=minutes))

    for width in (1440, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        board = visit(f"/?zoom=arrivals&scope={quay.uuid}")
        expect(board.locator(f"#r-{late.pk}")).to_be_in_viewport(ratio=1)
        expect(board.locator(".arrivals__slot[aria-current]")).to_be_in_viewport(ratio=1)


def test_a_late_guest_of_a_later_clock_is_in_sight(two_clocks, page, visit):
    """It opened at the evening of the earlier clock, and the late one was beyond the right edge."""
    quay, now = two_clocks.quay, timezone.now()
    ArrivalTracking.objects.create(restaurant=quay, bookings=9, marked=9, measured_at=now)
    late = make_reservation(quay, meal_at=now - timedelta(minutes=25))
    for minutes in range(0, 120, 15):
        make_reservation(two_clocks.loft, meal_at=now + timedelta(minutes=minutes))
        make_reservation(quay, meal_at=now + timedelta(minutes=minutes))
    for width in (1440, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        board = visit("/?zoom=arrivals")
        expect(board.locator(f"#r-{late.pk}")).to_be_in_viewport(ratio=1)


def test_it_is_gone_while_nobody_can_move_it(tonight, page, visit):
    board = visit("/?zoom=stays")
    expect(board.locator("svg.now-line").first).to_be_visible()

    board.evaluate("document.documentElement.dataset.offlineSince = '1'")  # as the copy says

    expect(board.locator("svg.now-line").first).to_be_hidden()
    expect(board.locator(".now-time").first).to_be_hidden()
