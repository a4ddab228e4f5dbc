"""A form with a secret that was filled in slowly: the password is given, nothing typed again."""

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from playwright.sync_api import Page, expect

from accounts.models import User
from partner import testing
from partner.models import Connection
from restaurants.testing import Cast
from tests.browser.conftest import violations

PASSWORD = "correct horse battery staple"
SECRET = "a-brand-new-secret-7777"


@pytest.fixture
def dora(live_cast: Cast) -> User:
    cache.clear()
    live_cast.dora.set_password(PASSWORD)
    live_cast.dora.save()
    return live_cast.dora


@pytest.fixture
def stale(dora: User, visit) -> Page:
    """The connection page, filled in, when the confirmation has run out."""
    testing.connection()
    page: Page = visit("/setup/connection/")
    page.get_by_label("Client id").fill("another-client")
    page.get_by_label("Client secret").fill(SECRET)
    let_the_confirmation_run_out(page)
    return page


def let_the_confirmation_run_out(page: Page) -> None:
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    session = SessionStore(cookies[settings.SESSION_COOKIE_NAME])
    for record in session["account_authentication_methods"]:
        record["at"] -= settings.ACCOUNT_REAUTHENTICATION_TIMEOUT + 1
    session.save()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save connection").click()


def test_it_works(stale: Page):
    save(stale)

    question = stale.get_by_role("alert").filter(has_text="Not saved yet")
    expect(question).to_be_visible()
    expect(stale.get_by_label("Client secret")).to_have_value(SECRET)
    expect(stale.get_by_label("Client id")).to_have_value("another-client")
    assert violations(stale) == []

    stale.get_by_label("Your password").fill(PASSWORD)
    save(stale)
    expect(stale.get_by_text("The connection is saved.")).to_be_visible()

    made = Connection.objects.get()
    assert (made.client_id, made.client_secret) == ("another-client", SECRET)


def test_a_wrong_password_leaves_the_form_as_it_was(stale: Page):
    save(stale)
    stale.get_by_label("Your password").fill("a guess")
    save(stale)

    expect(stale.locator(".field__error")).to_be_visible()
    expect(stale.get_by_label("Client secret")).to_have_value(SECRET)
    assert Connection.objects.get().client_id != "another-client"
