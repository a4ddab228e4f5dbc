"""Tables that are wider than a phone scroll: their last column is not cut off."""

import uuid
from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from customers.duplicates import scores
from customers.testing import make_customer
from insights.prep.models import ServiceTarget
from insights.sums import recount
from mirror.models import SyncRequest
from reservations.service_day.services import NAMES as SERVICE_NAMES
from reservations.testing import make_intent, make_reservation
from restaurants.setup.pages import GUIDE_IS_OVER
from restaurants.testing import make_root
from reviews.testing import make_comment
from tests.browser.conftest import enter

BEYOND_ITS_FRAME = "frame => frame.scrollWidth - frame.clientWidth"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def troubles(live_cast):
    """A record that could not be read, and an intent that has not left yet."""
    now = timezone.now()
    SyncRequest.objects.create(
        kind="reservation",
        uuid=uuid.uuid4(),
        requested_at=now,
        not_before=now,
        state=SyncRequest.State.PARKED,
        problem="malformed",
        sentence="The service sent an answer that we cannot read.",
    )
    make_intent(live_cast.quay)


@pytest.mark.parametrize(
    ("address", "button"), [("/setup/mirror/", "Give up"), ("/setup/outbox/", "Undo")]
)
def test_it_works(troubles, visit, page, address, button):
    page.set_viewport_size(PHONE)
    visit(address)

    # A trial scrolls there as a finger would, and fails if something hides the place.
    page.get_by_role("button", name=button).click(trial=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_menu_of_days_stays_on_the_screen(visit, page, live_cast):
    page.set_viewport_size(PHONE)
    visit(f"/?scope={live_cast.quay.uuid}")
    page.locator("[popovertarget=day-menu]").first.click()

    box = page.locator("#day-menu").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate(
        "(m => m.scrollWidth <= m.clientWidth)(document.querySelector('#day-menu'))"
    )


WORDS = ".tabbar__tab:not(.tabbar__tab--new), .month__covers, .week__covers"
# Those whose letters reach beyond their own box or take a second line.
CUT = """words => [...document.querySelectorAll(words)]
    .filter(one => one.checkVisibility())
    .filter(one => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const { left, right, height } = range.getBoundingClientRect();
        const box = (one.closest("td, th") ?? one).getBoundingClientRect();
        return left < box.left || right > box.right || (one.matches("b, span") && height > 26);
    }).map(one => one.textContent.trim())"""


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_words_and_numbers_have_space_in_every_language(live_cast, visit, page, language):
    """Covers of four digits, as a group has them."""
    for day in (-1, 0, 1):
        at = timezone.now() + timedelta(day)
        for _table in range(2):
            make_reservation(live_cast.quay, meal_at=at, party_size=999)
    recount.rebuild(live_cast.quay, now=timezone.now())
    page.set_extra_http_headers({"Accept-Language": language})
    page.set_viewport_size(PHONE)
    for zoom in ("month", "week"):
        visit(f"/calendar/?zoom={zoom}")

        assert page.locator(f".{zoom}__covers").first.is_visible()
        assert page.evaluate(CUT, WORDS) == [], zoom


@pytest.mark.parametrize("language", ["fr", "es"])
def test_no_word_widens_a_page(live_cast, visit, page, language):
    """With two queues in the bar, whose words are longer than in English."""
    make_reservation(live_cast.quay, meal_at=timezone.now() + timedelta(2), status="REQUESTED")
    make_reservation(live_cast.quay, meal_at=None)
    page.set_extra_http_headers({"Accept-Language": language})
    wide = []
    for address in ("/?zoom=list", "/?zoom=pulse", "/reservations/requests/", "/calendar/"):
        visit(address)
        for width in (1440, 1024, 390):
            page.set_viewport_size({"width": width, "height": 844})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((address, width))

    assert page.locator("#queues a").count() == 2
    assert wide == []


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_tablet_shows_the_names_of_the_queues_whole(live_cast, visit, page, language):
    make_reservation(live_cast.quay, meal_at=timezone.now() + timedelta(2), status="REQUESTED")
    make_reservation(live_cast.quay, meal_at=None)
    page.set_extra_http_headers({"Accept-Language": language})
    page.set_viewport_size({"width": 1024, "height": 768})
    visit("/reservations/requests/")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"

    assert page.locator("#queues .topbar__wide").evaluate_all(cut) == []


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_at_200_percent_zoom_the_tools_of_a_board_are_one_line(
    live_cast, live_server, browser, language
):
    make_reservation(live_cast.quay, meal_at=timezone.now())
    narrow = {"width": 320, "height": 640}
    context = browser.new_context(
        viewport=narrow, has_touch=True, locale=language, service_workers="block"
    )
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    for zoom in ("pulse", "arrivals", "stays", "list"):
        page.goto(f"{live_server.url}/?scope={live_cast.quay.uuid}&zoom={zoom}")

        tools = page.locator(".page__actions").evaluate(
            "all => [...all.children].filter(one => one.checkVisibility())"
            ".map(one => one.getBoundingClientRect()).map(one => one.top + one.height / 2)"
        )
        assert len(tools) == 3
        assert max(tools) - min(tools) < 8, zoom
        assert page.evaluate("document.documentElement.scrollWidth") <= narrow["width"], zoom
    context.close()


def test_a_finger_beside_the_tick_of_a_review_chooses_it(live_cast, live_server, browser):
    make_comment(live_cast.quay)
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/reviews/")
    tick = page.locator(".mail__tick").first
    box = tick.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] + 9, box["y"] + box["height"] + 9)

    expect(tick).to_be_checked()
    expect(page.locator(".inbox-list__bulk")).to_be_visible()
    context.close()


