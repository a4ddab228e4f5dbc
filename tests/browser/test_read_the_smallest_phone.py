"""The lists that people read on the smallest phone, or on a tablet at 400 %: no word is broken."""

from datetime import timedelta
from itertools import pairwise, product

import pytest
from django.utils import timezone

from accounts.models import User
from customers.duplicates import scores
from customers.models import Customer
from customers.testing import make_customer
from phone.testing import make_call
from reservations.models import ArrivalTracking, Reservation
from reservations.testing import make_reservation
from tests.browser.conftest import enter, violations

SMALLEST = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
ZOOMED = {"width": 720, "height": 450}  # a laptop at 200 %
LISTS = (
    *("/?zoom=list", "/reservations/brief/", "/reservations/open-past/"),
    *("/customers/duplicates/", "/phone/"),
)
HEIGHTS = "all => all.map(one => one.getBoundingClientRect().height)"
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
        make_call(quay, number=guest.phone_e164, began_at=now - timedelta(hours=2))
    scores.measure(now=now)


@pytest.fixture(params=["en", "fr", "es"])
def read(request, evening, live_cast, visit, page):
    User.objects.filter(pk=live_cast.dora.pk).update(language=request.param)

    def broken(address, size):
        page.set_viewport_size(size)
        return visit(address).evaluate(BROKEN)

    return broken


def test_it_works(read):
    """Each opens at each size: what a script of the page does then may depend on it."""
    for address, size in product(LISTS, (SMALLEST, PHONE, ZOOMED)):
        assert read(address, size) == [], (address, size)


def test_a_surname_of_sixteen_letters_stands_whole_on_a_phone(read, live_cast, page):
    """Whatever its status, with the longest words of each language."""
    guest = make_customer(
        live_cast.harbour, first_name="Eleni", last_name="Hatzimichailidis", is_vip=True
    )
    now = timezone.now()
    for status in ("RECORDED", "NO_SHOW", "REQUESTED", "PENDING_PAYMENT"):
        for minutes in (-90, 20, 90):
            at = now - timedelta(minutes=minutes)
            make_reservation(
                live_cast.quay, customer=guest, meal_at=at, status=status, party_size=14
            )
    for address in ("/?zoom=list&whole=1", "/?zoom=list&whole=1&sort=time"):
        assert read(address, PHONE) == []
        assert page.locator(".booking-row__name", has_text="Hatzimichailidis").count() == 12
        assert page.locator(".table-frame__scroll").evaluate(OUTSIDE) == 0
        assert violations(page) == []


# How far each name stands below the line above it.
ABOVE = """all => all.map(one => {
    const row = one.closest("tr").getBoundingClientRect();
    return one.getBoundingClientRect().top - row.top;
})"""

# How far what stands in a cell is below the first line of the cell.
BELOW = """all => all.map(one => {
    const range = document.createRange();
    range.selectNodeContents(one.parentElement);
    return one.getBoundingClientRect().top - range.getClientRects()[0].top;
})"""

# How far the middle of a box to tick is from the middle of the time beside it.
BESIDE = """all => all.map(one => {
    const [box, time] = [one, one.closest("tr").cells[1]].map(each => each.getBoundingClientRect());
    return Math.abs(box.top + box.bottom - time.top - time.bottom) / 2;
})"""

# By how many pixels what a frame holds is wider than the frame.
OUTSIDE = "one => one.scrollWidth - one.clientWidth"


