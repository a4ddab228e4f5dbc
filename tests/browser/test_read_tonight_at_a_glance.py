"""Tonight at a glance: guests near the top of every screen, with names that can be read."""

from datetime import timedelta

import pytest
from django.utils import timezone

from customers.testing import make_customer
from reservations.models import ArrivalTracking
from reservations.testing import make_reservation

TABLET = {"width": 1024, "height": 768}
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}
# How many letters of each name stand before its end is cut off and replaced by dots.
LETTERS = """names => names.map(name => {
    const letter = name.firstChild;
    const dots = name.scrollWidth > name.clientWidth ? 12 : 0;
    const edge = name.getBoundingClientRect().right - dots;
    const range = document.createRange();
    return [...name.textContent].filter((_, at) => {
        range.setStart(letter, at);
        range.setEnd(letter, at + 1);
        return range.getBoundingClientRect().right <= edge + 0.5;
    }).length;
})"""


@pytest.fixture
def tonight(tonight_cast):
    """An evening of two restaurants; its guests have long names and everything to know."""
    now = timezone.now()
    for number in range(6):
        guest = make_customer(
            tonight_cast.harbour,
            last_name="Brzeczyszczykiewicz",
            allergies_and_intolerances=["nuts"],
            is_vip=True,
        )
        place = (tonight_cast.quay, tonight_cast.loft)[number % 2]
        make_reservation(place, customer=guest, meal_at=now, customer_note="A quiet table")


def first_booking(page):
    """How far below the top the first booking begins."""
    page.locator("[id^='r-']").first.wait_for()
    tops = "all => Math.min(...all.map(one => one.getBoundingClientRect().top))"
    return page.locator("[id^='r-']").evaluate_all(tops)


@pytest.mark.parametrize("zoom", ["list", "arrivals"])
def test_it_works(tonight, page, visit, zoom):
    page.set_viewport_size(TABLET)
    assert first_booking(visit(f"/?zoom={zoom}")) <= 200


@pytest.mark.parametrize("zoom", ["list", "arrivals"])
def test_the_first_booking_is_near_the_top_of_a_phone(tonight, page, visit, zoom):
    page.set_viewport_size(PHONE)
    assert first_booking(visit(f"/?zoom={zoom}")) <= 240


@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
def test_twelve_letters_of_a_name_can_be_read_on_every_card(tonight, page, visit, size):
    page.set_viewport_size(size)
    letters = visit("/?zoom=arrivals").locator(".booking__name").evaluate_all(LETTERS)

    assert len(letters) == 6
    assert min(letters) >= 12


def test_they_can_be_read_beside_an_open_drawer(tonight, page, visit):
    page.set_viewport_size(WIDE)
    board = visit("/?zoom=arrivals")
    board.locator("a[data-drawer]").first.click()
    board.locator("#drawer-body h2").first.wait_for()

    assert min(board.locator(".booking__name").evaluate_all(LETTERS)) >= 12


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_nothing_is_wider_than_the_screen(tonight, page, visit, size):
    page.set_viewport_size(size)
    board = visit("/?zoom=list")

    assert board.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_the_status_is_whole_on_a_phone_in_french(tonight, tonight_cast, page, visit):
    now = timezone.now()
    ArrivalTracking.objects.create(
        restaurant=tonight_cast.quay, bookings=9, marked=9, measured_at=now
    )
    make_reservation(tonight_cast.quay, meal_at=now - timedelta(minutes=34))
    page.set_viewport_size(PHONE)
    page.set_extra_http_headers({"Accept-Language": "fr"})
    board = visit("/?zoom=list")

    late = board.get_by_text("en retard de 34 minutes")
    edges = "all => all.map(one => one.getBoundingClientRect().right)"
    words = board.locator(".booking-rows :is(.badge, .booking-row__late)")
    assert late.is_visible()
    assert max(words.evaluate_all(edges)) <= PHONE["width"] - 16
