"""Names and notes that nobody drew the pages for: without a space, and written from the right."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from customers.models import Customer
from customers.testing import make_customer
from insights.sums import recount
from reservations.models import Reservation
from reservations.testing import make_reservation
from restaurants.testing import make_restaurant

WIDE = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)
ADDRESS = f"https://example.org/{'menu' * 40}"
ARABIC = "لدي حساسية من الفول السوداني، من فضلكم تأكدوا من المطبخ."


@pytest.fixture
def phone(page: Page) -> Page:
    page.set_viewport_size(PHONE)
    return page


@pytest.fixture
def book(tonight_cast):
    """A booking of this evening that has not begun."""

    def make(*, first_name: str = "Nora", last_name: str = "Lind", **fields: str) -> Reservation:
        guest = make_customer(tonight_cast.harbour, first_name=first_name, last_name=last_name)
        at = timezone.now() + timedelta(minutes=30)
        return make_reservation(tonight_cast.quay, meal_at=at, customer=guest, **fields)

    return make


def test_a_word_without_end_widens_no_page(phone, visit, book):
    row = book(
        first_name="X" * 60, last_name="Y" * 60, customer_note=ADDRESS, restaurant_note="Z" * 200
    )
    visit(f"/reservations/{row.uuid}/")

    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_nor_the_drawer(phone, visit, book):
    row = book(first_name="X" * 60, last_name="Y" * 60, customer_note=ADDRESS)
    drawer = visit(f"/?r={row.uuid}").locator("#drawer")
    expect(drawer.locator("#booking")).to_be_visible()

    assert drawer.evaluate("drawer => drawer.scrollWidth - drawer.clientWidth") == 0


def test_a_note_reads_from_its_own_side(phone, visit, book):
    row = book(customer_note=ARABIC, restaurant_note="Window")
    visit(f"/reservations/{row.uuid}/")
    sides = phone.locator(".details__note").evaluate_all(
        "notes => notes.map(note => getComputedStyle(note).direction)"
    )

    assert sides == ["rtl", "ltr"]


def test_an_allergy_stands_before_what_the_team_can_mark(phone, visit, book):
    row = book(customer_note="Allergic to nuts")
    visit(f"/reservations/{row.uuid}/")
    allergy, marks = (phone.locator(one).bounding_box() for one in (".note-mention", ".host-marks"))

    assert allergy["y"] + allergy["height"] < marks["y"]
    assert allergy["y"] + allergy["height"] < PHONE["height"]


def test_names_of_restaurants_that_differ_at_the_end_are_whole(page, visit, tonight_cast):
    for number in range(3):
        name = f"Trattoria della Nonna Giuseppina al Mercato {number}"
        make_reservation(make_restaurant(tonight_cast.harbour, name), meal_at=timezone.now())
    page.set_viewport_size(WIDE)
    visit("/?zoom=pulse")
    cut = page.locator(".pulse__label").evaluate_all(
        "all => all.filter(one => one.scrollHeight > one.clientHeight).length"
    )

    assert cut == 0


def test_a_long_name_hides_no_number_of_the_calendar(phone, visit, tonight_cast):
    place = make_restaurant(
        tonight_cast.harbour, "Restaurant de la Vieille Échauguette et des Tours"
    )
    make_reservation(place, meal_at=timezone.now())
    recount.rebuild(place, now=timezone.now())
    visit("/calendar/")
    total = phone.locator(".places__total").first.bounding_box()

    assert total["x"] + total["width"] < PHONE["width"]


def test_a_name_without_end_leaves_the_other_bookings_their_notes(page, visit, book):
    book(last_name="Y" * 60)
    book(customer_note="Window table if possible, please.")
    page.set_viewport_size({"width": 1024, "height": 768})
    visit("/?zoom=list")
    note = page.get_by_role("cell", name="Window table if possible")

    assert note.bounding_box()["width"] >= 1024 / 5


def test_allergies_take_the_width_of_the_drawer_in_bold(phone, visit, book):
    row = book()
    tags = ["Nuts", "Gluten", "Celery", "Sesame", "Lupin", "Molluscs"]
    Customer.objects.filter(pk=row.customer_id).update(
        allergies_and_intolerances=tags, has_allergies=True
    )
    drawer = visit(f"/?r={row.uuid}").locator("#drawer")
    label = drawer.get_by_text("Allergies", exact=True)
    names = drawer.get_by_text(", ".join(tags))
    expect(names).to_have_css("font-weight", "600")

    box, above = names.bounding_box(), label.bounding_box()
    assert box["x"] == above["x"]
    assert box["width"] >= PHONE["width"] * 3 / 4


def test_a_long_tag_of_a_guest_is_whole_on_a_phone(phone, visit, tonight_cast):
    tag = "Prefers the quiet table at the window of the first floor"
    guest = make_customer(tonight_cast.harbour, other_tags=[tag, "Y" * 60])
    visit(f"/customers/{guest.uuid}/")
    tags = phone.locator(".guest-tags .badge")

    assert tags.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)") == [0, 0]
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_name_without_end_keeps_the_tickets_of_the_kitchen_on_its_tablet(page, visit, book):
    book(last_name="Y" * 60, customer_note="Allergic to nuts")
    for _number in range(3):
        book(customer_note="Allergic to nuts")
    page.set_viewport_size({"width": 1024, "height": 768})
    visit("/reservations/brief/")

    tickets = page.locator(".ticket").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert len(tickets) == 4
    assert max(tickets) <= 1024
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024
