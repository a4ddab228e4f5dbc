"""Requests are a list to work through, and every count of the same scope is the same."""

from datetime import timedelta

import pytest
import time_machine

from lib.database.compiled_queries import numbers
from reservations.day_board.forms import count_by_filter
from reservations.service_day.day import ServiceDay
from reservations.testing import DINNER, make_reservation
from reservations.worklists import requests_due
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=4)
ADDRESS = "/reservations/requests/"


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def ask(quay):
    """A request for dinner in so many days, made so many hours ago."""

    def ask(days=0, *, hours=3, place=quay, at=DINNER, **fields):
        made = NOW - timedelta(hours=hours)
        return make_reservation(
            place,
            status="REQUESTED",
            meal_at=at + timedelta(days=days),
            created_at=made,
            **fields,
        )

    return ask


def look(user, **address):
    return sign_in(user).get(ADDRESS, address)


def listed(user, **address):
    """The bookings in the order of the page."""
    groups = look(user, **address).context["worklist"].groups
    return [row.booking for group in groups for row in group.rows]


def count(user, choices, **address):
    shown = getattr(look(user, **address).context["worklist"], choices)
    return [choice.number for choice in shown]


def test_it_works(bob, quay, ask):
    ask(party_size=7)
    text = look(bob).text

    assert "Today, Sat 17 Jan" in text
    assert 'title="Show the day"' in text
    assert "Quay" in text
    assert "3\N{NO-BREAK SPACE}hours" in text
    assert "the reservation app" in text


def test_where_nothing_waits_there_is_nothing_to_filter(bob, quay):
    assert "requests__filter" not in look(bob).text
    assert "requests__filter" in look(bob, when="today").text


def test_outsiders_see_none(charlie, ask):
    ask()

    assert listed(charlie) == []
    assert "Quay" not in look(charlie).text


def test_the_soonest_evening_comes_first(bob, quay, ask):
    later, tonight, tomorrow = ask(9, hours=90), ask(0, hours=1), ask(1)

    assert listed(bob) == [tonight, tomorrow, later]


def test_a_day_is_grouped_by_restaurant(dora, quay, cellar, ask):
    ask(), ask(place=cellar), ask(1)
    groups = [
        (one.restaurant, one.day.day, one.number) for one in look(dora).context["worklist"].groups
    ]

    assert groups == [(cellar, 17, 1), (quay, 17, 1), (quay, 18, 1)]


def test_it_is_filtered_by_day(bob, ask):
    over, tonight, tomorrow, later = (ask(days) for days in (-1, 0, 1, 5))

    assert listed(bob, when="today") == [tonight]
    assert listed(bob, when="tomorrow") == [tomorrow]
    assert listed(bob, when="later") == [later]
    assert listed(bob, when="over") == [over]
    assert count(bob, "days") == [3, 1, 1, 1, 1]


def test_it_is_filtered_by_how_long_they_wait(bob, ask):
    fresh, older, oldest = ask(hours=0), ask(hours=2), ask(hours=30)

    assert listed(bob, age="1") == [oldest, older]
    assert listed(bob, age="24") == [oldest]
    assert count(bob, "ages") == [3, 2, 1]
    assert fresh in listed(bob)


def test_it_is_filtered_by_restaurant(dora, quay, cellar, ask):
    ask()
    there = ask(place=cellar)

    assert listed(dora, place=str(cellar.uuid)) == [there]
    assert count(dora, "places") == [2, 1, 1]


def test_filters_count_within_the_others(bob, ask):
    ask(0, hours=2), ask(1, hours=2), ask(1, hours=0)

    assert count(bob, "days", age="1") == [2, 1, 1, 0, 0]
    assert count(bob, "ages", when="tomorrow") == [2, 1, 0]


@pytest.mark.parametrize("address", [{"when": "x"}, {"age": "-1"}, {"place": "?"}, {"page": "x"}])
def test_nonsense_in_the_address_is_ignored(bob, ask, address):
    row = ask()

    assert listed(bob, **address) == [row]


def test_a_request_waits_until_its_service_day_is_over(bob, ask):
    lunch = ask(at=DINNER - timedelta(hours=7))

    assert listed(bob) == [lunch]
    with time_machine.travel(DINNER + timedelta(hours=9), tick=False):  # 05:00, a new service day
        assert listed(bob) == []


def test_the_same_scope_has_the_same_number_everywhere(bob, quay, ask):
    ask(at=DINNER - timedelta(hours=7)), ask(0), ask(1), ask(-1)
    tonight = ServiceDay([quay], NOW.date(), now=NOW)
    [in_the_bar] = numbers([requests_due.count_waiting([quay], now=NOW)])

    assert in_the_bar == count(bob, "days")[0] == len(listed(bob)) == 3
    assert tonight.tiles.requests == count(bob, "days")[1] == len(listed(bob, when="today")) == 2
    assert count_by_filter(tonight.bookings)["requests"] == 2


def test_restaurants_of_two_zones_are_counted_by_their_own_day(bob, quay, ask):
    ask()
    there = Restaurant(pk=quay.pk, timezone="Pacific/Auckland")
    [number] = numbers([requests_due.count_waiting([there], now=NOW)])

    assert number == 0  # there it is the 18th
