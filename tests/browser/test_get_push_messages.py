"""Push messages in a browser: switched on, tested, shown, switched off; or why that cannot be.

Chromium without a screen has no push service. What it would get from one is put in its place; the
rest is its own: permission, service worker, notifications.
"""

import json
import time

import pytest
from playwright.sync_api import expect

from accounts.push.testing import running_push_service
from bin.servers import find_whole_browser
from tests.browser.conftest import enter, violations

PAGE = "/accounts/push/"
PATIENCE = 30  # seconds
SUBSCRIBED = """

  const subscription = {{ toJSON: () => ({0}), unsubscribe: async () => true }};
  PushManager.prototype.subscribe = async () => subscription;
  PushManager.prototype.getSubscription = async () => subscription;
"""


@pytest.fixture(scope="module")
def browser(launch_browser):
    """A whole one: the shell lets nobody allow notifications."""
    program = find_whole_browser()
    if program is None:
        pytest.skip("Chromium is not installed, only its shell.")
    browser = launch_browser(executable_path=program)
    yield browser
    browser.close()


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


@pytest.fixture
def context(browser, live_cast, live_server):
    """A browser with a service worker, in which Bob is signed in."""
    context = browser.new_context(service_workers="allow")
    enter(context, user=live_cast.bob, address=live_server.url)
    yield context
    context.close()


def test_they_are_switched_on_shown_and_switched_off(context, live_cast, live_server, service):
    context.grant_permissions(["notifications"], origin=live_server.url)
    endpoint, p256dh, auth = service.subscribe().subscription
    keys = {"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}
    context.add_init_script(SUBSCRIBED.format(json.dumps(keys)))
    page = context.new_page()
    page.goto(live_server.url + PAGE)
    expect(page.get_by_text("Off. Nothing comes to this device.")).to_be_visible()
    assert violations(page) == []

    page.get_by_role("button", name="Switch on here").click()
    expect(page.get_by_text("On. Messages come while Couvert is closed, too.")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Send a test message").click()
    expect(page.get_by_text("Accepted by the push service.")).to_be_visible()

    [got] = service.received
    for _twice in range(2):
        deliver(page, got.payload, origin=live_server.url)
    assert notifications(page) == [["Couvert", got.payload["body"]]]

    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_text("Off. Nothing comes to this device.")).to_be_visible()
    assert not live_cast.bob.push_devices.exists()


RENEW = """
  (fresh) => new Promise((done) => dispatchEvent(Object.assign(
    new ExtendableEvent("pushsubscriptionchange"),
    { newSubscription: { toJSON: () => fresh }, waitUntil: done },
  )))
"""


def test_a_new_address_of_the_browser_is_sent_by_the_service_worker(
    context, live_cast, live_server, service
):
    context.grant_permissions(["notifications"], origin=live_server.url)
    addresses = [service.subscribe().subscription for _twice in range(2)]
    first, fresh = (
        {"endpoint": one.endpoint, "keys": {"p256dh": one.p256dh, "auth": one.auth}}
        for one in addresses
    )
    context.add_init_script(SUBSCRIBED.format(json.dumps(first)))
    page = context.new_page()
    page.goto(live_server.url + PAGE)
    page.get_by_role("button", name="Switch on here").click()
    expect(page.get_by_text("On. Messages come while Couvert is closed, too.")).to_be_visible()

    context.service_workers[0].evaluate(RENEW, fresh)

    assert live_cast.bob.push_devices.get().endpoint == fresh["endpoint"]


NEWER_THAN = """
  (before) => navigator.serviceWorker.ready.then(async (one) =>
    (await one.getNotifications()).some((shown) => shown.timestamp > before))
"""
NEWEST = """
  navigator.serviceWorker.ready.then(async (one) =>
    Math.max(0, ...(await one.getNotifications()).map((shown) => shown.timestamp)))
"""


def deliver(page, payload, *, origin):
    """As the browser does when its push service has a message; until it is shown, which replaces
    the one before.
    """
    before = page.evaluate(NEWEST)
    tools = page.context.new_cdp_session(page)
    number = registration_of(page, tools, origin=origin)
    message = {"origin": origin, "registrationId": number, "data": json.dumps(payload)}
    tools.send("ServiceWorker.deliverPushMessage", message)
    page.wait_for_function(NEWER_THAN, arg=before)


def registration_of(page, tools, *, origin):
    """The browser names its service workers when it gets to it."""
    found = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda e: found.extend(e["registrations"]))
    tools.send("ServiceWorker.enable")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for one in found:
            if one["scopeURL"] == f"{origin}/":
                return one["registrationId"]
        page.evaluate("new Promise((done) => setTimeout(done, 20))")  # events come meanwhile
    pytest.fail(f"no service worker of {origin} in {found}")


def notifications(page):
    return page.evaluate(
        "navigator.serviceWorker.ready.then((one) => one.getNotifications())"
        ".then((shown) => shown.map((one) => [one.title, one.body]))"
    )


STATES = {
    "denied": (
        "Object.defineProperty(Notification, 'permission', { value: 'denied' })",
        "This browser refuses messages of Couvert.",
    ),
    "insecure": (
        "Object.defineProperty(window, 'isSecureContext', { value: false })",
        "Push messages need HTTPS",
    ),
    "unsupported": ("delete window.PushManager", "This browser cannot receive push messages."),
    "install": (
        "delete window.PushManager;"
        "Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone)' })",
        "On an iPhone or iPad only the installed app gets push messages",
    ),
}


def test_it_says_why_a_browser_can_have_none(context, live_server):
    for script, sentence in STATES.values():
        page = context.new_page()
        page.add_init_script(script)
        page.goto(live_server.url + PAGE)

        expect(page.get_by_text(sentence)).to_be_visible()
        expect(page.get_by_role("button", name="Switch on here")).to_be_hidden()
        page.close()
