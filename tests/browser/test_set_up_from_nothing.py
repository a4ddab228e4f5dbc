"""From `make setup` to "You are live" in a browser, against the sandbox, with no terminal."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.faults.installation import Installation
from tests.processes import ROOT, scratch_environment

pytestmark = [pytest.mark.slow, pytest.mark.once]

PASSWORD = "a table by the window"  # noqa: S105  # of this test
PATIENCE = 60_000  # ms: other work shares the machine


@pytest.fixture
def installation(tmp_path: Path):
    """All processes on an empty database, and a sandbox that knows nothing of them."""
    made = Installation(
        tmp_path, scratch_environment(tmp_path) | {"WEB_WORKERS": "1"}, seed=28, world="tiny"
    )
    made.start_sandbox()
    yield made
    made.stop()


class Newcomer:
    """Counts what a person does."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.fields = page, 0, 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def press(self, name: str) -> None:
        button = self.page.get_by_role("main").get_by_role("button", name=name, exact=True)
        self.tap(button.or_(self.page.get_by_role("main").get_by_role("link", name=name)).first)

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).first.fill(text)
        self.fields += 1

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(value)
        self.fields += 1


def set_up(installation: Installation) -> str:
    """What `make setup` does with the database; the link that it prints."""
    installation._make_database()
    output = subprocess.run(
        [sys.executable, "-m", "bin.database"],
        cwd=ROOT,
        env=installation.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    [link] = [word for word in output.split() if "first-admin" in word]
    return link


def test_a_newcomer_goes_live_without_a_terminal(installation: Installation, page: Page):
    page.set_default_timeout(PATIENCE)
    link = set_up(installation)
    for process in ("web", "worker", "beat"):
        installation.start(process)
    wait_for(page, link)
    began, person = time.monotonic(), Newcomer(page)
    world = installation.sandbox.get("world")

    person.type("Name", "Noor Haddad")
    person.type("E-mail address", "noor@example.org")
    person.type("Password", PASSWORD)
    person.type("Password confirmation", PASSWORD)
    person.press("Make the account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up Couvert")

    connect(person, world)
    group = world["groups"][0]
    add_places(person, group)

    # People come later, and the guide goes on.
    person.tap(page.get_by_role("link", name="Next: People"))
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    person.tap(page.get_by_role("link", name="Next: Address for events"))
    address = page.locator("#webhook-address").inner_text()

    person.tap(page.get_by_role("link", name="Next: First copy"))
    person.press("Start")
    expect(page.locator("#job")).to_contain_text("read")
    person.tap(page.get_by_role("link", name="All steps"))

    # What the operator of the service does with the address.
    installation.sandbox.post("webhook", url=address)
    place = group["restaurants"][0]["uuid"]
    installation.sandbox.happen("new_booking", restaurant=place)
    expect(page.get_by_text("You are live")).to_be_visible(timeout=4 * PATIENCE)
    seconds = time.monotonic() - began

    person.tap(page.get_by_role("link", name="Open today"))
    expect(page.get_by_role("main")).to_contain_text(group["restaurants"][0]["name"])
    print(f"{person.taps} taps, {person.fields} fields, {seconds:.0f} s")  # noqa: T201  # with -s
    assert person.taps <= 20


def connect(person: Newcomer, world: dict) -> None:
    [client] = [one for one in world["clients"] if one["name"] == "full"]
    person.press("Enter them")
    person.type("API address", world["base_url"])
    person.type("Token host", world["auth_url"])
    person.type("Audience", world["audience"])
    person.type("Client id", client["client_id"])
    person.type("Client secret", client["client_secret"])
    person.press("Save connection")
    person.press("Test connection")
    expect(person.page.get_by_text("The key is valid; no new one was asked for.")).to_be_visible()


def add_places(person: Newcomer, group: dict) -> None:
    """Every restaurant of the group is found by its bookings."""
    person.tap(person.page.get_by_role("link", name="Next: Groups and restaurants"))
    person.press("Add a group")
    person.type("Identifier (UUID)", group["uuid"])
    person.type("Name", group["name"])
    person.press("Add the group")
    places = {place["uuid"]: place for place in group["restaurants"]}
    found = person.page.locator(".found-restaurants code")
    expect(found).to_have_count(len(places))
    for left in range(len(places), 0, -1):
        expect(found).to_have_count(left)
        place = places[found.first.inner_text()]
        person.press("Set up")
        person.type("Name", place["name"])
        person.choose("Time zone", place["timezone"])
        person.type("Country", place["country"])
        person.press("Save")
    expect(person.page.get_by_text("No other restaurant found")).to_be_visible()


def wait_for(page: Page, link: str) -> None:
    for _try in range(240):
        try:
            page.goto(link)
        except Exception:  # noqa: BLE001, PERF203  # the server is starting
            page.wait_for_timeout(250)
        else:
            return
    raise AssertionError("The server did not start.")
