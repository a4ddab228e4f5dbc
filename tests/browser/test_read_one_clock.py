"""Moments of a restaurant on the screen of somebody whose own clock differs."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reservations.testing import make_reservation


@pytest.fixture
def browser_context_args(browser_context_args):
    return {**browser_context_args, "timezone_id": "Europe/Madrid"}


def test_the_zone_is_named_where_the_readers_clock_differs(visit, live_cast):
    page = visit(make_reservation(live_cast.loft).get_absolute_url())

    expect(page.get_by_text("Times in America/New_York")).to_be_visible()


def test_it_is_not_where_both_clocks_show_the_same(visit, live_cast):
    page = visit(make_reservation(live_cast.quay).get_absolute_url())

    expect(page.locator("[data-zone]")).to_be_hidden()


def offline_words(page):
    expect(page.locator("html")).to_have_attribute("data-live", "live")
    page.context.set_offline(True)
    words = page.locator("#freshness")
    expect(words).to_contain_text("Offline since")
    return words.inner_text()


def test_offline_too_a_moment_is_in_the_time_of_the_restaurant(visit, live_cast):
    page, loft = visit(f"/?scope={live_cast.loft.uuid}&zoom=list"), live_cast.loft
    earliest = loft.local(timezone.now())
    words = offline_words(page)

    found = re.search(r"since (\d\d:\d\d) (EST|EDT|GMT-[45]) ", words)
    assert found, words
    assert found[1] in {f"{one:%H:%M}" for one in (earliest, loft.local(timezone.now()))}


def test_offline_it_is_not_named_where_both_clocks_show_the_same(visit, live_cast):
    page = visit(f"/?scope={live_cast.quay.uuid}&zoom=list")

    assert re.search(r"since \d\d:\d\d · as of \d\d:\d\d$", offline_words(page))
