"""Walking through a board without a pointer, and the booking that stands in the address."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from customers.testing import make_customer
from reservations.testing import make_reservation


@pytest.fixture
def evening(tonight_cast):
    """Two columns of two cards, the larger party first."""
    now = timezone.now()
    slot = now - timedelta(minutes=now.minute % 15, seconds=now.second)
    places = {"a": (slot, 6), "b": (slot, 2), "c": (slot + timedelta(minutes=15), 6)}
    places["d"] = (slot + timedelta(minutes=15), 2)
    return {
        name: make_reservation(tonight_cast.quay, meal_at=at, party_size=size)
        for name, (at, size) in places.items()
    }


@pytest.fixture
def board(evening, visit, live_cast):
    return visit(f"/?scope={live_cast.quay.uuid}&zoom=arrivals&whole=1")


def card(page, row):
    return page.locator(f"#r-{row.uuid} a")


class TestArrows:
    def test_it_works(self, board, evening):
        card(board, evening["a"]).focus()
        for key, name in (("Right", "c"), ("Down", "d"), ("Left", "b"), ("Up", "a")):
            board.keyboard.press(f"Arrow{key}")

            expect(card(board, evening[name])).to_be_focused()

    def test_home_and_end(self, board, evening):
        card(board, evening["b"]).focus()
        board.keyboard.press("End")
        expect(card(board, evening["d"])).to_be_focused()

        board.keyboard.press("Home")
        expect(card(board, evening["a"])).to_be_focused()

    def test_at_the_edge_nothing_moves(self, board, evening):
        card(board, evening["a"]).focus()
        board.keyboard.press("ArrowLeft")

        expect(card(board, evening["a"])).to_be_focused()

    def test_letters_walk_from_anywhere(self, board, evening):
        board.keyboard.press("j")
        expect(card(board, evening["a"])).to_be_focused()

        board.keyboard.press("j")
        expect(card(board, evening["b"])).to_be_focused()

    def test_they_stay_letters_while_someone_types(self, board):
        field = board.locator("#evening-q")
        field.press_sequentially("jk")

        expect(field).to_have_value("jk")


class TestTheBookingOfTheAddress:
    def test_it_opens_by_itself(self, evening, visit, live_cast):
        page = visit(f"/?scope={live_cast.quay.uuid}&r={evening['c'].uuid}")

        expect(page.locator("#drawer")).to_be_visible()
        expect(page.locator("#drawer-body")).to_contain_text("6 people")

    def test_a_press_puts_it_there_and_back_closes(self, board, evening):
        card(board, evening["a"]).click()
        board.wait_for_url(f"**r={evening['a'].uuid}*")
        expect(board.locator("#drawer-body")).to_contain_text("6 people")

        board.go_back()

        expect(board.locator("#drawer")).to_be_hidden()
        assert "r=" not in board.url

    def test_closing_takes_it_away(self, board, evening):
        card(board, evening["a"]).click()
        expect(board.locator("#drawer-body h2")).to_be_focused()
        board.keyboard.press("Escape")

        board.wait_for_url(lambda url: "r=" not in url)
        expect(card(board, evening["a"])).to_be_focused()

    def test_the_next_one_needs_no_closing(self, board, evening):
        card(board, evening["a"]).click()
        expect(board.locator("#drawer-body")).to_contain_text("6 people")
        board.keyboard.press("j")

        board.wait_for_url(f"**r={evening['b'].uuid}*")
        expect(board.locator("#drawer-body")).to_contain_text("2 people")


def test_a_long_note_and_a_large_party_fit_on_a_phone(visit, tonight_cast):
    guest = make_customer(tonight_cast.harbour, first_name="דוד", last_name="כהן")
    row = make_reservation(
        tonight_cast.quay, customer=guest, party_size=60, customer_note="<b>nuts</b>" * 454
    )
    page = visit(row.get_absolute_url())
    page.set_viewport_size({"width": 390, "height": 844})

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("heading", name="דוד כהן")).to_be_visible()
