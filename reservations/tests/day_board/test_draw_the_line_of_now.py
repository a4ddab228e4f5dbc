"""The line of now: on every board, for each restaurant by its own clock, and never a wrong one."""

import re
from datetime import timedelta

import pytest
import time_machine

from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=22)  # 20:22 at the Quay, 14:22 at the Loft

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def both(quay, loft):
    """Two bookings each, before and after now by the clock of its restaurant."""
    for minutes in (-10, 20):
        for restaurant in (quay, loft):
            make_reservation(restaurant, meal_at=NOW + timedelta(minutes=minutes))


def look(user, zoom, **address):
    return sign_in(user).get("/", {"zoom": zoom} | address)


def board_of(user, zoom, **address):
    return look(user, zoom, **address).context["board"]


def rows_around(html):
    """The times of the rows of the list and the words of its lines, in their order."""
    html = html.partition("booking-rows")[2]
    return re.findall(r"(?<=__time\">)\d\d:\d\d|Now \d\d:\d\d(?: · [\w, ]+\w)?", html)


def now_cells(user):
    rows = look(user, "pulse").context["pulse"].rows
    return {
        row.name: [(cell.minutes, cell.now) for cell in row.cells if cell.now is not None]
        for row in rows
    }


def test_it_works(alice, both):
    assert now_cells(alice) == {
        "Quay": [(20 * 60 + 15, 5)],
        "Loft": [(14 * 60 + 15, 5)],
    }


def test_between_two_services_it_stands_before_the_next(bob, quay):
    for hours in (-6, 2):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))

    assert now_cells(bob) == {"Quay": [(22 * 60, 0)]}


def test_after_the_last_arrival_it_stands_at_the_end(bob, quay):
    make_reservation(quay, meal_at=DINNER - timedelta(hours=6))

    assert now_cells(bob) == {"Quay": [(14 * 60, 15)]}


def test_the_column_of_now_has_it_and_names_whose_it_is(alice, both):
    columns = board_of(alice, "arrivals").columns
    lines = {column.label: column.now_lines for column in columns if column.now_lines}

    assert lines == {
        "14:15": [(14 * 60 + 22, ("Loft",))],
        "20:15": [(20 * 60 + 22, ("Quay",))],
    }


def test_one_clock_needs_no_name(bob, quay):
    make_reservation(quay)
    page = look(bob, "arrivals").content.decode()

    assert "Now 20:22" in page
    assert "Now 20:22 ·" not in page


def test_an_empty_quarter_of_an_hour_has_it_too(bob, quay):
    for hours in (-2, 2):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))
    columns = board_of(bob, "arrivals", whole="1").columns

    assert [(column.label, bool(column.now_lines)) for column in columns] == [
        ("18:00", False),
        ("20:15", True),
        ("22:00", False),
    ]


def test_each_lane_of_the_stays_has_its_own(alice, both):
    strips = board_of(alice, "stays").stays.strips
    found = [
        sum(cell.width for cell in row[:place]) + cell.now
        for strip in strips
        for row in [strip.hours, *strip.rows]
        for place, cell in enumerate(row)
        if cell.now is not None
    ]

    assert found == [22] * 6  # one line through both
    assert {strip.name: strip.now for strip in strips} == {"Quay": "20:22", "Loft": "14:22"}


def test_each_has_the_hours_of_its_own_clock(alice, both):
    stays = board_of(alice, "stays").stays
    hours = {strip.name: [cell.html for cell in strip.hours][:2] for strip in stays.strips}

    assert hours == {"Quay": ["20:00", "21:00"], "Loft": ["14:00", "15:00"]}
    assert stays.head == []


def test_a_clock_that_differs_by_half_an_hour_begins_with_half_an_hour(alice, quay, loft):
    loft.timezone = "America/St_Johns"
    loft.save(update_fields=["timezone"])
    for restaurant in (quay, loft):
        make_reservation(restaurant, meal_at=NOW + timedelta(minutes=20))
    strips = board_of(alice, "stays").stays.strips
    hours = {strip.name: [(cell.html, cell.width) for cell in strip.hours][:2] for strip in strips}

    assert hours == {"Quay": [("", 30), ("21:00", 60)], "Loft": [("16:00", 60), ("17:00", 60)]}


def test_a_day_that_is_over_elsewhere_moves_nobody_s_now(alice, quay, loft):
    """Guests of the Quay are in house; at the other place it is the next morning already."""
    loft.timezone = "Pacific/Auckland"  # 08:22 of the day after
    loft.save(update_fields=["timezone"])
    make_reservation(quay, meal_at=NOW)
    make_reservation(loft, meal_at=NOW - timedelta(hours=13))
    stays = board_of(alice, "stays", day="2026-01-17").stays
    strips = {strip.name: strip for strip in stays.strips}
    opens_at = [cell.html for strip in strips.values() for cell in strip.hours if cell.is_start]

    assert opens_at == ["19:00"]  # an hour before now
    assert strips["Loft"].hours[0].html == "19:00"
    assert (strips["Quay"].now, strips["Loft"].now) == ("20:22", "")


def test_on_another_day_all_share_the_hours(alice, quay, loft):
    for restaurant in (quay, loft):
        make_reservation(restaurant, meal_at=DINNER + timedelta(days=1))
    stays = board_of(alice, "stays", day="2026-01-18").stays

    assert stays.head[0].html == "14:00"
    assert not stays.has_own_hours


def test_the_list_by_time_has_one_for_each_clock(alice, both):
    page = look(alice, "list", sort="time").content.decode()

    assert rows_around(page) == [
        *("14:12", "Now 14:22 · Loft", "14:42"),
        *("20:12", "Now 20:22 · Quay", "20:42"),
    ]


def test_the_list_by_urgency_has_it_among_those_who_are_due(bob, quay):
    for minutes in (-10, 20, 90):
        make_reservation(quay, meal_at=NOW + timedelta(minutes=minutes))
    page = look(bob, "list").content.decode()

    assert rows_around(page) == ["20:12", "Now 20:22", "20:42", "21:52"]


def test_where_nobody_is_due_it_stands_before_those_who_come_later(bob, quay):
    make_reservation(quay, meal_at=NOW + timedelta(minutes=90))
    page = look(bob, "list").content.decode()

    assert rows_around(page) == ["Now 20:22", "21:52"]


def test_a_list_in_another_order_has_none(bob, quay):
    make_reservation(quay)

    assert rows_around(look(bob, "list", sort="name").content.decode()) == ["20:00"]


def test_it_stands_on_the_page_of_its_time(bob, quay, monkeypatch):
    monkeypatch.setattr("reservations.day_board.pages.boards.ROWS", 2)
    for minutes in (-40, -30, -20, 10):
        make_reservation(quay, meal_at=NOW + timedelta(minutes=minutes))
    pages = [look(bob, "list", sort="time", page=n).content.decode() for n in (1, 2)]

    assert [rows_around(page) for page in pages] == [
        ["19:42", "19:52"],
        ["20:02", "Now 20:22", "20:32"],
    ]


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_another_day_has_none(bob, quay, zoom):
    make_reservation(quay, meal_at=DINNER + timedelta(days=1))
    page = look(bob, zoom, day="2026-01-18").content.decode()

    assert "now-" not in page.replace("now-line.css", "").replace("now_line", "")
    assert 'aria-current="time"' not in page


def test_the_covers_through_the_day_have_one_for_each_clock(alice, both):
    hist = look(alice, "arrivals").context["hist"]

    assert [time for time, _x in hist.now_lines] == ["14:22", "20:22"]
