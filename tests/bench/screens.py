"""300 cards in a real browser: what travels for the first view, and how long a full swap takes.

    python -m tests.bench screens

The web process is that of the Procfile, the evening that of `make_history`. A swap is what the
button “3 new” does: the whole board is parsed anew, styled, laid out and painted.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Page, sync_playwright

from bin.servers import find_browser
from tests.bench.frame import Bench, Outcome
from tests.faults.installation import Installation
from tests.processes import scratch_environment, wait_until_open

RESERVATIONS = 10_000  # of which the busy day is a part
SWAPS = 15
WARM_UP = 3
SIGN_IN = """
import json
from django.conf import settings
from accounts.rights import Role
from restaurants.models import Restaurant
from restaurants.testing import make_member, make_user, sign_in
place = Restaurant.objects.get(name="Table 1")
user = make_user("bench@example.org")
make_member(user, place.group, Role.MANAGER)
print(json.dumps([str(place.uuid), settings.SESSION_COOKIE_NAME,
                  sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value]))
"""
# The button is pressed; the answer is at hand, because the way over the network is no part of this.
SWAP = """async swaps => {
  const frame = () => new Promise(requestAnimationFrame);
  const board = () => document.getElementById("board");
  const headers = { "HX-Request": "true", "HX-Target": "board" };
  const html = await (await fetch(board().dataset.liveUrl, { headers })).text();
  window.fetch = async () => new Response(html);
  const taken = [];
  for (let swap = 0; swap < swaps; swap += 1) {
    const old = board();
    const replaced = new Promise((done) => {
      const look = () => board() !== old && done();
      new MutationObserver(look).observe(old.parentNode, { childList: true });
    });
    await frame();
    const began = performance.now();
    old.querySelector("[data-live-more]").click();
    await replaced;
    board().getBoundingClientRect();
    const laidOut = performance.now();
    await frame();
    await frame();
    taken.push([laidOut - began, performance.now() - began]);
  }
  return taken;
}"""


@contextmanager
def full_installation() -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="couvert-bench-") as folder:
        environment = scratch_environment(Path(folder)) | {"BENCH": "true"}
        installation = Installation(Path(folder), environment, seed=1, world="small")
        try:
            installation.manage("migrate", "--verbosity", "0")
            installation.collect_static()
            installation.manage("make_history", "--reservations", str(RESERVATIONS))
            installation.start("web")
            wait_until_open(int(environment["WEB_PORT"]), what="web")
            yield installation
        finally:
            installation.stop()


def sign_in(installation: Installation, context: BrowserContext) -> str:
    """Give the browser a session; return the address of the board."""
    output = installation.manage("shell", "--verbosity", "0", "-c", SIGN_IN).splitlines()[-1]
    place, name, value = json.loads(output)
    address = installation.environment["PUBLIC_URL"]
    context.add_cookies([{"name": name, "value": value, "url": address}])
    return f"{address}/?scope={place}&zoom=arrivals"


class Traffic:
    """The bytes that came over the wire, headers included."""

    def __init__(self, browser: CDPSession) -> None:
        self.kinds: dict[str, str] = {}
        self.page = self.others = 0
        browser.on("Network.responseReceived", self._begin)
        browser.on("Network.loadingFinished", self._end)
        browser.send("Network.enable")

    def _begin(self, event: dict[str, str]) -> None:
        self.kinds[event["requestId"]] = event["type"]

    def _end(self, event: dict[str, float]) -> None:
        if self.kinds.get(str(event["requestId"])) == "Document":
            self.page += int(event["encodedDataLength"])
        else:
            self.others += int(event["encodedDataLength"])


def first_view(page: Page, address: str) -> dict[str, list[float]]:
    traffic = Traffic(page.context.new_cdp_session(page))
    page.goto(address)
    page.wait_for_selector("html[data-live=live]")
    figures = {"the page": [traffic.page / 1000]}
    figures["its styles, scripts and symbols, once"] = [traffic.others / 1000]
    traffic.page = 0
    page.goto(f"{address}&whole=1")
    return figures | {"the page with all 300 cards": [traffic.page / 1000]}


def full_swap(page: Page, address: str) -> dict[str, list[float]]:
    page.goto(f"{address}&whole=1")
    page.wait_for_selector("html[data-live=live]")
    taken = page.evaluate(SWAP, SWAPS + WARM_UP)[WARM_UP:]
    names = ("parsed, styled and laid out", "until it is painted")
    return dict(zip(names, map(list, zip(*taken, strict=True)), strict=True))


def run() -> list[Outcome]:
    if find_browser() is None:
        return []
    with full_installation() as installation, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        address = sign_in(installation, context)
        page = context.new_page()
        view, swap = first_view(page, address), full_swap(context.new_page(), address)
        browser.close()
    bytes_ = Bench("300 cards, first view", unit="kB", measures={}, aim="the page ≤ 60 kB")
    time = Bench("300 cards, full swap in the browser", unit="ms", measures={}, aim="≤ 100 ms")
    return [Outcome(bytes_, view), Outcome(time, swap)]
