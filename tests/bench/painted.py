"""From an event to the painted screen of a real browser, hop by hop, while everything runs.

    python -m tests.bench.painted                           SQLite and a broker of files
    DATABASE_URL=postgres… python -m tests.bench.painted    a PostgreSQL and a Redis of its own

The processes are those of the Procfile, the API takes 50 ms for each answer, and somebody looks
at the board of tomorrow: first at its cards, then at one booking that is open in the drawer. A way
begins when the receiver has the event and ends with the second frame after the card was replaced,
or what the drawer shows of the booking. All clocks are this machine's.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bin.servers import find_browser
from tests.bench.frame import POSTGRES, SQLITE, Bench, Outcome, flavours
from tests.faults.installation import Installation, open_installation

LATENCY_MS = 50
EVENTS = 40
DRAWER_EVENTS = 60
WARM_UP = 3  # the first ones open connections and load code
PATIENCE_MS = 20_000
# So that no change waits for the spacing of the one before: of any booking, and of the same one.
PAUSE, PAUSE_OF_ONE = 0.25, 0.8
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
# The page's own events, with the clock that the server has too. A change that is seen on a card is
# watched there; with a drawer it is what stands in the drawer that counts.
WATCH = """isOpen => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  const paint = key => requestAnimationFrame(() => requestAnimationFrame(() => {
    if (window.seen[key]) window.seen[key].painted ??= now();
  }));
  document.body.addEventListener("live:change", ({ detail }) => {
    window.seen[`${detail.uuid}:${detail.version}`] ??= { announced: now() };
  });
  if (isOpen) new MutationObserver(() => {
    const { open, version } = document.querySelector("[data-open]")?.dataset ?? {};
    paint(`${open?.split(":")[1]}:${version}`);
  }).observe(document.getElementById("drawer-body"), { childList: true, subtree: true });
  else document.addEventListener("live-shown", ({ detail: { key, version } }) => {
    paint(`${key.split(":")[1]}:${version}`);
  });
}"""
CARDS = "cards => cards.map(card => card.dataset.live.split(':')[1])"
IS_PAINTED = "uuid => Object.entries(window.seen).some(([k, s]) => k.startsWith(uuid) && s.painted)"

Spans = dict[str, list[float]]


def measure(*, events: int = EVENTS, in_drawer: int = DRAWER_EVENTS) -> tuple[Spans, Spans]:
    """Milliseconds of every hop and of the whole way, for each event: on cards, in the drawer."""
    with open_installation(seed=1, world="small", processes=()) as installation:
        installation.collect_static()
        installation.begin()
        copy_the_days(installation)
        installation.sandbox.post("faults", match={"path": "^/api/"}, latency_ms=LATENCY_MS)
        with board_of_tomorrow(installation) as page:
            page.evaluate(WATCH, False)  # noqa: FBT003 - an argument of the page's function
            cards = page.eval_on_selector_all("[data-live^='reservation:']", CARDS)
            on_cards = change_and_watch(installation, page, uuids=cards, events=events + WARM_UP)
            open_drawer(page, cards[0])
            opened = [cards[0]]
            many = in_drawer + WARM_UP
            seen = change_and_watch(
                installation, page, uuids=opened, events=many, pause=PAUSE_OF_ONE
            )
        samples = ask(installation, WAYS)
        return legs(on_cards, samples), legs(seen, samples)


def open_drawer(page: Page, uuid: str) -> None:
    page.goto(f"{page.url}&r={uuid}")
    page.wait_for_selector("html[data-live=live]", timeout=PATIENCE_MS)
    page.wait_for_selector(f"#drawer-body [data-open='reservation:{uuid}']", timeout=PATIENCE_MS)
    page.evaluate(WATCH, True)  # noqa: FBT003 - an argument of the page's function


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
        yield page
        browser.close()


def change_and_watch(
    installation: Installation, page: Page, *, uuids: list[str], events: int, pause: float = PAUSE
) -> dict[str, dict[str, float]]:
    """Change one booking after the other; return when the browser heard of and painted each."""
    found: dict[str, dict[str, float]] = {}
    for number in range(events):
        uuid = uuids[number % len(uuids)]
        if not installation.sandbox.happen("change", reservation=uuid):
            continue
        page.wait_for_function(IS_PAINTED, arg=uuid, timeout=PATIENCE_MS)
        seen = page.evaluate("() => { const seen = window.seen; window.seen = {}; return seen; }")
        found |= (
            {key: at for key, at in seen.items() if "painted" in at} if number >= WARM_UP else {}
        )
        time.sleep(pause)
    return found


def legs(seen: dict[str, dict[str, float]], samples: list[list[Any]]) -> Spans:
    taken: Spans = {name: [] for name in (*LATENCY_STEPS, "altogether")}
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
    aims = {SQLITE: "p95 ≤ 200 ms", POSTGRES: "p95 ≤ 150 ms"}
    outcomes = []
    for flavour in flavours():
        on_cards, in_drawer = measure()
        outcomes.append(outcome_of(f"event → painted, {flavour}", on_cards, aim=aims[flavour]))
        name = f"event → open drawer, {flavour}"
        outcomes.append(outcome_of(name, in_drawer, aim="p95 ≤ 300 ms"))
    return outcomes


def outcome_of(name: str, taken: Spans, *, aim: str) -> Outcome:
    figures = {f"{step}, median": [percentile(spans, 0.5)] for step, spans in taken.items()}
    figures["altogether, p95"] = [percentile(taken["altogether"], 0.95)]
    return Outcome(Bench(name, unit="ms", measures={}, aim=aim), figures)


if __name__ == "__main__":
    for place, found in zip(("card", "drawer"), measure(), strict=True):
        for leg, spans in found.items():
            p50, p95 = percentile(spans, 0.5), percentile(spans, 0.95)
            print(f"{place:6} {leg:20} p50 {p50:6.1f}  p95 {p95:6.1f} ms  ({len(spans)})")  # noqa: T201 - a benchmark speaks to a terminal
