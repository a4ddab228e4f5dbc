"""Nothing lies over what can be pressed: not an unseen heading, not another link."""

import pytest

from restaurants.testing import Cast
from tests.browser.conftest import enter
from tests.browser.pages_in_use import pages_of_an_admin
from tests.browser.taps import COVERED, CUT_OFF


@pytest.mark.parametrize("width", [1024, 390])
def test_every_tap_hits_what_it_is_on(page, live_cast: Cast, live_server, width: int):
    enter(page.context, user=live_cast.dora, address=live_server.url)
    page.set_viewport_size({"width": width, "height": 844})
    faults = {}
    for path in pages_of_an_admin(live_cast):
        page.goto(live_server.url + path)
        found = [line for look in (COVERED, CUT_OFF) for line in page.evaluate(f"() => {{{look}}}")]
        if found:
            faults[path] = found[:5]

    assert faults == {}
