"""From a telephone that rings to the caller's card in a real browser.

    python -m tests.bench ringing

The web process is that of the Procfile, and somebody has the board open. A way begins when the
telephone system sends the call, and ends with the second frame after the card stands there.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import requests
from playwright.sync_api import Page, sync_playwright

from bin.servers import find_browser
from tests.bench.frame import Bench, Outcome, flavours
from tests.bench.painted import PATIENCE_MS, SIGN_IN, ask, percentile
from tests.faults.installation import Installation, open_installation

CALLS = 30
WARM_UP = 3
PAUSE = 0.5  # so that no call waits for the spacing of the one before
SET_UP = """
import json
from phone.testing import TOKEN, make_system
from restaurants.models import Restaurant
make_system()
print(json.dumps([TOKEN, str(Restaurant.objects.order_by("pk").first().uuid)]))
"""
# The page's own clock is the one that the sender has too.
WATCH = """() => {
  window.rung = {};
  const look = () => {
    for (const { id } of document.querySelectorAll("#ringing article")) {
      if (id in window.rung) continue;
      window.rung[id] = 0;
      requestAnimationFrame(() => requestAnimationFrame(() => {
        window.rung[id] = performance.timeOrigin + performance.now();
      }));
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
SHOWN = "n => Object.values(window.rung).filter(Boolean).length === n"


@contextmanager
def open_screen(installation: Installation) -> Iterator[Page]:
    address = installation.environment["PUBLIC_URL"]
    name, value = ask(installation, SIGN_IN)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-live=live]", timeout=PATIENCE_MS)
        page.evaluate(WATCH)
        yield page
        browser.close()


def measure() -> list[float]:
    """Milliseconds of each call."""
    with open_installation(seed=1, world="small", processes=()) as installation:
        installation.collect_static()
        installation.begin(("web",))
        token, place = ask(installation, SET_UP)
        hook = f"{installation.environment['PUBLIC_URL']}/phone/calls/?token={token}"
        with open_screen(installation) as page, requests.Session() as system:
            taken = [
                ring(page, system, hook, place=place, number=number)
                for number in range(CALLS + WARM_UP)
            ]
        return taken[WARM_UP:]


def ring(page: Page, system: requests.Session, hook: str, *, place: str, number: int) -> float:
    call = {"call_id": f"call-{number}", "restaurant": place, "number": f"+3319900{number:04d}"}
    time.sleep(PAUSE)
    began = time.time() * 1000
    system.post(hook, json=call | {"event": "incoming"}, timeout=30).raise_for_status()
    page.wait_for_function(SHOWN, arg=number + 1, timeout=PATIENCE_MS)
    shown = max(page.evaluate("Object.values(window.rung)"))
    system.post(hook, json=call | {"event": "missed"}, timeout=30).raise_for_status()
    return float(shown) - began


def run() -> Iterator[Outcome]:
    if find_browser() is None:
        return
    for flavour in flavours():
        taken = measure()
        figures = {"median": [percentile(taken, 0.5)], "p95": [percentile(taken, 0.95)]}
        bench = Bench(f"ringing → card, {flavour}", unit="ms", measures={}, aim="≤ 200 ms")
        yield Outcome(bench, figures)
