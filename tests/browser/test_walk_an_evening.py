"""One evening of a host, from the late guest to the last cancellation: by mouse, touch or keys.

One address is opened; all else is pressed, swiped and typed, at every width where that hand is at
home. Axe looks at each page: each width is walked by day with one hand and by night with another.
"""

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from customers.testing import make_customer
from outbox.models import Intent
from partner.testing import FakeTransport, speak_through
from reservations.models import ArrivalTracking
from reservations.testing import make_reservation
from tests.browser.conftest import enter, store_version, violations
from tests.browser.test_read_tonight_at_a_glance import LETTERS, first_booking

NAME = "Brzeczyszczykiewicz"
MOST_TABS = 120
# The hand, the width, the theme, and how far below the top the first booking may begin.
WALKS = [
    ("mouse", 1440, "light", 240),
    ("keys", 1440, "dark", 240),
    ("touch", 1024, "light", 200),
    ("mouse", 1024, "dark", 200),
    ("keys", 1024, "light", 200),
    ("touch", 390, "light", 240),
    ("keys", 390, "dark", 240),
]


@dataclass
class Host:
    """Somebody at a screen, with one hand: a mouse, a finger or the keys."""

    page: Page
    hand: str

    def __post_init__(self) -> None:
        self.presses = 0
        self.numbers: dict[str, int] = {}  # printed with -s, for docs/boards.md

    def press(self, what: Locator, *, key: str = "") -> None:
        expect(what).to_be_visible()
        self.settle()
        self.presses += 1
        if self.hand == "touch":
            what.tap()
        elif self.hand == "mouse":
            what.click()
        elif key:
            self.page.keyboard.press(key)
        else:
            self.reach(what)
            self.page.keyboard.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        """Letter by letter, into what was pressed or reached."""
        self.point_at(field)
        self.page.keyboard.type(text)
        expect(field).to_have_value(text)

    def choose(self, field: Locator, label: str, *, value: str) -> None:
        """From the list that a press opens; by its first letters, for no page can see into it."""
        self.point_at(field)
        self.page.keyboard.type(label)
        if self.hand != "keys":  # closes it
            self.page.keyboard.press("Enter")
        expect(field).to_have_value(value)

    def point_at(self, field: Locator) -> None:
        if self.hand == "keys":
            self.reach(field)
        else:
            self.press(field)

    def scroll_up(self) -> None:
        if self.hand == "touch":
            self.swipe_down()
        elif self.hand == "mouse":
            self.page.mouse.move(500, 400)
            self.page.mouse.wheel(0, -9000)
        else:
            self.reach(self.page.get_by_role("link", name="Any restaurant"))
        expect(self.page.locator("h1")).to_be_in_viewport(ratio=1)

    def swipe_down(self) -> None:
        """With a finger, until nothing more comes."""
        tools = self.page.context.new_cdp_session(self.page)
        for _swipe in range(8):
            for y in range(150, 700, 50):
                kind = "touchStart" if y == 150 else "touchMove"
                touch = {"type": kind, "touchPoints": [{"x": 195, "y": y}]}
                tools.send("Input.dispatchTouchEvent", touch)
            tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def settle(self) -> None:
        """What came last is wired 20 ms after it shows: no hand is quicker, but a test is."""
        expect(self.page.locator(".htmx-request, .htmx-settling")).to_have_count(0)

    def leave(self, dialog: Locator) -> None:
        """Beside it, or with Escape: the first clears what was typed."""
        if self.hand == "keys":
            self.page.keyboard.press("Escape")
            self.page.keyboard.press("Escape")
        elif self.hand == "mouse":
            self.page.mouse.click(4, 800)
        else:
            self.page.touchscreen.tap(4, 800)
        expect(dialog).to_be_hidden()

    def reach(self, what: Locator) -> None:
        """By the Tab key alone."""
        for _step in range(MOST_TABS):
            if what.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"the Tab key does not reach {what}")

    def look(self) -> None:
        """At what is there."""
        self.settle()
        assert violations(self.page) == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def quay(web, tonight_cast):
    """A service where arrivals are marked, and times can be booked."""
    place, now = tonight_cast.quay, timezone.now()
    ArrivalTracking.objects.create(restaurant=place, bookings=9, marked=9, measured_at=now)
    soon = place.local(now + timedelta(hours=2)).replace(minute=0, second=0)
    at = soon.isoformat(timespec="seconds")
    cache.clear()  # the times that another walk has read
    rules = {"hasPaymentGuaranteeRequirement": False, "guaranteeRequirementList": []}
    day = {"date": f"{place.service_day(now)}", "hasNormalStock": True}
    speak_through(
        FakeTransport(
            list_party_sizes=(200, [2, 4]),
            list_availabilities=(200, [day]),
            list_timeslots=(
                200,
                [{"datetime": at, "offers": None, "hasNormalStock": True} | rules],
            ),
            list_offers=(200, []),
        )
    )
    return place


