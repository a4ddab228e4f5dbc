"""The lists that people read on the smallest phone, or on a tablet at 400 %: no word is broken."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from customers.duplicates import scores
from customers.testing import make_customer
from reservations.models import ArrivalTracking
from reservations.testing import make_reservation

SMALLEST = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
NAMES = ["Pemberton", "Fitzgerald", "Conceição", "Charpentier"]
# The words of the page's main part that begin in one line and end in another.
BROKEN = r"""() => {
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const range = document.createRange(), broken = [];
    for (let text; (text = texts.nextNode());) {
        const shown = { opacityProperty: true, visibilityProperty: true };
        if (!text.parentElement.checkVisibility(shown)) continue;
        if (text.parentElement.closest(".visually-hidden")) continue;
        for (const word of text.data.matchAll(/\p{L}{3,}/gu)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const tops = [...range.getClientRects()].map(one => Math.round(one.top));
            if (new Set(tops).size > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""


@pytest.fixture
def evening(tonight_cast):
    """Tonight and last night, with guests of usual names, half of them known twice."""
    quay, now = tonight_cast.quay, timezone.now()
    quay.name = "The Saltmarsh Room"
    quay.save(update_fields=["name"])
    ArrivalTracking.objects.create(restaurant=quay, bookings=9, marked=9, measured_at=now)
    for number, name in enumerate(NAMES * 2):
        guest = make_customer(
            tonight_cast.harbour,
            first_name="Fernanda",
            last_name=name,
            phone_e164=f"+3361234500{number % len(NAMES)}",
            allergies_and_intolerances=["Peanuts", "Crustaceans"],
            is_vip=True,
        )
        for minutes in (20, -30, 24 * 60):  # late, to come, and of last night
            at = now - timedelta(minutes=minutes)
            note = "Severe allergy to peanuts, cereals with gluten"
            make_reservation(quay, customer=guest, meal_at=at, customer_note=note)
    scores.measure(now=now)


@pytest.fixture(params=["en", "fr", "es"])
def read(request, evening, live_cast, visit, page):
    User.objects.filter(pk=live_cast.dora.pk).update(language=request.param)

    def broken(address, size):
        page.set_viewport_size(size)
        return visit(address).evaluate(BROKEN)

    return broken


@pytest.mark.parametrize("size", [SMALLEST, PHONE], ids=["smallest", "phone"])
@pytest.mark.parametrize(
    "address",
    ["/?zoom=list", "/reservations/brief/", "/reservations/open-past/", "/customers/duplicates/"],
)
def test_it_works(read, address, size):
    assert read(address, size) == []


@pytest.mark.parametrize("read", ["es"], indirect=True)
def test_the_kitchen_reads_each_party_of_an_allergen_in_one_line(read, page):
    read("/reservations/brief/", SMALLEST)
    heights = "all => all.map(one => one.getBoundingClientRect().height)"
    shown = page.locator(".allergens__party")

    assert shown.count() > len(NAMES)
    assert max(shown.evaluate_all(heights)) < 30


def test_the_word_of_an_allergy_is_seen_where_the_system_paints_the_colours(evening, visit, page):
    """It was black on black: what stands in a quote as its most important word."""
    page.emulate_media(forced_colors="active", color_scheme="dark")
    visit("/reservations/brief/")
    word = page.locator(".note-mention mark").first
    colours = "one => [one, one.parentElement].map(it => getComputedStyle(it).color)"
    own, around = word.evaluate(colours)

    assert own == around
