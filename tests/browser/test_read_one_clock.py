"""Moments of a restaurant on the screen of somebody whose own clock differs."""

import pytest
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