# Links of the page's main part whose line holds no other words, and that a finger misses which
# lands 20 pixels above or below their middle.
MISSED = """() => [...document.querySelectorAll("main a")]
    .filter(one => one.checkVisibility() && one.offsetHeight)
    .filter(one => one.parentElement.innerText.trim() === one.innerText.trim())
    .filter(one => {
        one.scrollIntoView({ block: "center", inline: "center" });
        const box = one.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        return [-20, 20].some(by => document.elementFromPoint(x, y + by)?.closest("a") !== one);
    }).map(one => one.innerText.trim())"""
# Left and right of the next step, in its bar.
SPACES = """link => {
    const bar = link.closest(".setup-bar").getBoundingClientRect();
    const { left, right } = link.getBoundingClientRect();
    return [left - bar.left, bar.right - right];
}"""


@pytest.fixture
def known_guest(tonight_cast):
    """A guest who comes tonight, was here before, and is known twice."""
    number = "+33199001234"
    twice = [make_customer(tonight_cast.harbour, phone_e164=number) for _profile in range(2)]
    for days in (-9, 0, 3):
        at = timezone.now() + timedelta(days)
        make_reservation(tonight_cast.quay, customer=twice[0], meal_at=at, party_size=4)
        make_reservation(tonight_cast.loft, customer=twice[1], meal_at=at, party_size=2)
    for place in (tonight_cast.quay, tonight_cast.loft):
        recount.rebuild(place, now=timezone.now())
    scores.measure(now=timezone.now())
    return twice[0]


def test_a_finger_hits_links_that_stand_alone(known_guest, live_cast, live_server, browser):
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    missed = {}
    for address in (
        f"/customers/{known_guest.uuid}/",
        "/customers/duplicates/",
        "/insights/",
        "/insights/expected/",
        "/insights/prep/",
        "/insights/fullness/",
        "/setup/guide/",
    ):
        page.goto(live_server.url + address)
        missed[address] = page.evaluate(MISSED)
    context.close()

    assert {address: links for address, links in missed.items() if links} == {}


