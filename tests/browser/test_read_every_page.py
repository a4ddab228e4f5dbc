"""Every page, light and dark, wide and narrow.

Nothing for axe to find, everything in reach of the Tab key, nothing to scroll aside.
"""

from functools import partial
from typing import Literal

import pytest
from playwright.sync_api import Page

from restaurants.testing import Cast
from tests.addresses import Address, all_addresses, may_be_a_page
from tests.browser.conftest import violations
from tests.url_examples import example

WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
# What can be pressed or filled in, but not come to with the Tab key.
OUT_OF_REACH = """[...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role=button], [onclick]')]
    .filter(node => node.checkVisibility() && node.tabIndex < 0).map(node => node.outerHTML)"""
# What reaches beyond the right edge once the page has come to rest.
STICKS_OUT = """() => new Promise(done => {
    const end = performance.now() + 5000
    const wide = node => node.getBoundingClientRect().right > innerWidth + 1
    const named = () => [...document.querySelectorAll('body *')].filter(wide)
        .map(node => node.outerHTML.slice(0, 160)).slice(0, 5)
    const look = () => {
        if (document.documentElement.scrollWidth <= innerWidth) done([])
        else if (performance.now() > end) done(['the page', ...named()])
        else requestAnimationFrame(look)
    }
    look()
})"""
ENTRANCE = [
    "/accounts/login/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/signup/",
    "/accounts/inactive/",
    "/nothing-here/",
]


def look(page: Page, *, theme: Literal["light", "dark"], size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")

    assert violations(page) == []
    assert page.evaluate(OUT_OF_REACH) == []
    found = page.evaluate(STICKS_OUT)
    assert not found, "\n".join(found)


def look_both_ways(page: Page) -> None:
    """Colours are the theme's and places the width's: two looks see both themes and both widths."""
    look(page, theme="light", size=WIDTHS["wide"])
    look(page, theme="dark", size=WIDTHS["narrow"])


def look_all_ways(page: Page) -> None:
    for size in WIDTHS.values():
        look(page, theme="light", size=size)
        look(page, theme="dark", size=size)


@pytest.mark.parametrize("address", all_addresses(), ids=lambda address: address.name)
def test_it_works(visit, page: Page, live_cast: Cast, address: Address, live_server):
    path = address.path(partial(example, cast=live_cast))
    if not may_be_a_page(path):
        pytest.skip("answers machines")
    answer = page.request.get(live_server.url + path, max_redirects=0)
    assert answer.status < 500
    if not answer.ok or b"<!doctype html>" not in answer.body():
        pytest.skip(f"no page of its own: {answer.status}")

    visit(path)

    look_both_ways(page)


@pytest.mark.parametrize("address", ENTRANCE)
def test_it_works_before_sign_in(page: Page, transactional_db, live_server, address: str):
    page.goto(live_server.url + address)

    look_both_ways(page)


@pytest.mark.parametrize("opener", ["g v", "day", "menu", "/", "?"])
def test_what_opens_is_readable_too(visit, opener: str):
    page = visit("/")
    selectors = {
        "g v": "[popovertarget=scope-menu]",
        "day": "[popovertarget=day-menu]",
        "menu": "header [popovertarget=user-menu]",
        "/": "[data-dialog=palette]",
        "?": None,
    }
    if selectors[opener]:
        page.locator(selectors[opener]).first.click()
    else:
        page.keyboard.press("?")

    assert violations(page) == []


def test_it_is_readable_compact_with_the_menu_open(visit, live_cast):
    live_cast.dora.density, live_cast.dora.rail_pinned = "compact", True
    live_cast.dora.save()

    look_all_ways(visit("/"))
