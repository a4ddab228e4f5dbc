"""Second factors as a person uses them: passkeys, an app's code, recovery codes, other devices."""

import re

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from accounts.tasks import hash_recovery_codes
from restaurants.testing import Cast
from tests.browser.conftest import violations

PASSWORD = "correct horse battery staple"


@pytest.fixture
def alice(live_cast: Cast):
    cache.clear()
    live_cast.alice.set_password(PASSWORD)
    live_cast.alice.save()
    return live_cast.alice


def enter_by_password(page: Page, address: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.get_by_label("Email").fill("alice@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def open_after_the_password(page: Page, address: str) -> None:
    """Whoever changes how to sign in types the password once more."""
    page.goto(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(address)


def sign_out(page: Page, address: str) -> None:
    page.goto(f"{address}/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name=re.compile("sign out", re.I)).click()
    page.wait_for_url("**/accounts/login/**")


def add_virtual_key(page: Page) -> None:
    """A security key in software that confirms at once, as a fingerprint would."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def code_of_the_app(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return str(format_hotp_value(hotp_value(secret, counter)))


def test_a_passkey_signs_in(page: Page, alice, live_server):
    add_virtual_key(page)
    enter_by_password(page, live_server.url)
    page.wait_for_url(f"{live_server.url}/")
    open_after_the_password(page, f"{live_server.url}/accounts/2fa/webauthn/add/")
    page.get_by_label("Name").fill("Fingerprint")
    page.get_by_label("Sign in without a password").check()
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/accounts/2fa/recovery-codes/**")

    sign_out(page, live_server.url)
    page.get_by_role("button", name="Sign in with a passkey").click()

    page.wait_for_url(f"{live_server.url}/")
    expect(page.locator("#user-menu")).to_contain_text("Alice")


def test_a_passkey_that_fails_says_so(page: Page, transactional_db, live_server):
    page.goto(f"{live_server.url}/accounts/login/")
    refuse = "navigator.credentials.get = () => Promise.reject(new Error('cancelled')); 0"
    page.evaluate(refuse)

    page.get_by_role("button", name="Sign in with a passkey").click()

    expect(page.locator("#passkey-says")).to_contain_text("The passkey was not used.")
    assert violations(page) == []


def test_codes_of_an_app_and_of_paper_sign_in(page: Page, alice, live_server):
    enter_by_password(page, live_server.url)
    page.wait_for_url(f"{live_server.url}/")
    open_after_the_password(page, f"{live_server.url}/accounts/2fa/totp/activate/")
    secret = page.locator("#authenticator-secret").inner_text()
    link = page.get_by_role("link", name="The app is on this device")
    expect(link).to_have_attribute("href", re.compile("^otpauth://totp/"))
    # A code holds for half a minute, which may end between making and sending it.
    with time_machine.travel(timezone.now(), tick=False):
        page.get_by_label("Authenticator code").fill(code_of_the_app(secret))
        page.get_by_role("button", name="Switch on").click()
        page.wait_for_url("**/accounts/2fa/recovery-codes/**")
    recovery_codes = page.get_by_label("Unused codes").input_value().split()
    assert len(recovery_codes) == 10
    with page.expect_download() as download:
        page.get_by_role("link", name="Download codes").click()
    assert download.value.path().read_text().split() == recovery_codes
    page.get_by_label("I have saved my recovery codes").check()
    assert violations(page) == []

    hash_recovery_codes()

    page.reload()
    expect(page.get_by_label("Unused codes")).to_have_count(0)
    for code in recovery_codes[:2]:
        sign_out(page, live_server.url)
        enter_by_password(page, live_server.url)
        page.wait_for_url("**/accounts/2fa/authenticate/**")
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Sign In").click()
        page.wait_for_url(f"{live_server.url}/")


def test_other_devices_are_signed_out(page: Page, alice, browser: Browser, live_server):
    enter_by_password(page, live_server.url)
    page.wait_for_url(f"{live_server.url}/")
    elsewhere = browser.new_page()
    enter_by_password(elsewhere, live_server.url)
    elsewhere.wait_for_url(f"{live_server.url}/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/accounts/sessions/")
    expect(page.get_by_text("Chrome on")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Sign out the others").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()

    expect(page.get_by_text("Nobody is signed in as you anywhere else.")).to_be_visible()
    elsewhere.goto(f"{live_server.url}/")
    expect(elsewhere).to_have_url(re.compile("/accounts/login/"))
    elsewhere.close()
