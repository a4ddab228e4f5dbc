"""Several calls at once over a full board, on a phone, a tablet and a wide screen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from customers.testing import make_customer
from phone.testing import make_call
from reservations.testing import make_reservation
from tests.browser.conftest import violations

ALLERGIES = ["nuts", "gluten", "shellfish", "celery", "mustard"]
TOPS = "all => all.map(one => one.getBoundingClientRect().top)"


@pytest.fixture
def board(tonight_cast, visit, request):
    for number, name in enumerate(("Fernández de Córdoba y Álvarez de Toledo", "Rossi") * 2):
        phone = f"+3361234560{number}"
        make_customer(
            tonight_cast.harbour,
            first_name="María del Carmen",
            last_name=name,
            phone_e164=phone,
            allergies_and_intolerances=ALLERGIES,
            is_vip=True,
        )
        make_call(
            tonight_cast.quay, number=phone, began_at=timezone.now() - timedelta(seconds=number)
        )
    page = visit("/?zoom=arrivals")
    width, height = request.param
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.locator(".call").nth(2).wait_for()
    return page


@pytest.mark.parametrize("board", [(390, 844), (1024, 768), (1440, 900)], indirect=True)
def test_every_allergy_of_the_caller_can_be_read(board):
    """Cut after thirty letters, the fourth was never seen by who answered."""
    words = board.locator(".call").first.locator(".badge[data-mark=allergy]")
    text = words.inner_text().lower()

    assert all(one in text for one in ("nuts", "gluten", "shellfish", "celery", "mustard"))
    assert words.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")


@pytest.mark.parametrize("board", [(390, 844)], indirect=True)
def test_they_leave_seven_tenths_of_a_phone_to_the_guests(board):
    """Three names in four lines each left a quarter, cards of a line each two fifths."""
    assert min(board.locator(".call").evaluate_all(TOPS)) >= 844 * 0.7


@pytest.mark.parametrize("board", [(390, 844)], indirect=True)
def test_the_page_ends_above_them(board):
    """Cards of calls that ring for three minutes lay on the button of a form."""
    board.locator(".tabbar__tab--new").click()
    board.locator(".call").nth(2).wait_for()
    board.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = board.locator("main :is(a, button):visible").last

    last.click(trial=True)
    assert last.bounding_box()["y"] < min(board.locator(".call").evaluate_all(TOPS))


BOTTOM = "one => one.getBoundingClientRect().bottom"


@pytest.mark.parametrize("board", [(1024, 768), (1440, 900)], indirect=True)
def test_every_booking_can_be_scrolled_out_of_their_way(tonight_cast, board):
    """At the end of a full list they lay on its last three, wherever it was scrolled."""
    for _booking in range(25):
        make_reservation(tonight_cast.quay, meal_at=timezone.now())
    board.goto(f"{board.url.split('?')[0]}?scope={tonight_cast.quay.uuid}&zoom=list")
    board.locator(".call").nth(2).wait_for()
    last = board.locator("main tr[data-live]").last
    board.wait_for_function("() => parseInt(document.documentElement.style.cssText.slice(8)) > 90")
    board.evaluate("scrollTo(0, document.body.scrollHeight)")
    place = last.evaluate(BOTTOM)

    assert place <= min(board.locator(".call").evaluate_all(TOPS))
    # When they leave, what is under the finger of whoever stands there does not move.
    board.locator("#ringing").evaluate("one => one.replaceChildren()")
    board.wait_for_function("() => document.documentElement.style.cssText.startsWith('--over: 0')")
    assert last.evaluate(BOTTOM) == place


@pytest.mark.parametrize("board", [(390, 844)], indirect=True)
def test_whoever_rings_below_the_first_is_one_tap_away(board):
    chip, button = board.locator(".call").nth(1), board.locator(".call").nth(1).get_by_text("Show")

    assert round(chip.bounding_box()["height"], 1) >= 44
    assert button.bounding_box()["width"] >= chip.bounding_box()["width"] - 6
    button.click()
    board.wait_for_url("**/phone/look-up/")


@pytest.mark.parametrize("board", [(390, 844), (1024, 768), (1440, 900)], indirect=True)
def test_the_sign_of_an_allergy_is_whole_on_every_card(board):
    cards = board.locator(".call")
    # In one line the surname stands first, as on the board.
    assert cards.nth(2).locator("b").first.inner_text().startswith("Fernández")
    for card in cards.all():
        sign, box = card.locator("[data-mark=allergy]").first.bounding_box(), card.bounding_box()

        assert sign["x"] + sign["width"] < box["x"] + box["width"] / 2

    assert violations(board) == []
