"""A manager's walk: calendar, a day, what is expected, how wrong that was, prep sheet, insights.

In three languages. What a page draws is also in its table and in its file; axe finds nothing, wide
and narrow.
"""

import csv
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.db.models import F
from django.utils import timezone, translation
from playwright.sync_api import Page, expect

from accounts.models import User
from insights.answers import spell
from insights.expected.errors import errors_of
from insights.expected.models import ExpectedService
from insights.expected.pace import pace_of
from insights.expected.pages.coming import ExpectedPage
from insights.expected.testing import fill
from insights.expected.training import train_restaurant
from restaurants.models import Restaurant
from tests.browser.test_read_every_page import Faults, look_both_ways

AHEAD = timedelta(days=3)
WEEKS = 11
TARGET = 60


@pytest.fixture
def quay(tonight_cast) -> Restaurant:
    """With a past, a book and a forecast; what is usual by now stands still during the walk."""
    place: Restaurant = tonight_cast.quay
    fill(place, now=timezone.now(), weeks=WEEKS)
    train_restaurant(place, now=timezone.now())
    ExpectedService.objects.update(usually_next=F("usually_booked"))
    return place


@pytest.fixture
def day(quay: Restaurant) -> date:
    return quay.service_day(timezone.now()) + AHEAD


@pytest.fixture(params=["en", "fr", "es"])
def language(request, tonight_cast):
    User.objects.filter(pk=tonight_cast.dora.pk).update(language=request.param)
    with translation.override(request.param):
        yield request.param


def file_of(page: Page, name: str = ".csv") -> list[dict[str, str]]:
    """The lines of the file that the page offers, by the words of its heading."""
    link = page.locator(f"a[download][href*='{name}']")
    answer = page.request.get(str(link.evaluate("link => link.href")))
    assert answer.ok
    return list(csv.DictReader(StringIO(answer.text().removeprefix("\ufeff"))))


def values(row: dict[str, str]) -> list[str]:
    return list(row.values())


def test_it_works(visit, quay: Restaurant, day: date, language: str):
    faults: Faults = {}
    page = visit(f"/calendar/?scope={quay.uuid}&day={day}")
    line = ExpectedPage([quay], now=timezone.now(), first=day, days=1).services[0]
    [one] = line.days
    assert None not in (one.covers, one.usual, one.lower)

    cell = page.locator(f".month__day a[href$='day={day}']")
    expect(cell.locator(".month__usual")).to_contain_text(spell(one.usual, "number"))
    faults |= look_both_ways(page)

    wide(page)
    cell.click()
    expect(page.get_by_text(pace_of(line)).first).to_be_visible()

    faults |= walk_expected(visit(f"/insights/expected/?scope={quay.uuid}"), one, day)
    page.locator("a[href^='/insights/expected/errors/']").click()
    faults |= walk_errors(page, quay)
    faults |= walk_prep(visit, quay, day, covers=one.covers)
    faults |= walk_fullness(visit(f"/insights/?scope={quay.uuid}&range=4w"))

    assert faults == {}


def wide(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})


def walk_expected(page: Page, one, day: date) -> Faults:
    """The week, the table below the picture, and the file hold the same numbers."""
    numbers = [str(number) for number in (one.booked, one.usual, one.covers)]
    in_week = page.locator("table.expected td").nth(AHEAD.days)
    expect(in_week).to_contain_text(one.range)
    expect(in_week.locator("b")).to_have_text(numbers[2])

    wide(page)
    page.locator(".expected__table summary").click()
    row = page.locator(".expected__table tbody tr").nth(AHEAD.days)
    assert row.locator("td").all_inner_texts()[:3] == numbers
    expect(row).to_contain_text(one.range)
    expect(page.locator("svg.picture__columns title").nth(AHEAD.days)).to_have_text(one.words)

    [line] = [line for line in file_of(page) if str(day) in values(line)]
    assert values(line)[3:8] == [*numbers, str(one.lower), str(one.upper)]
    return look_both_ways(page)


def walk_errors(page: Page, quay: Restaurant) -> Faults:
    """The errors of seven days before: in the picture, in the table, in the file."""
    page.locator(".picture__rows").wait_for()
    last = quay.service_day(timezone.now()) - timedelta(days=1)
    found = errors_of([quay.pk], last - timedelta(days=27), last)[quay.pk, 7]
    assert found.wape is not None
    wape = Decimal(str(round(found.wape, 4)))

    row = page.locator("tbody tr").filter(has=page.get_by_role("cell", name="7", exact=True)).first
    expect(row).to_contain_text(spell(wape, "share"))
    expect(page.locator(".picture__rows li").nth(2)).to_contain_text(spell(wape, "share"))
    [line] = [line for line in file_of(page) if values(line)[1] == "7"]
    assert Decimal(values(line)[3]) == wape
    assert int(values(line)[2]) == found.services
    return look_both_ways(page)


def walk_prep(visit, quay: Restaurant, day: date, *, covers: int | None) -> Faults:
    """An admin sets a target; sheet and file show it, quarters add up, and the sheet prints."""
    page = visit(f"/insights/prep/?scope={quay.uuid}&day={day}")
    wide(page)
    page.locator("a[href^='/insights/prep/targets/']").click()
    page.locator(f"input[name='evening-{day.weekday()}']").fill(str(TARGET))
    page.locator("form.targets [type=submit]").click()
    page.wait_for_url("**/insights/prep/?scope=*")

    page = visit(f"/insights/prep/?day={day}")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".prep__places td.number:visible").count() == 3
    target, below = page.locator("td .prep__of").all_inner_texts()
    assert target.endswith(str(TARGET))
    assert below.startswith(str(TARGET - (covers or 0)))
    assert page.locator(".table-frame__scroll").evaluate("one => one.scrollWidth - innerWidth") <= 0
    assert page.locator(".prep__of").first.is_visible()
    wide(page)

    page = visit(f"/insights/prep/?scope={quay.uuid}&day={day}")
    figures = page.locator(".prep__numbers dd b").all_inner_texts()
    assert (figures[0], figures[2]) == (str(covers), str(TARGET))
    quarters = page.locator(".prep__quarters tbody tr td:nth-child(4)").all_inner_texts()
    assert sum(int(one) for one in quarters if one != "·") == covers
    lines = [values(line) for line in file_of(page)]
    assert sum(int(line[5]) for line in lines) == covers
    assert {line[6] for line in lines} == {str(TARGET)}

    wide(page)
    page.evaluate("window.print = () => document.body.setAttribute('data-printed', '')")
    page.locator("[data-print]").click()
    expect(page.locator("body[data-printed]")).to_be_attached()
    return look_both_ways(page)


def walk_fullness(page: Page) -> Faults:
    """From the overview to a question, compared with the weeks before."""
    wide(page)
    page.locator(".answer__question a[href*='/insights/fullness/']").click()
    page.wait_for_url("**/insights/fullness/*")

    number = page.locator(".answer__number b").inner_text()
    expect(page.locator(".tile__delta").first).to_contain_text("%")
    expect(page.locator(".picture__before").first).to_be_attached()
    expect(page.locator("table.table tbody td").first).to_have_text(number)
    [line] = file_of(page, "export.csv")
    assert spell(int(values(line)[1]), "number") == number

    shown = [cell or "0" for cell in page.locator("table.heat tbody td").all_inner_texts()]
    assert shown == [cell for row in file_of(page, "heat.csv") for cell in values(row)[1:]]
    return look_both_ways(page)
