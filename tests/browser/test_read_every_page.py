"""Every page, light and dark, wide and narrow.

Nothing for axe to find, everything in reach of the Tab key, no bare field, nothing to scroll aside.
"""

from collections import defaultdict
from functools import partial
from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import Page

from restaurants.testing import Cast
from tests.addresses import Address, all_addresses, may_be_a_page
from tests.browser.conftest import enter, violations
from tests.url_examples import example

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
# What can be pressed or filled in, but not come to with the Tab key.
OUT_OF_REACH = """[...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role=button], [onclick]')]
    .filter(node => node.checkVisibility() && node.tabIndex < 0).map(node => node.outerHTML)"""
# Fields as low as the browser's own, which no style sheet dresses.
UNDRESSED = """[...document.querySelectorAll(
    'input:not([type=checkbox], [type=radio], [type=file], [type=range]), select, textarea')]
    .filter(node => node.checkVisibility() && !node.closest('.visually-hidden'))
    .filter(node => node.offsetHeight > 1 && node.offsetHeight < 28).map(node => node.outerHTML)"""
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


Faults = dict[str, list[str]]


def look(page: Page, *, theme: Theme, width: str) -> Faults:
    """What is wrong, by page, theme and width."""
    wide, high = WIDTHS[width]
    page.set_viewport_size({"width": wide, "height": high})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    looks = (OUT_OF_REACH, UNDRESSED, STICKS_OUT)
    found = [*violations(page), *(fault for one in looks for fault in page.evaluate(one))]
    return {f"{page.url}, {theme}, {width}": found} if found else {}


def look_both_ways(page: Page) -> Faults:
    """Colours are the theme's and places the width's: two looks see both themes and both widths."""
    return {
        **look(page, theme="light", width="wide"),
        **look(page, theme="dark", width="narrow"),
    }


def look_all_ways(page: Page) -> Faults:
    faults: Faults = {}
    for width, theme in product(WIDTHS, THEMES):
        faults |= look(page, theme=theme, width=width)
    return faults


def open_afresh(page: Page, address: str) -> None:
    """As a new window does: what the last page was made to look like does not last."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.goto(address)


PARTS: dict[str, list[Address]] = defaultdict(list)
for one in all_addresses():
    PARTS[one.app if ":" in one.name else "of no app"].append(one)


def test_a_look_finds_every_fault(page: Page):
    page.set_content("<html lang=en><title>Menu</title><main><h1>Menu</h1><button></button>" * 2)

    assert violations(page).count("button-name: <button></button>") == 2
    assert violations(page).count("button-name: <button></button>") == 2  # axe is there already


@pytest.mark.parametrize("part", PARTS)
def test_it_works(page: Page, live_cast: Cast, live_server, part: str):
    """The pages of an app one after the other: a window for each would cost more than the page."""
    enter(page.context, user=live_cast.dora, address=live_server.url)
    faults: Faults = {}
    for address in PARTS[part]:
        path = address.path(partial(example, cast=live_cast))
        if may_be_a_page(path):
            faults |= faults_of(page, live_server.url + path)

    assert faults == {}


def faults_of(page: Page, address: str) -> Faults:
    answer = page.request.get(address, max_redirects=0)
    leads_to = answer.headers.get("location", "")
    if answer.status >= 500 or leads_to.startswith("/accounts/login/"):
        return {address: [f"{answer.status} {leads_to}"]}
    if not answer.ok or b"<!doctype html>" not in answer.body():
        return {}  # no page of its own
    open_afresh(page, address)
    return look_both_ways(page)


def test_it_works_before_sign_in(page: Page, transactional_db, live_server):
    faults: Faults = {}
    for address in ENTRANCE:
        open_afresh(page, live_server.url + address)
        faults |= look_both_ways(page)

    assert faults == {}


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

    assert look_all_ways(visit("/")) == {}
