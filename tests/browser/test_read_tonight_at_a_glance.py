"""Tonight at a glance: guests near the top of every screen, with names that can be read."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from customers.testing import make_customer
from mirror.models import Alert
from reservations.models import ArrivalTracking
from reservations.testing import make_reservation
from tests.browser.conftest import enter, zone_of_evening

TABLET = {"width": 1024, "height": 768}
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}
SIZES = (WIDE, TABLET, PHONE)
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


# What is too small for a finger; a tick has its label, and a link its row.
TARGETS = """() => [...document.querySelectorAll("a, button, summary, input, select")]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(one => !one.closest(".visually-hidden, .shell__skip, .histogram"))
    .map(one => one.matches(".table__link") ? one.closest("tr") : one.labels?.[0]
        && one.matches("[type=checkbox]") ? one.labels[0] : one)
    .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect().height])
    .filter(([_html, height]) => height && height < 43.5)"""


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


@pytest.fixture
def late_and_left(tonight, tonight_cast):
    """The widest names: bold ones, those of bars of a quarter of an hour, and on two clocks."""
    loft, now = tonight_cast.loft, timezone.now()
    loft.timezone = zone_of_evening(now, behind=1)
    loft.save(update_fields=["timezone"])
    for place in (tonight_cast.quay, loft):
        ArrivalTracking.objects.create(restaurant=place, bookings=9, marked=9, measured_at=now)
        guest = make_customer(tonight_cast.harbour, last_name="Vandenbroucke", is_vip=True)
        for status, minutes in (("", 20), ("LEFT", 15), ("SEATED", 130)):
            make_reservation(
                place,
                customer=guest,
                meal_at=now - timedelta(minutes=minutes),
                meal_status=status,
                customer_note="A quiet table",
            )


@pytest.fixture
def hold(tonight_cast, browser, live_server):
    """Open an address as Dora on a screen that is touched: one of each size and language."""
    pages: dict[tuple[int, str], Page] = {}

    def take_up(size, language):
        context = browser.new_context(
            viewport=size,
            has_touch=True,
            is_mobile=True,
            locale=language,
            service_workers="block",
            base_url=live_server.url,
        )
        enter(context, user=tonight_cast.dora, address=live_server.url)
        return context.new_page()

    def go(address, size, *, language="en-GB"):
        key = (size["width"], language)
        page = pages[key] = pages.get(key) or take_up(size, language)
        page.goto(address)
        return page

    yield go
    for page in pages.values():
        page.context.close()


def first_booking(page):
    """How far below the top the first booking begins."""
    page.locator("[id^='r-']").first.wait_for()
    tops = "all => Math.min(...all.map(one => one.getBoundingClientRect().top))"
    return page.locator("[id^='r-']").evaluate_all(tops)


def test_it_works(tonight, page, visit):
    page.set_viewport_size(TABLET)
    for zoom in ("list", "arrivals"):
        assert first_booking(visit(f"/?zoom={zoom}")) <= 200, zoom


def test_it_is_near_the_top_of_a_wide_screen_too(tonight, page, visit, settings):
    """The words about a demo change nothing about that."""
    settings.DEMO_SANDBOX = "http://127.0.0.1:8100"
    page.set_viewport_size(WIDE)
    for zoom in ("list", "arrivals", "stays"):
        assert first_booking(visit(f"/?zoom={zoom}")) <= 240, zoom
        assert page.locator(".setup-bar--slim").is_visible()


def test_the_first_booking_is_near_the_top_of_a_phone(tonight, page, visit):
    page.set_viewport_size(PHONE)
    for zoom in ("list", "arrivals"):
        assert first_booking(visit(f"/?zoom={zoom}")) <= 240, zoom


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "es-ES"])
def test_it_is_as_near_where_fingers_need_more_space(tonight, hold, language):
    for zoom, (size, most) in product(("list", "arrivals", "stays"), ((TABLET, 200), (PHONE, 240))):
        page = hold(f"/?zoom={zoom}", size, language=language)

        assert first_booking(page) <= most, (zoom, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], zoom


@pytest.mark.parametrize(
    ("size", "most"), [(WIDE, 300), (TABLET, 285), (PHONE, 352)], ids=["wide", "tablet", "phone"]
)
def test_an_outage_of_several_faults_leaves_the_guests_in_sight(tonight, hold, size, most):
    """Four sentences took 225 px of a phone: the first is shown, and how many more there are."""
    at = timezone.now() - timedelta(hours=1)
    words = "Reading is behind: the oldest change has been waiting for 234 s."
    for cause in ("database", "queue", "key", "copies"):
        Alert.objects.create(cause=cause, sentence=words + cause, opened_at=at, notified_at=at)
    page = hold("/?zoom=arrivals", size)

    assert first_booking(page) <= most
    more = page.get_by_text("and 3 more faults")
    more.click()
    assert page.locator("#alerts p:visible").count() == 4
    assert page.get_by_role("link", name="What to do").is_visible()
    assert page.locator("#alerts").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_the_sign_of_a_long_fault_stands_beside_its_words(tonight, hold):
    """On a tablet it took a line of its own above the board."""
    at = timezone.now() - timedelta(hours=1)
    words = "Harbour Group: the client id or secret was refused, or the client is not enabled. " * 2
    Alert.objects.create(cause="token", sentence=words, opened_at=at, notified_at=at)
    page = hold("/?zoom=arrivals", TABLET)
    sign, text = (page.locator(f"#alerts .notice > {one}").bounding_box() for one in ("svg", "p"))

    assert text["x"] > sign["x"] + sign["width"]
    assert text["y"] < sign["y"] < text["y"] + text["height"]


@pytest.mark.parametrize(("size", "most"), [(WIDE, 70), (TABLET, 70), (PHONE, 66)])
def test_a_fault_above_other_pages_has_its_way_on_in_its_line(tonight_cast, hold, size, most):
    at = timezone.now() - timedelta(hours=1)
    words = "Reading is behind: the oldest change has been waiting for 234 s."
    Alert.objects.create(cause="queue", sentence=words, opened_at=at, notified_at=at)
    page = hold("/customers/", size)

    assert page.locator("#alerts").bounding_box()["height"] <= most
    height = page.get_by_role("link", name="What to do").bounding_box()["height"]
    assert round(height, 1) >= 44


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_fingers_hit_what_they_aim_at(late_and_left, hold, size):
    for address in (
        *("/?zoom=list", "/?zoom=arrivals", "/?zoom=stays", "/?zoom=pulse"),
        *("/reservations/requests/", "/reservations/new/", "/accounts/push/", "/setup/offline/"),
    ):
        assert hold(address, size).evaluate(TARGETS) == [], address


def test_twelve_letters_of_late_guests_and_short_stays_too(late_and_left, page, visit):
    for size, zoom in product(SIZES, ("arrivals", "stays")):
        page.set_viewport_size(size)
        letters = visit(f"/?zoom={zoom}&whole=1").locator(".booking__name").evaluate_all(LETTERS)

        assert len(letters) == 12
        assert min(letters) >= 12, (size, zoom)


def test_no_short_name_of_a_stay_is_cut(tonight_cast, page, visit):
    """With nothing beside it a label is as wide as its words."""
    for name, party in (("Li", 2), ("Ellsworth", 5), ("Kirkbride", 12)):
        guest = make_customer(tonight_cast.harbour, last_name=name)
        at = timezone.now() + timedelta(minutes=30)
        make_reservation(tonight_cast.quay, customer=guest, meal_at=at, party_size=party)
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    for size in SIZES:
        page.set_viewport_size(size)
        names = visit("/?zoom=stays&whole=1").locator(".booking__name")

        assert names.count() == 3
        assert names.evaluate_all(cut) == 0, size


def test_twelve_letters_below_the_pulse_too(late_and_left, page, visit):
    for size in SIZES:
        page.set_viewport_size(size)
        letters = visit("/?zoom=pulse").locator(".next-up__name").evaluate_all(LETTERS)

        assert min(letters) >= 12, size


def test_the_stays_of_two_clocks_open_at_the_one_line_of_now(late_and_left, page, visit):
    edges = "all => all.map(one => Math.round(one.getBoundingClientRect().left))"
    for size in SIZES:
        page.set_viewport_size(size)
        lines = visit("/?zoom=stays").locator(".stays__hour svg.now-line line")
        quay, loft = lines.evaluate_all(edges)

        assert quay == pytest.approx(loft, abs=1), size
        assert 0 < quay < size["width"]


def test_twelve_letters_of_a_name_can_be_read_on_every_card(tonight, page, visit):
    for size in SIZES:
        page.set_viewport_size(size)
        letters = visit("/?zoom=arrivals").locator(".booking__name").evaluate_all(LETTERS)

        assert len(letters) == 6
        assert min(letters) >= 12, size


def test_they_can_be_read_beside_an_open_drawer(tonight, page, visit):
    page.set_viewport_size(WIDE)
    board = visit("/?zoom=arrivals")
    board.locator("a[data-drawer]").first.click()
    board.locator("#drawer-body h2").first.wait_for()

    assert min(board.locator(".booking__name").evaluate_all(LETTERS)) >= 12


def test_nothing_is_wider_than_the_screen(tonight, page, visit):
    for size in (TABLET, PHONE):
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

    late = board.get_by_text("34 min", exact=True)
    edges = "all => all.map(one => one.getBoundingClientRect().right)"
    words = board.locator(".booking-rows :is(.badge, .booking-row__late)")
    assert late.is_visible()
    assert max(words.evaluate_all(edges)) <= PHONE["width"] - 16
