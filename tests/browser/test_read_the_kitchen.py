"""The screens of allergies and diets in three languages, as `test_read_every_page` reads them."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from customers.testing import make_customer
from insights.sums import recount
from reservations.testing import make_reservation
from tests.browser.conftest import enter
from tests.browser.test_read_every_page import Faults, look_both_ways

NOTES = [
    "My wife is severely allergic to peanuts and carries an EpiPen",
    "Deux végétariens et une personne sans gluten",
    "no onions please",
    "Hello, we are coming for the birthday of my mother, who is 80, from far away, and she is so"
    " happy to see the sea again; my son is coeliac, nothing else, and we would love the window"
    " table that we had two years ago, if it is free at that hour. Thank you!",
]


@pytest.fixture
def evening(tonight_cast):
    """Tonight at the Quay: tags, notes of each certainty, and what the kitchen has not seen."""
    quay, harbour = tonight_cast.quay, tonight_cast.harbour
    start = timezone.now()
    guest = make_customer(
        harbour,
        last_name="Rossi",
        notes="Allergic to shellfish",
        allergies_and_intolerances=["Lactose intolerant", "Nuts"],
        dietary_restrictions=["Vegan"],
        has_allergies=True,
        has_diet=True,
    )
    rows = [
        make_reservation(quay, meal_at=start + timedelta(minutes=15 * n), customer_note=note)
        for n, note in enumerate(NOTES)
    ]
    rows.append(make_reservation(quay, meal_at=start, party_size=6, customer=guest))
    for days in range(1, 8):  # of days that are over, for the insight
        make_reservation(quay, meal_at=start - timedelta(days=days), customer_note=NOTES[days % 4])
    recount.rebuild(quay, now=start)
    return rows[-1]


@pytest.fixture(params=["en", "fr", "es"])
def screens(request, evening, live_cast):
    """Addresses of the six, in the language of a person."""
    User.objects.filter(pk=live_cast.dora.pk).update(language=request.param)
    place = f"scope={evening.restaurant.uuid}&day={evening.service_day}"
    return [
        f"/reservations/brief/?{place}",
        f"/?{place}&zoom=list&whole=1&r={evening.uuid}",
        f"/reservations/{evening.uuid}/",
        f"/customers/{evening.customer_id}/",
        f"/?{place}",
        f"/insights/diets/?scope={evening.restaurant.uuid}",
    ]


def test_it_works(screens, visit, page):
    faults: Faults = {}
    for address in screens:
        visit(address)
        if "r=" in address:
            page.locator("#drawer h2").wait_for()
        faults |= look_both_ways(page)

        if "insights" in address:
            expect(page.locator("main")).to_contain_text("Quay")
            expect(page.locator("main table").first).to_be_visible()

    assert faults == {}


# Of each mark of an allergy: its name, its colour and the contrast of that with its card.
MARKS = """() => {
    const light = (colour) => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(one => one / 255);
        const [r, g, b] = parts.map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll('.booking__marks [data-mark]')].map(mark => {
        const ink = getComputedStyle(mark).color;
        const card = getComputedStyle(mark.closest(".booking")).backgroundColor;
        const [low, high] = [light(ink), light(card)].sort((a, b) => a - b);
        return [mark.dataset.mark, ink, (high + 0.05) / (low + 0.05)];
    });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_hint_on_a_card_is_seen_and_is_not_red(evening, visit, page, scheme):
    page.emulate_media(color_scheme=scheme)
    visit(f"/?scope={evening.restaurant.uuid}&day={evening.service_day}&zoom=arrivals&whole=1")
    marks = page.evaluate(MARKS)
    hints = [(ink, contrast) for name, ink, contrast in marks if name == "allergy-maybe"]
    allergies = [mark for mark in marks if mark[0].startswith("allergy")]
    known = {ink for name, ink, _contrast in allergies if name != "allergy-maybe"}

    assert min(contrast for _ink, contrast in hints) >= 4.5
    assert "diet" in {name for name, _ink, _contrast in marks}
    assert min(contrast for _name, _ink, contrast in marks) >= 3
    assert known
    assert not known & {ink for ink, _contrast in hints}


# A telephone in one hand: what is pressed on these screens has the height of a finger.
LOW = """() => [...document.querySelectorAll('main :is(button, select, summary, a.button)')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().height < 43.5)
    .map(node => node.outerHTML.slice(0, 160))"""


def test_it_is_pressed_with_wet_fingers(evening, live_cast, live_server, browser):
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    enter(phone, user=live_cast.dora, address=live_server.url)
    page = phone.new_page()
    place = f"scope={evening.restaurant.uuid}&day={evening.service_day}"
    low: dict[str, list[str]] = {}
    for address in (f"/reservations/brief/?{place}", f"/reservations/{evening.uuid}/"):
        page.goto(live_server.url + address)
        low |= {address: found} if (found := page.evaluate(LOW)) else {}
    phone.close()

    assert low == {}
