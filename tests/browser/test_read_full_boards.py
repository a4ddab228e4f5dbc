"""Boards with bookings on them, as those read them who do not see them: nothing for axe to find."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from customers.testing import make_customer
from insights.sums import recount
from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant
from tests.browser.conftest import enter, violations

# Whether a mark of the pulse is uncovered, wherever its hours are scrolled to.
SEEN_ALL_ALONG = """mark => {
    const frame = mark.closest(".table-frame__scroll");
    return [0, 0.25, 0.5, 0.75, 1].map(part => {
        frame.scrollLeft = part * (frame.scrollWidth - frame.clientWidth);
        const box = mark.getBoundingClientRect();
        return [box.left + 1, box.right - 1].every(
            x => mark.contains(document.elementFromPoint(x, box.top + box.height / 2)));
    });
}"""

EDGES = """all => all.map(one => one.getBoundingClientRect())
    .map(({ left, right }) => [left, right])"""


@pytest.fixture
def evening(live_cast):
    """A booking that is due, one in house, a walk-in, and a guest with an allergy."""
    now = timezone.now()
    guest = make_customer(live_cast.harbour, allergies_and_intolerances=["nuts"], is_vip=True)
    make_reservation(live_cast.quay, customer=guest, meal_at=now, party_size=8)
    make_reservation(live_cast.quay, meal_at=now, meal_status="SEATED")
    make_reservation(live_cast.loft, meal_at=now, reservation_channel="Walk-in")


@pytest.fixture
def autumn(live_cast):
    """Days of many sizes, counted, and evenings that nobody closed."""
    now = timezone.now()
    for days in range(-9, 10):
        for restaurant, covers in ((live_cast.quay, 12 + days), (live_cast.loft, 4)):
            make_reservation(restaurant, meal_at=now + timedelta(days), party_size=covers)
    make_reservation(live_cast.quay, meal_at=now, status="REQUESTED")
    for restaurant in (live_cast.quay, live_cast.loft):
        recount.rebuild(restaurant, now=now)


@pytest.mark.parametrize(
    "address", ["/?zoom=pulse", "/?zoom=arrivals", "/?zoom=stays", "/?zoom=list"]
)
def test_it_works(evening, visit, address):
    page = visit(address)

    assert page.locator("#board").is_visible()
    assert violations(page) == []


def test_the_briefing_is_readable_too(evening, visit):
    page = visit("/reservations/brief/")

    assert page.get_by_role("heading", name="Service list").is_visible()
    assert violations(page) == []


class TestWhatGuestsDoNotEat:
    """The insight: bars, a wide table, filters that look ahead."""

    @pytest.fixture
    def page(self, live_cast, visit):
        now = timezone.now()
        notes = ("allergic to nuts", "2 vegans", "no onions please", "coeliac, sulphite allergy")
        for number, note in enumerate(notes * 4):
            at = now - timedelta(days=number + 1)
            make_reservation(live_cast.quay, meal_at=at, customer_note=note, party_size=4)
        for restaurant in (live_cast.quay, live_cast.loft):
            recount.rebuild(restaurant, now=now)
        return visit("/insights/diets/")

    def test_it_works(self, page):
        for theme, width in (("light", 1440), ("dark", 390), ("light", 820)):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")

            assert page.get_by_role("row", name="Nuts in a note").is_visible()
            assert violations(page) == [], (theme, width)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


class TestLongEvening:
    """Thirty quarters of an hour do not fit beside each other."""

    DAY = f"day={DINNER:%Y-%m-%d}"
    FITS = "document.documentElement.scrollWidth <= innerWidth"

    @pytest.fixture
    def evening(self, live_cast):
        for quarter in range(30):
            guest = make_customer(
                live_cast.harbour,
                last_name="Wolfeschlegelsteinhausen",
                allergies_and_intolerances=["nuts"],
            )
            at = DINNER + timedelta(minutes=15 * (quarter - 24))
            make_reservation(
                live_cast.quay,
                customer=guest,
                meal_at=at,
                customer_note="By the window, and far from the door of the kitchen",
                reservation_channel="Cross Sell",
            )

    @pytest.fixture
    def pulse(self, evening, visit):
        page = visit(f"/?zoom=pulse&{self.DAY}")
        page.set_viewport_size({"width": 1280, "height": 800})
        return page

    def test_only_its_frame_scrolls(self, evening, visit):
        for address in (
            *("/?zoom=pulse", "/?zoom=arrivals&whole=1", "/?zoom=stays", "/?zoom=list"),
            "/reservations/brief/?",
        ):
            page = visit(f"{address}&{self.DAY}")
            for width in (1440, 1024, 390):
                page.set_viewport_size({"width": width, "height": 800})

                assert page.evaluate(self.FITS), f"{address} scrolls aside at {width}"

    def test_paper_has_every_party_within_its_edges(self, evening, visit):
        page = visit(f"/reservations/brief/?{self.DAY}")
        page.emulate_media(media="print")
        parties = page.locator(".allergens__party")
        assert parties.count() == 30

        for width in (703, 1032):  # A4 portrait and landscape
            page.set_viewport_size({"width": width, "height": 1000})
            boxes = parties.evaluate_all(EDGES)

            assert all(left < right for left, right in boxes)
            assert min(left for left, _right in boxes) >= 0
            assert max(right for _left, right in boxes) <= width
            assert page.evaluate(self.FITS), width

    def test_nothing_covers_the_lines_of_paper(self, evening, visit):
        page = visit(f"/reservations/brief/?{self.DAY}")
        page.emulate_media(media="print")
        fixed = page.evaluate("""[...document.body.querySelectorAll("*")].filter((one) => {
            const { position, display } = getComputedStyle(one);
            return ["fixed", "sticky"].includes(position) && one.getClientRects().length;
        }).map((one) => one.className)""")

        assert fixed == []

    def test_a_card_tells_who_comes_and_of_allergies_before_all_else(self, evening, visit):
        page = visit(f"/?zoom=arrivals&whole=1&{self.DAY}")
        page.set_viewport_size({"width": 1440, "height": 800})
        name = page.locator(".booking__name").first.bounding_box()
        allergy, note = (page.locator(f".booking [data-mark={one}]") for one in ("allergy", "note"))

        assert name
        assert name["width"] > 30  # four letters
        assert allergy.first.is_visible()
        assert not note.first.is_visible()

        page.set_viewport_size({"width": 390, "height": 800})
        assert note.first.is_visible()

    def test_the_names_stay_in_sight(self, pulse):
        assert pulse.get_by_role("link", name="Quay").is_visible()

    def test_no_column_that_stays_covers_an_hour(self, pulse):
        """Where the hours have scrolled by, each stands where the one before it ends."""
        pulse.evaluate("document.querySelector('#board .table-frame__scroll').scrollLeft = 150")
        heads = [one.bounding_box() for one in pulse.locator(".pulse thead th").all()[:8]]
        ends = [round(box["x"] + box["width"]) for box in heads]

        assert [round(box["x"]) for box in heads[1:]] == ends[:-1]

    def test_a_change_takes_away_neither_the_focus_nor_the_place(self, pulse):
        frame = "document.querySelector('#board .table-frame__scroll')"
        pulse.locator(".pulse__cell a").nth(12).focus()
        held = pulse.evaluate("document.activeElement.href")
        pulse.evaluate(
            f"{frame}.scrollLeft = 150; document.querySelector('#board').dataset.old = 1"
        )
        pulse.evaluate("htmx.trigger(document.body, 'live:resync')")

        expect(pulse.locator("#board:not([data-old])")).to_be_visible()
        assert pulse.evaluate("document.activeElement.href") == held
        assert pulse.evaluate(f"{frame}.scrollLeft") == 150


def test_a_tablet_shows_each_restaurant_of_the_pulse_in_one_line(tonight_cast, page, visit):
    """Each kind of allergy had a line of its own: ten restaurants filled the screen."""
    guest = make_customer(tonight_cast.harbour, allergies_and_intolerances=["Peanuts"])
    for note in ("", "Severe allergy to nuts"):
        make_reservation(
            tonight_cast.quay, customer=guest, meal_at=timezone.now(), customer_note=note
        )
    make_reservation(
        tonight_cast.quay, meal_at=timezone.now(), customer_note="Severe allergy to nuts"
    )
    page.set_viewport_size({"width": 1024, "height": 768})
    visit("/?zoom=pulse")
    row = page.locator(".pulse tbody tr").filter(has_text="Quay")

    assert row.locator(".pulse__allergies > :not(:empty)").count() == 2
    assert row.bounding_box()["height"] <= 36


def test_a_finger_has_twelve_restaurants_of_the_pulse_on_a_tablet(
    tonight_cast, browser, live_server
):
    for number in range(10):
        place = make_restaurant(tonight_cast.harbour, f"Restaurant {number}")
        make_reservation(place, meal_at=timezone.now())
    tablet = {"width": 1024, "height": 768}
    context = browser.new_context(viewport=tablet, has_touch=True, service_workers="block")
    enter(context, user=tonight_cast.alice, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/?zoom=pulse")
    boxes = [row.bounding_box() for row in page.locator(".pulse tbody tr").all()]
    context.close()

    assert len(boxes) == 12
    assert min(box["height"] for box in boxes) >= 44
    assert boxes[-1]["y"] + boxes[-1]["height"] <= tablet["height"]


def test_the_pulse_opens_at_now_beside_the_names(tonight_cast, page, visit):
    for quarter in range(-40, 40):
        at = timezone.now() + timedelta(minutes=15 * quarter)
        make_reservation(tonight_cast.quay, meal_at=at, status="RECORDED")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        visit("/?zoom=pulse")
        edge = page.locator(".pulse thead th:visible").nth(7 if width == 1440 else 0).bounding_box()
        now = page.locator(".pulse__slot--here").bounding_box()

        assert edge
        assert now
        assert edge["x"] + edge["width"] <= now["x"] + 1, width
        assert now["x"] + now["width"] <= width


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_allergies_of_the_pulse_never_scroll_out_of_sight(tonight_cast, page, visit, language):
    for quarter in range(-20, 20):
        at = timezone.now() + timedelta(minutes=15 * quarter)
        make_reservation(
            tonight_cast.quay, meal_at=at, status="RECORDED", customer_note="nut allergy"
        )
    page.set_extra_http_headers({"Accept-Language": language})
    mark = page.locator(".pulse .pulse__allergies [data-mark=allergy-noted]")
    for width in (1440, 1024, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        visit("/?zoom=pulse")

        assert mark.evaluate(SEEN_ALL_ALONG) == [True] * 5, width


class TestPhoneOfAFullEvening:
    """Guests who are late, requests and allergies at once, in the widest words."""

    @pytest.fixture
    def board(self, tonight_cast, browser, live_server, request):
        for place in (tonight_cast.quay, tonight_cast.loft):
            ArrivalTracking.objects.create(
                restaurant=place, bookings=9, marked=9, measured_at=timezone.now()
            )
            for minutes in range(12):
                at = timezone.now() - timedelta(minutes=20 + minutes)
                make_reservation(place, meal_at=at, customer_note="nut allergy")
                make_reservation(place, meal_at=at, status="REQUESTED")
                guest = make_customer(place.group, allergies_and_intolerances=["nuts"])
                make_reservation(place, meal_at=at, customer=guest)
        context = browser.new_context(
            viewport={"width": 390, "height": 844},
            has_touch=True,
            is_mobile=True,
            locale=request.param,
            service_workers="block",
        )
        enter(context, user=tonight_cast.dora, address=live_server.url)
        page = context.new_page()
        page.goto(f"{live_server.url}/?zoom=pulse")
        yield page
        context.close()

    @pytest.mark.parametrize("board", ["en-GB", "fr-FR", "es-ES"], indirect=True)
    def test_how_many_are_late_requested_and_allergic_is_one_look(self, board):
        """What is behind the fading end of the row is half a number, and a wrong one."""
        numbers = board.locator(".filters .chip__number")
        fades = "one => one.getBoundingClientRect().right - 28"
        ends = "all => all.slice(0, 3).map(one => one.getBoundingClientRect().right)"

        assert [int(one) for one in numbers.all_inner_texts()[:3]] == [48, 24, 24]
        assert max(numbers.evaluate_all(ends)) <= board.locator(".chips--scroll").evaluate(fades)

    @pytest.mark.parametrize("board", ["en-GB", "fr-FR", "es-ES"], indirect=True)
    def test_no_head_of_the_pulse_is_under_its_allergies(self, board):
        heads = board.locator(".pulse thead th:visible")
        edges = heads.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")

        *counts, allergies = edges[1:5]
        assert all(edge["right"] <= allergies["left"] + 1 for edge in counts)
        names = heads.evaluate_all("all => all.slice(1, 4).map(one => one.ariaLabel)")
        assert all(names)


@pytest.mark.parametrize("address", ["/calendar/", "/calendar/?zoom=week"])
def test_the_calendar_is_readable_too(autumn, visit, address):
    page = visit(address)
    for width, theme in product((1440, 390), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")

        assert page.locator("[data-step='7']").first.is_visible()
        assert violations(page) == [], (width, theme)


def test_the_worklist_is_readable_too(autumn, visit):
    page = visit("/reservations/open-past/?days=28")

    assert page.locator(".open-past__place").first.is_visible()
    assert violations(page) == []


def test_a_month_leads_to_a_board(autumn, visit):
    page = visit("/calendar/")
    page.locator(".month__day--today a").click()

    page.wait_for_url("**/?day=*")
    assert page.locator("#board").is_visible()
