"""Everything can be done without a pointer."""

from django.utils import timezone
from playwright.sync_api import expect

from reservations.testing import make_reservation
from reviews.testing import make_comment

# Everything visible that can be pressed or filled in.
STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea")]
  .filter((e) => e.checkVisibility() && e.type !== "hidden" && !e.disabled)"""


def test_it_works(visit):
    page = visit("/")
    page.keyboard.press("Tab")
    expect(page.locator(".shell__skip")).to_be_focused()

    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()


def test_the_tab_key_reaches_everything(visit):
    page = visit("/setup/")

    for _step in range(page.evaluate(f"({STOPS})().length")):
        page.keyboard.press("Tab")
        page.evaluate("document.activeElement.dataset.reached = true")

    missed = f"({STOPS})().filter((e) => !e.dataset.reached).map((e) => e.outerHTML)"
    assert page.evaluate(missed) == []


def test_the_question_mark_shows_all_keys(visit):
    page = visit("/")

    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()

    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_the_slash_searches(visit):
    page = visit("/")
    page.keyboard.press("/")
    expect(page.locator("#palette-input")).to_be_focused()

    page.keyboard.type("rossi")
    page.keyboard.press("Enter")

    page.wait_for_url("**/customers/?q=rossi")


def test_the_search_also_goes_to_rooms(visit):
    page = visit("/")
    page.keyboard.press("Control+k")
    page.keyboard.type("revi")
    page.keyboard.press("ArrowDown")

    page.keyboard.press("Enter")

    page.wait_for_url("**/reviews/")


def test_two_keys_go_to_a_section(visit):
    page = visit("/")
    page.keyboard.press("g")

    page.keyboard.press("r")

    page.wait_for_url("**/reviews/")


def test_brackets_walk_through_the_days(visit):
    page = visit("/?day=2026-06-14")

    page.keyboard.press("]")
    page.wait_for_url("**day=2026-06-15*")
    page.keyboard.press("[")
    page.wait_for_url("**day=2026-06-14*")


def test_letters_stay_letters_while_someone_types(visit):
    page = visit("/")
    page.keyboard.press("Control+k")

    page.keyboard.type("g?/")

    expect(page.locator("#palette-input")).to_have_value("g?/")
    expect(page.locator("#keys")).to_be_hidden()


def test_single_keys_can_be_switched_off(visit, live_cast):
    live_cast.dora.shortcuts = False
    live_cast.dora.save()
    page = visit("/")

    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()

    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()


def test_a_review_is_given_away_without_a_pointer(visit, live_cast):
    review = make_comment(live_cast.quay)
    page = visit(f"/reviews/{review.pk}/")
    page.keyboard.press("a")
    expect(page.locator("#drawer h2")).to_be_focused()

    page.get_by_role("searchbox", name="Search people").fill("bob")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.get_by_role("textbox", name="Message").fill("You seated them.")
    page.get_by_role("button", name="Assign", exact=True).press("Enter")

    expect(page.get_by_text("Dora assigned it to Bob")).to_be_visible()
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.locator("#give")).to_be_focused()


def test_a_refused_form_gives_the_keys_what_to_do_next(page, live_server):
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_label("Email").fill("nobody@example.org")
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_be_focused()


def test_a_form_that_is_refused_in_the_drawer_does_so_too(visit, tonight_cast):
    make_reservation(tonight_cast.quay, meal_at=timezone.now())
    page = visit("/?zoom=list")
    page.locator("#board tbody a").first.click()
    drawer = page.locator("#drawer-body")
    drawer.get_by_role("link", name="Note", exact=True).click()
    drawer.get_by_role("button", name="Save the note").click()

    expect(drawer.get_by_role("alert")).to_be_focused()


def test_the_ring_of_the_first_filter_is_whole(visit, page, live_cast):
    make_reservation(live_cast.quay, meal_at=timezone.now())
    visit(f"/?zoom=list&scope={live_cast.quay.uuid}")
    gaps = page.locator(".chips--scroll").evaluate(
        "row => [row, row.firstElementChild].map(one => one.getBoundingClientRect())"
        ".reduce((row, chip) => [chip.left - row.left, chip.top - row.top])"
    )

    assert min(gaps) >= 4  # two pixels of the ring, two beside it


def test_what_is_chosen_has_an_edge_where_the_system_paints_the_colours(visit, page, live_cast):
    make_reservation(live_cast.quay, meal_at=timezone.now())
    page.emulate_media(forced_colors="active")
    visit(f"/?zoom=list&scope={live_cast.quay.uuid}&show=allergies")

    for chosen in (".segmented__choice[aria-current]", ".rail__link[aria-current=page]"):
        expect(page.locator(chosen).first).to_have_css("outline-style", "solid")