@pytest.fixture
def rossi(quay):
    """Late since 25 minutes."""
    guest = make_customer(
        quay.group, last_name="Rossi", phone="0612345678", phone_e164="+33612345678"
    )
    at = timezone.now() - timedelta(minutes=25)
    return make_reservation(quay, customer=guest, meal_at=at, party_size=2)


@pytest.fixture
def tardy(quay):
    """Late too, and nobody calls."""
    at = timezone.now() - timedelta(minutes=18)
    return make_reservation(quay, meal_at=at, party_size=3)


@pytest.fixture
def others(quay, rossi, tardy):
    """One is due, one has requested, one comes later, one is late too."""
    guests = [make_customer(quay.group, last_name=NAME, is_vip=True) for _number in range(3)]
    at = [timezone.now() + timedelta(minutes=minutes) for minutes in (10, 60, 100)]
    status = ("RECORDED", "REQUESTED", "RECORDED")
    facts = {"party_size": 4, "created_at": timezone.now() - timedelta(hours=3)}
    rows = [
        make_reservation(quay, customer=guests[n], meal_at=at[n], status=status[n], **facts)
        for n in range(3)
    ]
    return [*rows, tardy]


@pytest.fixture
def host(others, tonight_cast, browser, live_server, request):
    hand, width, theme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 844},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=hand == "touch",
        service_workers="block",
        base_url=live_server.url,
    )
    enter(context, user=tonight_cast.alice, address=live_server.url)
    page = context.new_page()
    page.clock.install()  # it runs as ever; one step lets it run ahead
    yield Host(page, hand)
    context.close()


def event(row, **fields):
    row.refresh_from_db()
    store_version(row, **fields)


def section_of(page, row):
    return page.locator("tbody[data-section]", has=page.locator(f"#r-{row.pk}"))


@pytest.mark.parametrize(
    ("host", "top"),
    [
        pytest.param((hand, width, theme), top, id=f"{hand} at {width}")
        for hand, width, theme, top in WALKS
    ],
    indirect=["host"],
)
def test_it_works(host, top, quay, rossi, others):
    page = host.page
    arrive(host, quay, top)
    call(host, rossi)
    seat(host, rossi)
    search(host)
    book(host, quay)
    answer(host, others[1])
    brief(host)
    lose(host, others[2])
    assert page.evaluate("document.documentElement.dataset.live") == "live"
    wait(host, others[3])
    sys.stdout.write(f"\n{host.hand} at {page.viewport_size['width']}: {host.numbers}\n")


def arrive(host, quay, top):
    """The late guest is on top, the names can be read."""
    page = host.page
    page.goto("/")
    host.look()
    host.press(page.locator("[popovertarget=scope-menu]"))
    host.press(page.locator("#scope-menu").get_by_role("link", name="Quay"))
    host.press(page.get_by_role("link", name="Arrivals", exact=True), key="2")
    page.wait_for_url(f"**scope={quay.uuid}*zoom=arrivals*")
    host.look()
    letters = page.locator(".booking__name", has_text=NAME).evaluate_all(LETTERS)
    host.numbers |= {"letters": min(letters), "top of arrivals": round(first_booking(page))}
    assert min(letters) >= 12
    host.press(page.get_by_role("link", name="List", exact=True), key="4")
    page.wait_for_url("**zoom=list*")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    host.numbers["top of the list"] = round(first_booking(page))
    assert first_booking(page) <= top
    expect(page.locator("#board tr.table__row").first).to_contain_text("Rossi")
    host.look()


def call(host, row):
    """Two presses to the number; one more, and the guest is late no longer."""
    page, before = host.page, host.presses
    if host.hand == "keys":
        page.keyboard.press("j")
    host.press(page.locator(f"#r-{row.pk} a").first, key="Enter")
    drawer = page.locator("#drawer-body")
    host.press(drawer.get_by_role("button", name="Reveal"), key="c")
    expect(drawer.locator("a[href='tel:+33612345678']")).to_be_visible()
    host.numbers["presses to the number"] = host.presses - before
    assert host.presses - before == 2
    host.look()

    host.press(drawer.get_by_role("button", name="20 min"), key="o")
    expect(drawer).to_contain_text("On the way")
    expect(section_of(page, row)).to_have_attribute("data-section", "soon", timeout=2_000)


