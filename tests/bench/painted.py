"""From an event to the painted screen of a real browser, hop by hop, while everything runs.

    python -m tests.bench.painted                           SQLite and a broker of files
    DATABASE_URL=postgres… python -m tests.bench.painted    a PostgreSQL and a Redis of its own

The processes are those of the Procfile, the API takes 50 ms for each answer, and somebody looks
at the board of tomorrow. A way begins when the receiver has the event and ends with the second
frame after the card was replaced. All clocks are this machine's.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bin.servers import find_browser
from tests.bench.frame import Bench, Outcome, flavours
from tests.faults.installation import Installation, open_installation

LATENCY_MS = 50
EVENTS = 40
WARM_UP = 3  # the first ones open connections and load code
PATIENCE_MS = 20_000
# So that no change waits for the spacing of the one before.
PAUSE = 0.25
LATENCY_STEPS = ("received → fetched", "fetched → stored", "stored → browser", "browser → painted")

SIGN_IN = """
import json
from django.conf import settings
from restaurants.models import Restaurant
from restaurants.testing import make_member, make_user, sign_in
place = Restaurant.objects.order_by("pk").first()
user = make_user("bench@example.org")
make_member(user, place)
print(json.dumps([settings.SESSION_COOKIE_NAME,
                  sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value]))
"""
WAYS = """
import json
from live.models import LatencySample
rows = LatencySample.objects.exclude(received_at=None).exclude(fetched_at=None)
instants = ("received_at", "fetched_at", "stored_at")
print(json.dumps([[f"{row.uuid}:{row.version}",
                   *(getattr(row, name).timestamp() * 1000 for name in instants)]
                  for row in rows]))
"""
# The page's own events, with the clock that the server has too.
WATCH = """() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  document.body.addEventListener("live:change", ({ detail }) => {
    window.seen[`${detail.uuid}:${detail.version}`] ??= { announced: now() };
  });
  document.addEventListener("live-shown", ({ detail: { key, version } }) => {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.seen[`${key.split(":")[1]}:${version}`].painted ??= now();
    }));
  });
}"""
CARDS = "cards => cards.map(card => card.dataset.live.split(':')[1])"
IS_PAINTED = "uuid => Object.entries(window.seen).some(([k, s]) => k.startsWith(uuid) && s.painted)"


def measure(*, events: int = EVENTS) -> dict[str, list[float]]:
    """Milliseconds of every hop and of the whole way, for each event."""
    with open_installation(seed=1, processes=()) as installation:
        installation.manage("collectstatic", "--no-input", "--verbosity", "0")
        installation.begin()
        copy_the_days(installation)
        installation.sandbox.post("faults", match={"path": "^/api/"}, latency_ms=LATENCY_MS)
        with board_of_tomorrow(installation) as page:
            seen = change_and_watch(installation, page, events=events + WARM_UP)
        return legs(seen, ask(installation, WAYS))


def copy_the_days(installation: Installation) -> None:
    today = datetime.now(UTC).date()
    until = (today + timedelta(days=2)).isoformat()
    words = ("--since", today.isoformat(), "--until", until, "--kind", "reservation")
    installation.manage("backfill", *words, "--wait")
    installation.wait_until_quiet()


@contextmanager
def board_of_tomorrow(installation: Installation) -> Iterator[Page]:
    address = installation.environment["PUBLIC_URL"]
    name, value = ask(installation, SIGN_IN)
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/?day={tomorrow}&zoom=arrivals")
        page.wait_for_selector("html[data-live=live]", timeout=PATIENCE_MS)
        page.evaluate(WATCH)
        yield page
        browser.close()


def change_and_watch(
    installation: Installation, page: Page, *, events: int
) -> dict[str, dict[str, float]]:
    """Change one booking after the other; return when the browser heard of and painted each."""
    cards = page.eval_on_selector_all("[data-live^='reservation:']", CARDS)
    found: dict[str, dict[str, float]] = {}
    for number in range(events):
        uuid = cards[number % len(cards)]
        if not installation.sandbox.happen("change", reservation=uuid):
            continue
        page.wait_for_function(IS_PAINTED, arg=uuid, timeout=PATIENCE_MS)
        seen = page.evaluate("() => { const seen = window.seen; window.seen = {}; return seen; }")
        found |= (
            {key: at for key, at in seen.items() if "painted" in at} if number >= WARM_UP else {}
        )
        time.sleep(PAUSE)
    return found


def legs(seen: dict[str, dict[str, float]], samples: list[list[Any]]) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in (*LATENCY_STEPS, "altogether")}
    for key, *instants in samples:
        if key in seen:
            instants += [seen[key]["announced"], seen[key]["painted"]]
            spans = [end - start for start, end in zip(instants, instants[1:], strict=False)]
            for name, span in zip(taken, [*spans, instants[-1] - instants[0]], strict=True):
                taken[name].append(span)
    return taken


def ask(installation: Installation, code: str) -> Any:
    return json.loads(installation.manage("shell", "--verbosity", "0", "-c", code).splitlines()[-1])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def run() -> list[Outcome]:
    if find_browser() is None:
        return []
    aims = {"SQLite + files": "p95 ≤ 500", "PostgreSQL + Redis": "p95 ≤ 300"}
    outcomes = []
    for flavour in flavours():
        taken = measure()
        figures = {f"{name}, median": [percentile(v, 0.5)] for name, v in taken.items()}
        figures["altogether, p95"] = [percentile(taken["altogether"], 0.95)]
        bench = Bench(f"event → painted, {flavour}", unit="ms", measures={}, aim=aims[flavour])
        outcomes.append(Outcome(bench, figures))
    return outcomes


if __name__ == "__main__":
    found = measure(events=int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
    for leg, spans in found.items():
        p50, p95 = percentile(spans, 0.5), percentile(spans, 0.95)
        print(f"{leg:20} p50 {p50:6.1f}  p95 {p95:6.1f} ms  ({len(spans)})")  # noqa: T201 - a benchmark speaks to a terminal
