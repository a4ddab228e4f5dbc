"""Every number of every question, on its page and in its files, for ten random ranges of days.

And of the calendar's files, for the month and the week in which each range ends.
"""

import csv
import random
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from urllib.parse import urlencode

import pytest
import time_machine
from django.urls import reverse
from django.utils.html import escape
from openpyxl import load_workbook

from accounts.rights import Role
from insights.questions import QUESTIONS
from insights.tests.by_hand.calendar import calendar_days, calendar_hours
from insights.tests.by_hand.expected import BY_HAND, heat
from insights.tests.by_hand.made_up import CHANNELS, DAYS, FIRST, NOW, make_up
from insights.tests.by_hand.plain import PlainRange, read_bookings, read_reviews
from restaurants.testing import make_member, make_user, sign_in

pytestmark = pytest.mark.django_db

LONGEST = (6, 30, 100, 300)  # days: by day, by week, by month
CLOSE = Fraction(1, 10**9)


@pytest.fixture(autouse=True)
def _after_the_history() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def places(quay, loft):
    return make_up([quay, loft])


def ranges(places):
    dice = random.Random(11)
    rows = read_bookings(places), read_reviews(places), sorted(one.name for one in places)
    for number in range(10):
        start = FIRST.date() + timedelta(days=dice.randrange(200, DAYS))
        last = start + timedelta(days=dice.randrange(LONGEST[number % 4]))
        last = min(last, FIRST.date() + timedelta(days=DAYS - 1))
        weeks = -(-((last - start).days + 1) // 7) * 7
        is_year = number % 3 == 0
        service = dice.choice(["midday", "evening"]) if number in (1, 4, 6) else ""
        channel = dice.choice(CHANNELS) if number in (2, 4, 7) else ""
        yield PlainRange(*rows, start, last, 364 if is_year else weeks, service, channel)


def address_of(one):
    days = {"range": "own", "since": one.first, "until": one.last}
    compare = "year" if one.shift == 364 else "before"
    more = {"compare": compare, "service": one.service, "channel": one.channel}
    return "?" + urlencode(days | more)


def client_of(number, group):
    """Nobody may take away so many files in one hour."""
    person = make_user(f"reader-{number}@example.org")
    make_member(person, group, Role.MANAGER)
    return sign_in(person)


def test_it_works(places, harbour):
    """All ranges and questions in one test: making the history costs more than all answers."""
    changes = 0
    for number, one in enumerate(ranges(places)):
        client = client_of(number, harbour)
        for slug, by_hand in BY_HAND.items():
            expected = by_hand(one)
            where = f"{slug} {one.first} {one.last} {one.shift} {one.service} {one.channel}"
            page = client.get(reverse("insights:show", args=[slug]) + address_of(one))
            check_page(page, expected, where)
            name = reverse("insights:export_csv", args=[slug])
            lines = expected.rows if expected.file is None else expected.file
            assert_rows(csv_lines(client.get(name + address_of(one)))[1:], lines, where)
            if number % 3 == 1:  # a workbook takes longer than all the rest
                name = reverse("insights:export_xlsx", args=[slug])
                assert_rows(xlsx_lines(client.get(name + address_of(one)))[1:], lines, where)
            changes += expected.delta is not None
        check_heat(client, one)
        check_calendar(client, one, "month" if number % 2 else "week")
    assert changes > 30
    assert set(BY_HAND) == set(QUESTIONS)


def check_page(page, expected, where):
    answer, html = page.context["answer"], " ".join(page.content.decode().split())
    assert answer.number == expected.number, where
    assert answer.caption == expected.caption, where
    assert (answer.delta and answer.delta.words) == expected.delta, where
    assert list(map(str, answer.coverage)) == expected.coverage, where
    assert list(map(str, answer.left_out)) == expected.left_out, where
    check_picture(answer.picture, expected.points, where)
    assert_rows(answer.table.rows, expected.rows, where)
    if answer.is_known:
        for words in (expected.number, expected.caption, *expected.left_out):
            assert " ".join(str(escape(words)).split()) in html, where


def check_picture(picture, expected, where):
    if isinstance(expected, dict):
        found = {point.label: (point.value, point.before) for point in picture.points}
        assert set(found) == set(expected), where
        pairs = [(found[label], expected[label]) for label in expected]
    else:
        points = [(point.value, point.before) for point in picture.points]
        pairs = list(zip(points, expected, strict=True))
    for found_pair, expected_pair in pairs:
        for value, by_hand in zip(found_pair, expected_pair, strict=True):
            assert (value is None) == (by_hand is None), (where, pairs)
            assert value is None or abs(value - float(by_hand)) < CLOSE, (where, pairs)


def csv_lines(response):
    return list(csv.reader(b"".join(response.streaming_content).decode().splitlines()))


def xlsx_lines(response):
    """Empty cells at the end of a line are not read."""
    book = load_workbook(BytesIO(b"".join(response.streaming_content)), read_only=True)
    lines = [list(line) for line in book.active.iter_rows(values_only=True)]
    return [line + [None] * (len(lines[0]) - len(line)) for line in lines]


def assert_rows(found, expected, where):
    """In any order: a line of words and numbers beside its like."""
    assert len(found) == len(expected), where
    lines = sorted(map(list, found), key=words_of)
    for line, by_hand in zip(lines, sorted(expected, key=words_of), strict=True):
        assert len(line) == len(by_hand), where
        for cell, value in zip(line, by_hand, strict=True):
            assert is_same(cell, value), (where, line, by_hand)


def words_of(line):
    """What tells lines apart."""
    return [str(cell) for cell in line if isinstance(cell, str) and not is_number(cell)]


def is_number(cell):
    return cell == "" or cell.replace(".", "").isdigit() or cell.startswith(("'", "+", "−", "±"))


def is_same(cell, value):
    if value in (None, ""):
        return cell in (None, "")
    if isinstance(value, str):
        return str(cell).removeprefix("'") == value
    return cell not in (None, "") and abs(Fraction(Decimal(cell)) - Fraction(value)) < CLOSE


def check_heat(client, one):
    lines = csv_lines(client.get(reverse("insights:heat_csv") + address_of(one)))
    found = [[int(cell) for cell in line[1:]] for line in lines[1:]]
    assert one.channel or found == (heat(one) or [])


def check_calendar(client, one, zoom):
    address = "?" + urlencode({"day": one.last, "zoom": zoom})
    days = csv_lines(client.get(reverse("calendar:csv") + address))
    hours = csv_lines(client.get(reverse("calendar:hours_csv") + address))
    assert sorted(days[1:]) == sorted(calendar_days(one, zoom)), (zoom, one.last)
    assert hours == calendar_hours(one, zoom), (zoom, one.last)