def test_a_booking_of_the_list_is_as_high_as_a_finger_needs(
    evening, live_cast, browser, live_server
):
    """And no higher than its name and its status, though one stands below the other."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/?zoom=list&scope={live_cast.quay.uuid}")
    rows = page.locator(".booking-rows .table__row").evaluate_all(HEIGHTS)
    above = page.locator(".booking-row__name").evaluate_all(ABOVE)
    context.close()

    assert len(rows) > len(NAMES)
    assert min(rows) >= 44
    assert max(rows) <= 50
    assert min(above) >= 5


@pytest.mark.parametrize("read", ["es"], indirect=True)
def test_the_kitchen_reads_each_party_of_an_allergen_in_one_line(read, page, tonight_cast):
    read(f"/reservations/brief/?scope={tonight_cast.quay.uuid}", SMALLEST)
    shown = page.locator(".allergens__party")

    assert shown.count() > len(NAMES)
    assert max(shown.evaluate_all(HEIGHTS)) < 30
    # The notes of the service list stood beside the name, with twelve letters a line.
    widths = page.locator(".service__notes").evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(widths) > 0.8 * SMALLEST["width"]
    assert max(page.locator(".tickbox").evaluate_all(BESIDE)) < 2


@pytest.mark.parametrize("read", ["es"], indirect=True)
def test_beside_other_kitchens_a_party_takes_a_second_line_for_its_restaurant(read, page):
    read("/reservations/brief/", SMALLEST)

    assert max(page.locator(".allergens__party").evaluate_all(HEIGHTS)) < 40


@pytest.mark.parametrize("read", ["es"], indirect=True)
def test_the_frames_of_severe_allergies_do_not_touch(read, page, tonight_cast):
    read(f"/reservations/brief/?scope={tonight_cast.quay.uuid}", PHONE)
    frames = page.locator(".allergens__party .note-mention__severe").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    gaps = [below[0] - above[1] for above, below in pairwise(frames)]

    assert len(frames) > len(NAMES)
    assert min(gaps) >= 2


@pytest.mark.parametrize("read", ["es", "fr"], indirect=True)
def test_each_restaurant_without_a_link_names_that_in_its_line(read, page, tonight_cast):
    """It stood above the first alone."""
    loft, now = tonight_cast.loft, timezone.now()
    ArrivalTracking.objects.create(restaurant=loft, bookings=9, marked=9, measured_at=now)
    make_reservation(loft, meal_at=now - timedelta(days=1))
    read("/reservations/open-past/", PHONE)
    heads = page.locator(".open-past__head")

    assert heads.count() == page.locator(".open-past__none .only-phone:visible").count() == 2
    assert max(heads.evaluate_all(HEIGHTS)) <= 32


@pytest.mark.parametrize("read", ["es", "fr"], indirect=True)
def test_a_past_booking_takes_two_lines_its_date_and_its_time(read, page):
    """Ten of them on a phone; with the month in a line of its own there were seven."""
    read("/reservations/open-past/", SMALLEST)
    rows = page.locator(".open-past .table__row")

    assert rows.count() > len(NAMES)
    assert max(rows.evaluate_all(HEIGHTS)) <= 48
    dates, times = rows.locator("td:first-child"), rows.locator("td:first-child > b")
    assert min(times.evaluate_all(BELOW)) >= 14
    assert len(dates.first.inner_text().strip().splitlines()) == 2


@pytest.mark.parametrize("read", ["es", "fr"], indirect=True)
def test_past_bookings_begin_above_the_middle_of_a_phone(read, page):
    """Below the title, the spans, one sentence and one line of filters."""
    read("/reservations/open-past/", PHONE)

    assert page.locator(".open-past .table__row").first.bounding_box()["y"] <= PHONE["height"] / 2
    chips = page.locator(".open-past__chips .chip")
    assert len(set(chips.evaluate_all("all => all.map(one => one.offsetTop)"))) == 1


# Of each text that is shown: how large it is.
SIZES = r"""() => {
    const sizes = [...document.querySelectorAll("body *")]
        .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .filter(one => !one.closest(".visually-hidden, .tabbar__tab--new, svg"))
        .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .map(one => [one.textContent.trim().slice(0, 40), getComputedStyle(one).fontSize]);
    return sizes.map(([text, size]) => [text, parseFloat(size)]);
}"""


def test_no_text_is_smaller_than_twelve_pixels(evening, visit, page):
    page.set_viewport_size(PHONE)
    for address in ("/?zoom=list", "/?zoom=pulse", "/reservations/brief/"):
        sizes = visit(address).evaluate(SIZES)

        assert len(sizes) > 20
        assert [one for one in sizes if one[1] < 12] == [], address


def test_the_tabs_of_the_smallest_phone_have_eleven(evening, visit, page):
    page.set_viewport_size(SMALLEST)
    tab = visit("/?zoom=list").locator(".tabbar__tab").first

    assert tab.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 11


def test_the_form_of_a_change_stays_in_its_card(evening, live_cast, browser, live_server):
    """Where fingers need larger fields."""
    context = browser.new_context(viewport=SMALLEST, has_touch=True, is_mobile=True)
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    booking = Reservation.objects.latest("meal_at")
    page.goto(f"{live_server.url}/reservations/{booking.uuid}/change/")
    edges = "one => one.getBoundingClientRect().right"
    form = page.locator(".change-form__ask")
    field, whole = form.locator("input[type=date]").evaluate(edges), form.evaluate(edges)
    context.close()

    assert field <= whole + 0.5


def test_a_finger_hits_the_number_of_a_caller_and_not_the_name(
    evening, live_cast, browser, live_server
):
    """One calls the guest, the other opens a page; they were 15 px high, one below the other."""
    guest = Customer.objects.latest("pk")
    number = guest.phone_e164
    make_call(live_cast.quay, number=number, began_at=timezone.now(), missed_at=timezone.now())
    context = browser.new_context(viewport=SMALLEST, has_touch=True, is_mobile=True)
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/phone/")
    links = page.locator(".call-row__who a").evaluate_all(HEIGHTS)
    context.close()

    assert len(links) >= 2
    assert round(min(links), 1) >= 44


@pytest.mark.parametrize("known_as", ["+33612345678", ""], ids=["known", "unknown"])
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
def test_a_call_takes_two_lines_of_a_phone(live_cast, browser, live_server, known_as, language):
    """Time, guest, number, who answered and how it ended: seven calls are in sight, not four.

    That it is not the caller's first has a line of its own.
    """
    number = "+33612345678"
    make_customer(live_cast.harbour, last_name="Conceição", phone_e164=known_as)
    began = timezone.now() - timedelta(hours=1)
    talked = {"answered_at": began, "ended_at": began + timedelta(seconds=125)}
    make_call(live_cast.quay, number=number, began_at=began, answered_by="Léa", **talked)
    make_call(live_cast.quay, number=number, began_at=began)
    make_call(live_cast.quay, number=number, began_at=began)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale=language)
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/phone/")
    rows = page.locator(".call-row").evaluate_all(HEIGHTS)
    broken = page.evaluate(BROKEN)
    context.close()

    assert len(rows) == 3
    assert max(rows[1:]) <= 100
    assert rows[0] <= 112
    assert broken == []


def test_a_finger_hits_the_link_of_who_forgot_the_password(browser, live_server):
    context = browser.new_context(viewport=SMALLEST, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{live_server.url}/accounts/login/")
    box = page.get_by_role("link", name="Forgot").bounding_box()
    context.close()

    assert round(box["height"], 1) >= 44


def test_the_word_of_an_allergy_is_seen_where_the_system_paints_the_colours(evening, visit, page):
    """It was black on black: what stands in a quote as its most important word."""
    page.emulate_media(forced_colors="active", color_scheme="dark")
    visit("/reservations/brief/")
    word = page.locator(".note-mention mark").first
    colours = "one => [one, one.parentElement].map(it => getComputedStyle(it).color)"
    own, around = word.evaluate(colours)

    assert own == around
