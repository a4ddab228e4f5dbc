"""The list of a running service: late guests first, what is over folded away."""

from datetime import timedelta

import pytest
import time_machine
from django.utils.html import strip_tags

from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=20)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening(quay):
    with time_machine.travel(NOW, tick=False):
        ArrivalTracking.objects.create(restaurant=quay, bookings=100, marked=90, measured_at=NOW)
        yield


def at(minutes, restaurant, **fields):
    return make_reservation(restaurant, meal_at=NOW + timedelta(minutes=minutes), **fields)


def board_of(user, **address):
    return sign_in(user).get("/", {"zoom": "list"} | address).context["board"]


def sections(user, **address):
    found = board_of(user, **address).sections
    return [(one.key, one.number) for one in found if one.key != "now"]


def test_it_works(bob, quay):
    at(90, quay)
    at(-30, quay, meal_status="SEATED")
    at(10, quay)
    at(-40, quay, meal_status="LEFT")
    at(-20, quay)

    assert sections(bob) == [("late", 1), ("soon", 1), ("here", 1), ("later", 1)]
    assert board_of(bob).folded == 1


def test_what_is_over_is_one_step_away(bob, quay):
    at(10, quay)
    at(-40, quay, meal_status="LEFT")

    assert sections(bob, whole="1") == [("soon", 1), ("over", 1)]
    assert board_of(bob, whole="1").folded == 0


def test_a_filter_folds_nothing(bob, quay):
    at(10, quay, party_size=9)
    at(-40, quay, party_size=9, meal_status="LEFT")

    assert sections(bob, show="large") == [("soon", 1), ("over", 1)]


def test_when_all_is_over_all_is_shown(bob, quay):
    at(-40, quay, meal_status="LEFT")

    assert sections(bob) == [("over", 1)]


def test_a_request_without_an_answer_is_never_over(bob, quay):
    at(-80, quay, status="REQUESTED")

    assert sections(bob) == [("unanswered", 1)]


def test_a_guest_without_a_mark_is_over_where_arrivals_are_not_marked(bob, quay):
    ArrivalTracking.objects.filter(restaurant=quay).update(marked=0)
    at(10, quay)
    at(-10, quay)
    at(-20, quay)

    assert sections(bob) == [("soon", 2)]
    assert board_of(bob).folded == 1


def test_each_restaurant_goes_by_its_own_clock(alice, quay, loft):
    here, there = at(20, quay), at(20, loft)

    assert {one.uuid for one in board_of(alice).by_urgency["soon"]} == {here.uuid, there.uuid}


def test_another_day_goes_by_time(bob, quay):
    tomorrow = NOW + timedelta(days=1)
    make_reservation(quay, meal_at=tomorrow)

    assert sections(bob, day=f"{tomorrow:%Y-%m-%d}") == [("service", 1)]


def test_a_chosen_order_has_no_sections(bob, quay):
    at(10, quay)
    at(-20, quay)

    assert sections(bob, sort="name") == [("", 0)]


def test_by_time_lunch_and_dinner_stand_apart(bob, quay):
    for minutes in (-8 * 60, -8 * 60, 10):
        at(minutes, quay)
    found = board_of(bob, sort="time").sections

    assert [(one.label, one.number) for one in found] == [
        ("Lunch 12:15–12:30 (inferred)", 2),
        ("Dinner 20:30–20:45 (inferred)", 1),
    ]


def test_the_page_names_each_section_with_its_number(bob, quay):
    at(-20, quay)
    at(10, quay)
    page = strip_tags(sign_in(bob).get("/", {"zoom": "list"}).content.decode())

    assert page.index("Late 1") < page.index("Due within 30 minutes 1")


def test_the_late_are_first_on_the_first_page_of_many(bob, quay):
    for minutes in range(310):
        at(40 + minutes // 10, quay)
    late = at(-20, quay)
    board = board_of(bob)

    assert next(iter(board.page)).uuid == late.uuid
    assert sections(bob, page=2) == [("later", 310)]


@pytest.mark.parametrize("zoom", ["list", "arrivals", "stays"])
def test_a_running_board_is_fetched_again_each_minute(bob, quay, zoom):
    """A guest becomes late by the clock alone, which no event announces."""
    at(10, quay)
    tomorrow = f"{NOW + timedelta(days=1):%Y-%m-%d}"
    page = sign_in(bob).get("/", {"zoom": zoom}).content.decode()
    another_day = sign_in(bob).get("/", {"zoom": zoom, "day": tomorrow}).content.decode()

    assert 'hx-trigger="every 60s, board:moved from:body" hx-target="#board"' in page
    assert 'hx-target="#board"' not in another_day