def test_a_finger_on_the_dot_opens_the_health_page(live_cast, live_server, browser):
    """Its words have no space beside the day; the link lay below the search."""
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(live_server.url)
    dot = page.locator("#freshness").bounding_box()
    page.touchscreen.tap(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)

    expect(page.get_by_role("heading", name="Health", level=1)).to_be_visible()
    context.close()


def test_without_restaurants_there_is_nothing_to_book(live_server, browser):
    """The tab led to a refusal, and the bar of the guide repeated the steps below it."""
    GUIDE_IS_OVER.clear()
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=make_root("ana@example.org"), address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/setup/")

    assert page.locator(".tabbar__tab").all_inner_texts() == ["Today", "Setup", "More"]
    expect(page.locator(".setup-bar")).to_have_count(0)
    page.goto(f"{live_server.url}/setup/restaurants/")
    spaces = page.locator(".setup-bar .button--primary").evaluate(SPACES)
    assert spaces[0] == pytest.approx(spaces[1], abs=1)
    context.close()


# Links of a table that reach beyond their cell.
BEYOND = """() => [...document.querySelectorAll(":is(th, td) > a")].filter(one => {
    const { top, bottom } = one.closest("th, td").getBoundingClientRect();
    const own = one.getBoundingClientRect();
    return own.top < top - 0.5 || own.bottom > bottom + 0.5;
}).map(one => one.textContent.trim())"""
# The middles of the lines of a button's words.
MIDDLES = """button => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return [...range.getClientRects()].map(({ left, right }) => (left + right) / 2);
}"""


def test_a_name_of_three_lines_stays_in_its_row(known_guest, live_cast, live_server, browser):
    live_cast.quay.name = "The Saltmarsh Room of Bermondsey, Southwark and the Old Kent Road"
    live_cast.quay.save()
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/insights/prep/")

    assert page.get_by_role("link", name="Bermondsey").first.bounding_box()["height"] > 44
    assert page.evaluate(BEYOND) == []
    context.close()


@pytest.mark.parametrize("language", ["es", "fr"])
def test_numbers_of_a_phone_need_no_scrolling_sideways(known_guest, live_cast, visit, language):
    """The bill of a visit that was reviewed, and the no-shows of a service with a target."""
    reviewed = known_guest.reservations.earliest("meal_at")
    facts = {"bill_amount": "168.93", "bill_currency": "EUR", "bill_is_stale": False}
    known_guest.reservations.update(**facts)
    make_comment(live_cast.quay, reservation=reviewed, customer=known_guest, global_rating=8.5)
    for service, weekday in product(SERVICE_NAMES, range(7)):
        place = {"restaurant": live_cast.quay, "service": service}
        ServiceTarget.objects.create(weekday=weekday, covers=1800, **place)
    User.objects.filter(pk=live_cast.dora.pk).update(language=language)
    page = visit(f"/customers/{known_guest.uuid}/")
    page.set_viewport_size(PHONE)
    visits = page.locator(".guest-visits")

    expect(visits.get_by_text("8,5 / 10").locator("visible=true")).to_have_count(1)
    assert visits.evaluate(BEYOND_ITS_FRAME) == 0
    page = visit("/insights/prep/")
    assert page.locator(".table-frame__scroll").evaluate(BEYOND_ITS_FRAME) == 0


def test_the_status_of_a_visit_is_in_sight(known_guest, live_cast, live_server, browser):
    """And the restaurant, below the date."""
    live_cast.quay.name = "The Saltmarsh Room of Bermondsey"
    live_cast.quay.save()
    context = browser.new_context(viewport=PHONE, has_touch=True, locale="fr-FR")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/customers/{known_guest.uuid}/")
    visits = page.get_by_role("group", name="Visites")
    last = visits.get_by_role("cell", name="Confirmée").first.evaluate(
        "cell => { const all = document.createRange(); all.selectNodeContents(cell);"
        " return all.getBoundingClientRect().right; }"
    )

    assert last <= visits.bounding_box()["x"] + visits.bounding_box()["width"] - 8
    assert visits.get_by_text("Bermondsey").first.is_visible()
    context.close()


