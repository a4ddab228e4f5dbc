"""The server goes away: the tablet reads its copy, and whoever signs out leaves none."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from customers.testing import make_customer
from live.announcements import announce
from live.testing import make_line
from reservations.models import Reservation
from reservations.offline_copy import views as offline_copy
from reservations.offline_copy.pages import assets
from reservations.testing import make_reservation
from restaurants.testing import make_offline_device, offline_cookie
from restaurants.web_app.parts import WORKER_PARTS
from tests.browser.conftest import enter, violations

EVERYTHING = """async () => {
  const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((done) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => done(request.result);
    });
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store).getAll();
      await new Promise((done) => { rows.onsuccess = done; });
      found.push(name, store, JSON.stringify(rows.result));
    }
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const texts = (await cache.keys()).map(async (one) => (await cache.match(one)).text());
    found.push(...await Promise.all(texts));
  }
  return found.join("\\n");
}"""


# What has a name there, whatever is in it.
STORED = """async () => ({
  databases: (await indexedDB.databases()).map((one) => one.name),
  files: await Array.fromAsync((await navigator.storage.getDirectory()).keys()),
  local: Object.keys(localStorage),
  session: { ...sessionStorage },
})"""


@pytest.fixture
def rossi(web, tonight_cast):
    """Tonight at the Quay, with an allergy."""
    guest = make_customer(
        tonight_cast.harbour,
        first_name="Ada",
        last_name="Rossi",
        phone="+33612345678",
        phone_e164="+33612345678",
        allergies_and_intolerances=["nuts"],
    )
    quay = tonight_cast.quay
    return make_reservation(quay, customer=guest, party_size=2, meal_at=timezone.now())


@pytest.fixture
def tablet(rossi, tonight_cast, live_server, browser):
    """A browser on which an admin allows a copy of the Quay, with its service worker."""
    context = browser.new_context(service_workers="allow")
    name, value = offline_cookie(make_offline_device(tonight_cast.quay))
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    enter(context, user=tonight_cast.bob, address=live_server.url)
    yield context
    context.close()


@pytest.fixture
def page(tablet: BrowserContext, live_server) -> Page:
    """The board, once the copy is kept and the service worker answers for the page."""
    page = tablet.new_page()
    page.goto(f"{live_server.url}/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator("[data-offline-state]")).to_contain_text("Offline copy", timeout=20_000)
    return page


WATCH = """() => {
  window.states = [];
  const note = () => window.states.push(document.documentElement.dataset.live);
  new MutationObserver(note).observe(document.documentElement, { attributeFilter: ["data-live"] });
}"""

SINCE = """async () => {
  let since, looks = 0;
  while (!since && looks++ < 1000) since = await offlineCopy.get("since");
  return since ?? "never";
}"""

LEAVE = """async () => {
  const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
  await offlineCopy.wipe();
  await offlineCopy.put("leaving", { csrfmiddlewaretoken, text: "" });
}"""

# What a page does once a minute.
NEXT_MINUTE = """() => {
  const { src } = document.querySelector("[src*=offline-sync]");
  document.head.append(Object.assign(document.createElement("script"), { src }));
}"""


def read_everything(page: Page) -> str:
    """All that the browser keeps for this site, as text, bytes as their letters."""
    return str(page.evaluate(EVERYTHING))


def follow(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-live", "live", timeout=20_000)


def test_it_works(page: Page, tablet: BrowserContext, rossi):
    follow(page)
    tablet.set_offline(True)
    page.reload()

    expect(page.locator("#main")).to_contain_text(re.compile(r"Offline since .+ · as of .+"))
    expect(page.locator("#freshness")).to_contain_text("Offline since")
    page.locator(f"#r-{rossi.uuid} a").first.click()
    expect(page.locator("#drawer-body")).to_contain_text("nuts")
    expect(page.locator("#drawer-body :is(a, button)[hx-get]")).to_have_count(0)
    guests = page.locator("nav a", has_text="Guests").first
    expect(guests).to_have_attribute("aria-disabled", "true")
    expect(guests).to_have_attribute("title", re.compile("needs the server"))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Briefing").click()
    expect(page.locator(".brief")).to_contain_text("Rossi")
    expect(page.locator("#main")).to_contain_text("Offline since")
    assert violations(page) == []


def test_a_day_that_is_not_in_the_copy_is_not_shown_as_another(page: Page, tablet: BrowserContext):
    tablet.set_offline(True)
    page.goto(page.url.split("?")[0] + "?day=2031-05-04")
    instead = page.get_by_text("The day you opened is not in the offline copy")
    expect(instead).to_be_visible()

    page.goto(page.url.split("?")[0])
    expect(page.locator("#main")).to_contain_text("Offline since")
    expect(instead).to_be_hidden()


def test_it_catches_up_by_itself_and_is_never_live_meanwhile(
    page: Page, tablet: BrowserContext, rossi
):
    tablet.set_offline(True)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-live", "offline")
    page.evaluate(WATCH)
    rossi.party_size, rossi.version = 7, rossi.version + 1
    rossi.save()
    announce([make_line(rossi.restaurant, uuid=rossi.uuid, version=rossi.version)])

    assert page.evaluate("states") == []
    tablet.set_offline(False)

    expect(page.locator(f"#r-{rossi.uuid}")).to_contain_text("7", timeout=20_000)
    expect(page.locator("#main")).not_to_contain_text("Offline since")
    follow(page)


def test_a_reload_does_not_move_since_when_it_is_offline(
    page: Page, tablet: BrowserContext, live_server
):
    other = tablet.new_page()
    other.goto(f"{live_server.url}/")
    follow(other)
    tablet.set_offline(True)
    expect(other.locator("html")).to_have_attribute("data-live", "offline")
    since = other.evaluate(SINCE)
    page.reload()

    expect(page.locator("#main")).to_contain_text("Offline since")
    expect(page.locator("html")).to_have_attribute("data-live", "offline")
    assert other.evaluate("offlineCopy.get('since')") == since


def test_a_new_version_is_offered_and_taken_by_one_press(page: Page, monkeypatch):
    follow(page)
    page.evaluate("window.isOld = true")
    monkeypatch.setattr(WORKER_PARTS, "entries", [*WORKER_PARTS.entries, "upgrade"])
    page.evaluate("navigator.serviceWorker.ready.then((one) => one.update()).then(() => true)")

    page.get_by_role("button", name="Load the new version").click()

    page.wait_for_function("!window.isOld && navigator.serviceWorker.controller")
    expect(page.get_by_role("button", name="Load the new version")).to_have_count(0)


def test_after_an_upgrade_the_pages_are_kept_with_its_style_and_scripts(page: Page, monkeypatch):
    """Pages of before, without theirs, would look and work like nothing for five minutes."""
    monkeypatch.setattr(offline_copy, "assets", lambda: [*assets(), "/static/favicon.svg"])
    is_board = re.compile(r"/\?scope=.+zoom=list").search

    with page.expect_request(lambda request: bool(is_board(request.url))):
        page.evaluate(NEXT_MINUTE)


def test_nothing_personal_is_left_after_a_sign_out(page: Page, tablet: BrowserContext, rossi):
    """Of an evening in which the guest was searched, opened, called and briefed."""
    assert "Rossi" not in read_everything(page)  # it is encrypted
    work_with(page, rossi)
    sign_out(page)
    page.wait_for_url("**/accounts/login/**")

    assert_nothing_personal(page, tablet, rossi)
    stored = page.evaluate(STORED)
    # htmx notes where the page is.
    assert stored.pop("session") == {"htmx-current-path-for-history": "/accounts/login/?next=/"}
    assert stored == {"databases": [], "files": [], "local": []}
    page.go_back()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    assert "Rossi" not in page.content()


def work_with(page: Page, row: Reservation) -> None:
    page.keyboard.press("/")
    page.keyboard.type("ross")
    expect(page.locator("#palette-found a").first).to_contain_text("Rossi")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    page.get_by_role("link", name="List", exact=True).click()
    page.wait_for_url("**zoom=list*")
    page.locator(f"#r-{row.uuid} a").first.click()
    page.locator("#drawer-body").get_by_role("button", name="Reveal").click()
    expect(page.locator("#drawer-body")).to_contain_text("+33612345678")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Briefing").click()
    expect(page.locator(".brief")).to_contain_text("Rossi")
    page.get_by_role("button", name="Sound").click()


def assert_nothing_personal(page: Page, tablet: BrowserContext, row: Reservation) -> None:
    """In any storage: those for scripts, those for files, the cookies."""
    kept = read_everything(page) + str(tablet.cookies())
    words = (row.uuid, row.customer_id, "Rossi", "Ada", "nuts", "612345678", "bob@")
    assert [word for word in map(str, words) if word in kept] == []


def test_a_sign_out_without_the_server_deletes_the_copy_at_once(
    page: Page, tablet: BrowserContext, rossi, live_server
):
    other = tablet.new_page()
    other.goto(f"{live_server.url}/")
    follow(other)
    tablet.set_offline(True)
    page.reload()
    expect(page.locator("#main")).to_contain_text("Offline since")
    sign_out(page)

    for one in (page, other):
        expect(one.locator("body")).to_contain_text("its offline copy is deleted")
    expect(page.locator("meta[name=viewport], meta[name=color-scheme]")).to_have_count(2)
    assert_nothing_personal(page, tablet, rossi)
    tablet.set_offline(False)
    page.goto(f"{live_server.url}/")
    expect(page).to_have_url(re.compile("/accounts/login/"))


def test_a_page_that_was_asleep_meanwhile_finishes_such_a_sign_out(page: Page):
    """It kept a new copy a minute later, and the person stayed signed in."""
    page.evaluate(LEAVE)
    page.evaluate(NEXT_MINUTE)

    expect(page).to_have_url(re.compile("/accounts/login/"))


def sign_out(page: Page) -> None:
    page.locator("[popovertarget=user-menu]").first.click()
    page.get_by_role("button", name="Sign out").click()


def test_the_next_person_starts_without_the_copy_of_the_last(
    page: Page, tablet: BrowserContext, tonight_cast, live_server, rossi
):
    before = page.evaluate("offlineCopy.get('about').then(about => about.owner)")
    enter(tablet, user=tonight_cast.charlie, address=live_server.url)
    page.goto(f"{live_server.url}/")

    expect(page.locator("[data-offline-state]")).to_be_empty()
    assert before
    assert str(rossi.uuid) not in read_everything(page)


@pytest.mark.parametrize("change", ["{ ends: Date.now() - 1 }", "{ later: 3_600_000 }"])
def test_it_is_over_after_its_time_and_when_the_clock_is_set_back(page: Page, change, rossi):
    """The one copy is 18 hours old, the other was last read in an hour from now."""
    page.evaluate(f"""async () => {{
      const {{ later = 0, ...change }} = {change};
      await offlineCopy.put("seenAt", Date.now() + later);
      await offlineCopy.put("about", {{ ...await offlineCopy.get("about"), ...change }});
    }}""")

    assert page.evaluate("offlineCopy.about()") is None
    assert str(rossi.uuid) not in read_everything(page)


def test_a_full_storage_keeps_no_half_of_a_copy(page: Page, rossi):
    page.add_init_script("""
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (value, name) {
        if (name === "about") throw new DOMException("full", "QuotaExceededError");
        return put.call(this, value, name);
      };
    """)
    page.reload()

    expect(page.locator("[data-offline-state]")).to_contain_text("No offline copy")
    assert str(rossi.uuid) not in read_everything(page)
