"""The heat map and the calendar as files: the same numbers as on the page."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from insights.sums import recount
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
HEAT, CALENDAR, HOURS = "/insights/fullness/heat.csv", "/calendar/export.csv", "/calendar/hours.csv"
FILES = (HEAT, CALENDAR, HOURS)
LATER = timedelta(hours=2)


@pytest.fixture(autouse=True)
def _january():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture(autouse=True)
def _booked(quay, loft):
    for place, covers, at in ((quay, 4, DINNER), (quay, 3, DINNER + LATER), (loft, 2, DINNER)):
        make_reservation(place, party_size=covers, meal_at=at)
    make_reservation(quay, party_size=8, meal_at=DINNER, status="REQUESTED")
    for place in (quay, loft):
        recount.rebuild(place, now=NOW)


def lines(user: Any, address: str, **params: Any) -> list[list[str]]:
    answer: Any = sign_in(user).get(address, params)
    assert answer.status_code == 200
    return list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode())))


def numbers(rows: list[list[str]]) -> list[list[str]]:
    """The rows in which anything but nought stands."""
    return [row for row in rows[1:] if any(cell not in ("", "0") for cell in row[1:])]


class TestHeat:
    def test_it_works(self, alice):
        head, *rows = lines(alice, HEAT)

        assert head == ["Weekday", *(f"{hour}:00" for hour in range(14, 23))]
        assert [row[0] for row in rows] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        assert numbers([head, *rows]) == [["Sat", "2", *"00000", "4", "0", "3"]]

    def test_it_is_as_the_page_shows_it(self, alice):
        shown = sign_in(alice).get("/insights/fullness/").context["answer"].heat.rows

        cells = [[str(number) for number, _step in cells] for _day, cells in shown]
        assert [row[1:] for row in lines(alice, HEAT)[1:]] == cells

    def test_it_follows_the_choice_of_the_page(self, alice):
        assert numbers(lines(alice, HEAT, service="evening")) == [["Sat", "4", "0", "3"]]

    def test_days_without_a_guest_make_an_empty_file(self, alice):
        days = {"range": "own", "since": "2025-12-01", "until": "2025-12-02"}

        assert lines(alice, HEAT, **days) == []

    def test_the_page_leads_to_it(self, alice):
        page = sign_in(alice).get("/insights/fullness/", {"range": "4w"}).content.decode()

        assert f'href="{HEAT}?range=4w"' in page


class TestCalendar:
    def test_it_works(self, alice):
        head, *rows = lines(alice, CALENDAR)

        assert head == ["Restaurant", "Day", "Covers", "Bookings", "Requests"]
        assert len(rows) == 2 * 31
        assert [row for row in rows if row[3] != "0"] == [
            ["Loft", "2026-01-17", "2", "1", "0"],
            ["Quay", "2026-01-17", "7", "2", "1"],
        ]

    def test_its_sums_are_those_of_the_page(self, alice):
        shown = sign_in(alice).get("/calendar/").context["calendar"].total

        rows = lines(alice, CALENDAR)[1:]
        assert [sum(int(row[place]) for row in rows) for place in (2, 3, 4)] == list(shown)

    def test_a_week_has_its_days(self, alice):
        rows = lines(alice, CALENDAR, zoom="week", day="2026-01-17")[1:]

        assert {row[1] for row in rows} == {f"2026-01-{day}" for day in range(12, 19)}

    def test_the_page_leads_to_it(self, alice):
        page = sign_in(alice).get("/calendar/", {"day": "2026-01-17"}).content.decode()

        assert f'href="{CALENDAR}?day=2026-01-17"' in page


class TestHours:
    def test_it_works(self, alice):
        head, *rows = lines(alice, HOURS, zoom="week", day="2026-01-17")

        assert head == ["Hour", *(f"2026-01-{day}" for day in range(12, 19))]
        assert [[row[0], row[6]] for row in rows] == [
            ["14:00", "2"],
            ["20:00", "4"],
            ["21:00", "0"],
            ["22:00", "3"],
        ]

    def test_the_week_leads_to_it(self, alice):
        params = {"zoom": "week", "day": "2026-01-17"}
        page = sign_in(alice).get("/calendar/", params).content.decode()

        assert f'href="{HOURS}?zoom=week&amp;day=2026-01-17"' in page


@pytest.mark.parametrize("address", FILES)
def test_it_takes_the_right_to_take_data_away(bob, address):
    assert sign_in(bob).get(address).status_code == 403


def test_nobody_without_it_sees_a_link(bob):
    assert CALENDAR not in sign_in(bob).get("/calendar/").content.decode()


@pytest.mark.parametrize("address", FILES)
def test_another_group_reads_nothing_of_it(address, charlie):
    answer: Any = sign_in(charlie).get(address)

    assert answer.status_code == 403 or b"Quay" not in b"".join(answer.streaming_content)