def test_two_likely_duplicates_do_not_part_from_their_numbers(
    known_guest, live_cast, live_server, browser
):
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/customers/duplicates/")
    people = page.locator(".guest-pair__who > span")

    assert people.count() == 2
    for one in people.all():
        link, number = (one.locator(part).bounding_box() for part in ("a", ".muted"))
        assert abs(link["y"] + link["height"] / 2 - number["y"] - number["height"] / 2) < 6
    context.close()


def test_every_line_of_a_button_is_centred(visit):
    button = visit("/styleguide/").locator("main button.button").first
    button.evaluate("one => { one.textContent = 'Report the installation as completed'; }")
    button.evaluate("one => { one.style.inlineSize = '200px'; }")
    middles = button.evaluate(MIDDLES)

    assert len(middles) > 1
    assert max(middles) - min(middles) < 1


# The fields and buttons of a form that cover each other.
OVERLAPPING = """form => {
    const parts = [...form.querySelectorAll("input:not([type=hidden]), button")]
        .map(one => one.getBoundingClientRect());
    return parts.flatMap((one, place) => parts.slice(place + 1).filter(other =>
        one.right > other.left && other.right > one.left
        && one.bottom > other.top && other.bottom > one.top)).length;
}"""


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_form_of_a_change_has_space_in_the_drawer(live_cast, live_server, browser, language):
    """“Mostrar las horas” covered the calendar of the day beside it."""
    row = make_reservation(live_cast.quay, meal_at=timezone.now() + timedelta(hours=1))
    context = browser.new_context(has_touch=True, locale=language, service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    wide = "drawer => drawer.scrollWidth > drawer.clientWidth"
    for width in (1024, 390, 320):
        page.set_viewport_size({"width": width, "height": 768})
        # After midnight the coming hour may be of the next day.
        board = f"/?scope={live_cast.quay.uuid}&day={row.service_day}&zoom=list"
        page.goto(f"{live_server.url}{board}")
        page.locator("[data-drawer]").first.click()
        page.locator(f"#drawer a[href$='{row.uuid}/change/']").click()
        form = page.locator("#drawer .change-form__ask")
        form.wait_for()

        assert form.evaluate(OVERLAPPING) == 0, width
        assert not page.locator("#drawer").evaluate(wide), width
    context.close()


REASON = """main => {
    main.innerHTML = `<div class="slots"></div><p class="muted"><svg class="icon icon--small"></svg>
        Not with this offer.</p>`;
    return main.querySelector("p").getBoundingClientRect().height;
}"""


def test_the_reason_of_a_closed_time_stands_beside_its_lock(visit):
    assert visit("/styleguide/").locator("main").evaluate(REASON) < 30


def test_what_is_good_is_one_line_until_it_is_opened(visit, page, live_cast):
    """Of three accounts the page of health was ten screens, all of them good."""
    page.set_viewport_size(PHONE)
    visit("/setup/mirror/")
    fold = page.get_by_text("in good order")
    good = page.locator(".health-good ~ .card")
    expect(fold).to_be_visible()
    expect(good.first).to_be_hidden()

    fold.click()
    expect(good.first).to_be_visible()
    # The page reads itself again; what was opened stays open.
    page.evaluate("document.querySelector('#health').dataset.old = ''")
    page.evaluate(
        "htmx.ajax('GET', '/setup/mirror/', "
        "{source: '#health', target: '#health', select: '#health', swap: 'outerHTML'})"
    )
    expect(page.locator("#health:not([data-old])")).to_be_attached()
    expect(good.first).to_be_visible()

    page.set_viewport_size({"width": 1440, "height": 900})
    expect(fold).to_be_hidden()
    expect(good.first).to_be_visible()
