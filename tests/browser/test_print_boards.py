"""The list and the briefing on A4: whole notes, nothing cut or covered, lunch and dinner apart."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation

ALLERGIES = ["nuts", "gluten", "celery", "sesame", "lupin", "molluscs"]
NOTE = "By the window, far from the door of the kitchen, and keep our cake cold until dessert. " * 3
# Pixels between the margins of the paper, and its size in points.
PAPERS = {"portrait": (703, (596, 843)), "landscape": (1032, (843, 596))}
BOX = rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]"
CUT = """width => [...document.querySelectorAll(".page__head *, :is(#board, .brief) *")]
    .filter((one) => !one.closest("svg, .visually-hidden")).filter((one) => {
        const box = one.getBoundingClientRect();
        const isClipped = getComputedStyle(one).overflow !== "visible";
        const isCut = isClipped && one.scrollWidth > one.clientWidth + 1;
        return box.width && (box.left < -1 || box.right > width + 1 || isCut);
    }).map((one) => one.outerHTML.slice(0, 120))"""
# Words of a mark that are higher than its box, or boxes of one cell that lie over each other.
OVERLAPPING = """() => [...document.querySelectorAll(":is(.booking-rows, .service) th[scope=row]")]
    .filter((cell) => {
    const boxes = [...cell.querySelectorAll("a, .service bdi, .glyph, small")]
        .map((one) => one.getBoundingClientRect()).filter((box) => box.width);
    const words = [...cell.querySelectorAll(".glyph .visually-hidden")];
    return words.some((one) => one.offsetHeight > one.parentElement.offsetHeight + 1)
        || boxes.some((one, at) => boxes.slice(at + 1).some((other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4));
}).map((cell) => cell.innerText)"""
COVERING = """() => [...document.body.querySelectorAll("*")].filter((one) =>
    ["fixed", "sticky"].includes(getComputedStyle(one).position) && one.getClientRects().length)
    .map((one) => one.className)"""
NEW_PAGES = """() => [...document.querySelectorAll("tbody, .service__name")]
    .filter((one) => getComputedStyle(one).breakBefore === "page")
    .map((one) => one.innerText.split(" ")[0].trim())"""


@pytest.fixture
def day(live_cast):
    """Twenty-four parties for lunch, forty for dinner; every fourth with a long note."""
    for number in range(64):
        guest = make_customer(
            live_cast.harbour,
            last_name="Brzeczyszczykiewicz",
            allergies_and_intolerances=ALLERGIES if number % 5 == 0 else [],
            is_vip=number % 6 == 0,
        )
        begin = -480 if number < 24 else -180
        at = DINNER + timedelta(minutes=begin + number * 5)
        note = NOTE if number % 4 == 0 else ""
        make_reservation(live_cast.quay, customer=guest, meal_at=at, customer_note=note)
    return f"scope={live_cast.quay.uuid}&day={DINNER:%Y-%m-%d}"


@pytest.mark.parametrize("form", PAPERS)
@pytest.mark.parametrize(
    ("address", "most_pages"),
    [("/?zoom=list&sort=time&whole=1", 7), ("/reservations/brief/?", 10)],
    ids=["list", "briefing"],
)
def test_it_works(day, visit, form, address, most_pages):
    width, size = PAPERS[form]
    page = visit(f"{address}&{day}")
    paper = page.pdf(format="A4", landscape=form == "landscape")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": width, "height": 900})

    assert 3 <= len(re.findall(rb"/Type /Page\b", paper)) <= most_pages
    assert {(round(float(one[0])), round(float(one[1]))) for one in re.findall(BOX, paper)} == {
        size
    }
    assert page.evaluate(CUT, width) == []
    assert page.evaluate(COVERING) == []
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(NEW_PAGES) == ["Dinner"]
    heads = page.locator("#board thead, .table.service thead")
    displays = heads.evaluate_all("all => all.map(one => getComputedStyle(one).display)")
    assert set(displays) == {"table-header-group"}
    assert page.get_by_text(NOTE.strip()).count() >= 16
    mark = page.locator(":is(.booking-rows, .service) [data-mark=allergy]").first
    assert mark.inner_text().strip() == f"Allergy: {', '.join(ALLERGIES)}"
    assert mark.locator(".visually-hidden").bounding_box()
    assert mark.evaluate("one => getComputedStyle(one).color") == "rgb(0, 0, 0)"
    for screen_only in ("nav", "button", "#freshness", ".chips", ".evening-hist"):
        assert not page.locator(screen_only).first.is_visible(), screen_only


@pytest.mark.parametrize("address", ["/?zoom=list&sort=time&whole=1", "/reservations/brief/?"])
def test_the_longest_name_leaves_the_note_its_width(live_cast, visit, address):
    guest = make_customer(live_cast.harbour, last_name="Y" * 60)
    make_reservation(live_cast.quay, customer=guest, meal_at=DINNER, customer_note=NOTE)
    page = visit(f"{address}&scope={live_cast.quay.uuid}&day={DINNER:%Y-%m-%d}")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPERS["portrait"][0], "height": 900})

    note = page.locator(".booking-row__note, td.service__notes").first.bounding_box()
    assert note["width"] >= PAPERS["portrait"][0] / 4
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPERS["portrait"][0]


def test_the_paper_names_its_restaurant_day_and_moment(day, visit):
    page = visit(f"/?zoom=list&sort=time&whole=1&{day}")
    page.emulate_media(media="print")

    head = page.locator(".page__head .print-only")
    assert re.search(r"Quay · Saturday 17 January 2026 · Made at \d\d:\d\d", head.inner_text())


def test_print_is_in_the_menu_of_every_board_and_opens_the_printer_once(day, visit):
    page = visit(f"/?zoom=arrivals&{day}")
    page.add_init_script("window.printed = 0; window.print = () => { window.printed += 1; }")
    page.locator("[popovertarget=evening-menu]").click()
    page.get_by_role("link", name="Print the list").click()

    expect(page).to_have_url(re.compile("zoom=list.*sort=time.*whole=1$"))
    assert page.evaluate("printed") == 1


# The sentence under a card that has marks, and whether its box is as large as its words.
SENTENCES = """() => [...document.querySelectorAll(".booking__link")].map((link) => [
    getComputedStyle(link, "::after").content,
    link.scrollHeight <= link.clientHeight + 1 && link.scrollWidth <= link.clientWidth + 1,
]).filter(([words]) => words !== "none")"""


@pytest.mark.parametrize("zoom", ["arrivals", "stays"])
@pytest.mark.parametrize("form", PAPERS)
def test_every_board_names_each_allergy_on_paper(live_cast, visit, form, zoom):
    for number in range(4):
        guest = make_customer(
            live_cast.harbour, last_name="Brzeczyszczykiewicz", allergies_and_intolerances=ALLERGIES
        )
        at = DINNER + timedelta(minutes=15 * number)
        make_reservation(live_cast.quay, customer=guest, meal_at=at)
    page = visit(f"/?zoom={zoom}&scope={live_cast.quay.uuid}&day={DINNER:%Y-%m-%d}")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPERS[form][0], "height": 900})

    found = page.evaluate(SENTENCES)
    assert len(found) == 4
    for words, is_whole in found:
        assert f"Allergy: {', '.join(ALLERGIES)}" in words
        assert is_whole


def test_paper_that_has_a_part_of_the_bookings_states_how_many(day, visit):
    page = visit(f"/?zoom=stays&{day}")
    page.emulate_media(media="print")

    expect(page.get_by_text(re.compile(r"\d+ of 64 bookings"))).to_be_visible()


def test_the_pulse_has_every_quarter_of_an_hour_on_paper(day, visit):
    page = visit(f"/?zoom=pulse&day={DINNER:%Y-%m-%d}")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPERS["landscape"][0], "height": 900})

    assert page.locator(".pulse__slot").count() > 20
    assert page.evaluate(CUT, PAPERS["landscape"][0]) == []


def test_the_guest_list_on_paper_names_each_allergy_and_which_part_it_is(live_cast, visit):
    for number in range(51):
        make_customer(
            live_cast.harbour, last_name=f"Rossi {number}", allergies_and_intolerances=ALLERGIES
        )
    page = visit("/customers/?show=allergies")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPERS["portrait"][0], "height": 900})

    marks = page.locator(".guest-rows [data-mark=allergy]")
    assert marks.all_inner_texts() == [f"Allergy: {', '.join(ALLERGIES)}"] * 50
    assert marks.first.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    expect(page.locator(".print-only")).to_contain_text("Allergies, tagged · 1–50 of 51 · Made at")
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPERS["portrait"][0]
    for screen_only in (".chips", ".guest-filters", ".paginator", "summary"):
        assert not page.locator(screen_only).first.is_visible(), screen_only


def test_a_booking_whose_note_fills_a_page_begins_on_the_first(live_cast, visit):
    row = make_reservation(live_cast.quay, meal_at=DINNER, customer_note=NOTE * 20)
    page = visit(f"/reservations/{row.uuid}/")
    page.emulate_media(media="print")

    details = page.locator(".details")
    assert details.evaluate("one => getComputedStyle(one).breakInside") == "auto"
