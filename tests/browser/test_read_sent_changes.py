"""The list of sent changes: what was sent has the space that its result leaves."""

from uuid import uuid4

import pytest
from django.conf import settings

from customers.testing import make_customer
from outbox.models import say
from partner.wording.words import BY_KIND
from reservations import actions
from reservations.testing import make_intent, make_reservation

HEIGHTS = "all => all.map(one => one.getBoundingClientRect().height)"
SCROLLS = "one => one.scrollWidth > one.clientWidth"


@pytest.fixture
def page(live_cast, visit):
    """Changes of the size, refused with the longest words."""
    words = BY_KIND["missing_scope"]
    for _number in range(3):
        guest = make_customer(live_cast.harbour, last_name="Wolfeschlegelsteinhausen")
        booking = make_reservation(live_cast.quay, customer=guest, party_size=2)
        make_intent(
            live_cast.quay,
            action=actions.UPDATE,
            uuid=booking.uuid,
            key=uuid4(),
            payload={"base": {"party_size": 2}, "changes": {"party_size": 3}},
            state="refused",
            problem="missing_scope",
            message=say(words.sentence),
        )
    return visit("/setup/outbox/")


def test_it_works(page):
    """A change took six lines of a column of 150 px, beside an empty one of 700."""
    page.set_viewport_size({"width": 1440, "height": 900})
    rows = page.locator(".sent-list tbody tr")

    assert rows.count() == 3
    assert max(rows.evaluate_all(HEIGHTS)) <= 80


@pytest.mark.parametrize("width", [1024, 1440])
def test_no_button_is_narrower_than_its_words(page, width, live_cast):
    make_intent(live_cast.quay, key=uuid4(), state="asks")
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    button = page.locator(".sent-list button")
    button.evaluate("(one) => { one.textContent = 'Reintentar' }")

    assert not button.evaluate(SCROLLS)
    assert button.evaluate("(one) => one.clientWidth") >= 96


def test_a_phone_shows_the_result_without_scrolling_aside(page):
    page.set_viewport_size({"width": 390, "height": 844})

    assert page.get_by_text("Our key lacks the right for this.").first.is_visible()
    assert not page.locator(".table-frame__scroll").evaluate(SCROLLS)


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_phone_begins_with_changes_and_pages_in_one_line(live_cast, page, language):
    """The first row stood at 261 px below a pager, each took 158, and a pager two lines."""
    guest = make_customer(live_cast.harbour, last_name="Vance")
    booking = make_reservation(live_cast.quay, customer=guest, party_size=2)
    payload = {"base": {"party_size": 2}, "changes": {"party_size": 3}}
    for _number in range(351):
        make_intent(
            live_cast.quay,
            action=actions.UPDATE,
            uuid=booking.uuid,
            key=uuid4(),
            actor=live_cast.dora,
            payload=payload,
            state="done",
        )
    page.set_viewport_size({"width": 390, "height": 844})
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": page.url}
    page.context.add_cookies([cookie])
    page.goto(f"{page.url}?page=4")
    rows = page.locator(".sent-list tbody tr")
    pager = page.locator(".paginator:visible")

    assert page.locator("html").get_attribute("lang") == language
    assert rows.first.bounding_box()["y"] <= 200
    assert max(rows.evaluate_all(HEIGHTS)) <= 130
    assert pager.count() == 1
    assert pager.bounding_box()["height"] <= 62
    assert pager.locator("[rel]:visible").count() == 2
    pages = pager.locator("a:not([rel]):visible").all_inner_texts()
    assert [one.strip() for one in pages] == ["1", "4", "8"]


def test_a_phone_leaves_a_space_between_who_and_when(page):
    """In one line they would be one word: the page has no white space between them."""
    page.set_viewport_size({"width": 390, "height": 844})
    moment = page.locator(".sent-list time").first

    assert moment.evaluate("(one) => parseFloat(getComputedStyle(one).marginInlineStart)") >= 4
