"""In Safari, too, a tap opens what it is on, and no word is cut off.

A trial, because its engine is large:

    apt install webkit2gtk-driver xvfb xauth
    pytest -m long tests/browser/test_tap_in_webkit.py
"""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import timezone

from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import Cast
from tests.browser import webkit
from tests.browser.pages_in_use import pages_of_an_admin
from tests.browser.taps import COVERED, CUT_OFF
from tests.sessions import session_of

lacking = webkit.missing()
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(lacking), reason=f"apt install {' '.join(lacking)}"),
]
WIDTHS = (1180, 1024, 450)  # a small window cannot be narrower
TAP_ON_ROW = """
const rows = [...document.querySelectorAll('.table__row')]
const row = rows.find(one => one.textContent.includes(arguments[0]))
row.scrollIntoView({block: 'center', behavior: 'instant'})
const box = row.getBoundingClientRect()
document.elementFromPoint(box.x + box.width * 0.6, box.y + box.height / 2).click()
"""
# The words of an element once it has them, or what it has after a long while.
WAIT_FOR = """
const [selector, words] = arguments
return new Promise(done => {
    const end = performance.now() + 10000
    const look = () => {
        const found = document.querySelector(selector)?.textContent ?? ''
        if (found.includes(words) || performance.now() > end) done(found)
        else requestAnimationFrame(look)
    }
    look()
})
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[webkit.WebKit]:
    with webkit.started() as engine:
        yield engine


@pytest.fixture
def safari(engine: webkit.WebKit, live_cast: Cast, live_server) -> webkit.WebKit:
    """As Dora, who may see everything."""
    engine.open(f"{live_server.url}/accounts/login/")
    engine.enter(settings.SESSION_COOKIE_NAME, session_of(live_cast.dora))
    return engine


def test_every_tap_hits_what_it_is_on(safari, live_cast: Cast, live_server):
    paths = pages_of_an_admin(live_cast)
    faults = {}
    for width in WIDTHS:
        safari.make_wide(width)
        for path in paths:
            safari.open(live_server.url + path)
            found = [*safari.evaluate(COVERED), *safari.evaluate(CUT_OFF)]
            if found:
                faults[f"{path}, {width}"] = found[:5]

    assert len(paths) > 80
    assert faults == {}


@pytest.mark.parametrize("name", ["Brandt", "Novak", "Rossi"])
def test_a_row_opens_its_own_booking(safari, live_cast, live_server, name):
    for one in ("Brandt", "Novak", "Rossi"):
        guest = make_customer(live_cast.harbour, last_name=one)
        make_reservation(live_cast.quay, meal_at=timezone.now(), customer=guest)
    safari.make_wide(1180)
    safari.open(f"{live_server.url}/?scope={live_cast.quay.uuid}&zoom=list&whole=1")
    safari.evaluate(TAP_ON_ROW, name)

    assert name in safari.evaluate(WAIT_FOR, ".drawer", name)
