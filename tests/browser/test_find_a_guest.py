"""From any screen to a guest's page: typed, found, opened, read."""

import re
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from customers.models import Customer
from customers.testing import make_customer
from reservations.testing import make_reservation
from tests.browser.conftest import enter, violations
from tests.browser.test_read_every_page import look_all_ways

EDGES = "all => all.map(one => one.getBoundingClientRect().toJSON())"
PHONE = {"phone": "06 12 34 56 78", "phone_e164": "+33612345678"}


@pytest.fixture
def guest(live_cast) -> Customer:
    guest = make_customer(
        live_cast.harbour,
        last_name="Lefèvre",
        email="maria@example.org",
        allergies_and_intolerances=["nuts"],
        other_tags=["Regular"],
        custom_fields=[{"uuid": str(uuid4()), "label": "Pet", "type": "boolean", "value": True}],
        is_vip=True,
        is_promoter=True,
        rank="gold",
        **PHONE,
    )
    make_customer(live_cast.harbour, last_name="Lefevre", first_name="María", **PHONE)
    now = timezone.now()
    for days, status in ((-3, "RECORDED"), (9, "RECORDED"), (40, "NO_SHOW")):
        bill = {"bill_amount": Decimal(90), "bill_currency": "EUR"} if days > 0 else {}
        at = now - timedelta(days=days)
        make_reservation(live_cast.quay, customer=guest, meal_at=at, status=status, **bill)
    return guest


def test_it_works(visit, guest: Customer):
    page = visit("/")
    page.keyboard.press("/")
    page.keyboard.type("lefev")
    found = page.locator("#palette-found a").filter(has_text="Maria Lefèvre").first
    expect(found).to_be_visible()
    assert violations(page) == []

    found.click()

    expect(page.locator("h1")).to_contain_text("Lefèvre")
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator("#contacts")).to_contain_text("+33612345678")


def test_the_list_narrows_while_one_types(visit, guest: Customer):
    page = visit("/customers/")
    page.locator("#guest-q").press_sequentially("maria@")

    expect(page.locator(".guest-rows tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"q=maria(@|%40)"))


def test_who_arrives_next_stands_above_the_list_and_does_not_hide_it(visit, live_cast, page):
    """A mark stands apart from the name; on a phone the first guest of the list is in sight."""
    tags = {"is_vip": True, "allergies_and_intolerances": ["nuts"]}
    for minutes in range(30, 36):
        guest = make_customer(live_cast.harbour, last_name=f"Star {minutes}", **tags)
        at = timezone.now() + timedelta(minutes=minutes)
        make_reservation(live_cast.quay, customer=guest, meal_at=at)
    line = visit("/customers/").locator(".guest-next__guest").first
    edges = line.locator("bdi, .glyph").evaluate_all(EDGES)
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.locator(".tabbar").bounding_box()
    first = page.locator(".guest-rows tbody tr").first.bounding_box()

    assert first["y"] + first["height"] < bar["y"]

    assert len(edges) == 3
    gaps = [after["left"] - one["right"] for one, after in pairwise(edges)]
    assert all(3 <= gap <= 6 for gap in gaps), gaps


def test_a_finger_hits_the_revealed_number(guest: Customer, live_cast, live_server, browser):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, service_workers="block"
    )
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/customers/{guest.uuid}/")
    page.get_by_role("button", name="Reveal").tap()
    number = page.locator("#contacts a[href^='tel:']")
    expect(number).to_be_in_viewport(ratio=1)
    height = number.bounding_box()["height"]
    context.close()

    assert height >= 44


def test_every_part_of_the_page_can_be_read(visit, guest: Customer, page: Page):
    shown = visit(f"/customers/{guest.pk}/")
    expect(shown.locator("#duplicates")).to_contain_text("same phone")

    assert look_all_ways(shown) == {}