def seat(host, row):
    """The service's own app seats; the open drawer and the list follow."""
    event(row, meal_status="SEATED")
    expect(host.page.locator("#drawer-body")).to_contain_text("Seated")
    expect(section_of(host.page, row)).to_have_attribute("data-section", "here", timeout=2_000)
    host.press(host.page.locator("#drawer [data-close]").first, key="Escape")
    expect(host.page.locator("#drawer")).to_be_hidden()


def search(host):
    """The telephone shows four digits."""
    page = host.page
    host.press(page.locator("header [data-dialog=palette]:visible"), key="/")
    page.keyboard.type("5678")
    expect(page.locator("#palette-found a").first).to_contain_text("Rossi")
    host.look()
    host.leave(page.locator("#palette"))


def book(host, quay):
    """Whoever calls wants a table too."""
    page = host.page
    host.press(page.locator("a[href^='/reservations/new/']:visible").first, key="n")
    host.press(page.get_by_role("link", name="4", exact=True))
    host.press(page.locator(".slots a.chip").first)
    host.write(page.locator("#find"), "martin")
    expect(page.locator("#found")).to_contain_text("No guest like this here")
    host.write(page.get_by_label("First name"), "Jo")
    host.write(page.get_by_label("Last name"), "Martin")
    host.write(page.locator("#id_email"), "jo@example.com")
    host.choose(page.locator("#id_locale"), "Fren", value="fr_FR")
    host.choose(page.locator("#id_civility"), "Mx", value="mx")
    host.scroll_up()  # what lies half under the summary has no size
    host.look()
    host.press(page.get_by_role("button", name="Book for 4 people"))
    expect(page.get_by_text("Waiting to be sent")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("Quay")
    assert Intent.objects.count() == 1
    host.look()


def answer(host, row):
    """The worklist: who waits, for how long, and on to the day; the service's app answers."""
    page = host.page
    if page.viewport_size["width"] < 720:  # where the bar has no space for the queues
        host.press(page.locator(".tabbar [popovertarget=user-menu]"))
    queue = page.locator("a[href^='/reservations/requests/']:visible")
    expect(queue).to_contain_text("1")
    host.press(queue)
    request = page.locator("tbody", has_text=NAME).locator("tr.table__row")
    expect(request.locator("time")).to_have_text("3 hours")
    # A single one needs no filters.
    expect(page.get_by_role("link", name="Over an hour")).to_have_count(0)
    host.look()

    host.press(page.get_by_title("Show the day"))
    page.wait_for_url("**show=requests*")
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    host.press(page.locator(f"#r-{row.pk} a").first)
    drawer = page.locator("#drawer-body")
    expect(drawer).to_contain_text("Requested")
    host.look()
    event(row, status="RECORDED")
    expect(drawer).to_contain_text("Booked")
    expect(page.locator("#tiles a", has_text="Requests")).to_contain_text("0")
    host.press(page.locator("#drawer [data-close]").first, key="Escape")
    host.press(page.locator("#tiles a", has_text="Requests"))


def brief(host):
    """What the team reads before service, and back to the list."""
    page = host.page
    host.press(page.get_by_role("link", name="Briefing"), key="b")
    expect(page.locator(".brief")).to_contain_text(NAME)
    host.look()
    to_the_list(host)


def to_the_list(host):
    page = host.page
    host.press(page.locator("nav a[aria-current]:visible, nav a:visible", has_text="Today").first)
    host.press(page.get_by_role("link", name="List", exact=True), key="4")
    page.wait_for_url("**zoom=list*")


def lose(host, row):
    """A cancellation arrives while its booking is open."""
    page = host.page
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    host.press(page.locator(f"#r-{row.pk} a").first)
    drawer = page.locator("#drawer-body")
    expect(drawer.get_by_role("link", name="Cancel booking")).to_be_visible()
    event(row, status="CANCELED")
    expect(drawer).to_contain_text("Cancelled")
    expect(drawer.get_by_role("link", name="Cancel booking")).to_have_count(0)
    host.look()


def wait(host, row):
    """Five minutes pass, and no event says so: the list and the open drawer count by themselves."""
    page = host.page
    host.press(page.locator("#drawer [data-close]").first, key="Escape")
    late = page.locator(f"#r-{row.pk} .booking-row__late")
    before = int(re.findall(r"\d+", late.inner_text())[0])
    host.press(page.locator(f"#r-{row.pk} a").first)
    expect(page.locator("#booking-phase")).to_contain_text("Late")
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        counted = re.compile(rf"\b({before + 5}|{before + 6}) min")
        for _minute in range(4):  # a list that was drawn anew meanwhile counts its own from then
            page.clock.run_for(61_000)
            with suppress(AssertionError):
                expect(late).to_have_text(counted, timeout=2_000)
                break
        expect(page.locator("#booking-phase")).to_have_text(counted)
        expect(late).to_have_text(counted)
