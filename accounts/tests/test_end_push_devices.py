"""A browser belongs to one person, and signing out there ends its push messages."""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.http import HttpRequest
from django.test import Client

from accounts.models import PushDevice
from accounts.push import devices
from accounts.push.testing import FakeBrowser
from accounts.tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)


def switch_on(client, user, browser=None):
    """As the browser of this client: it carries the cookie from then on."""
    browser = browser or FakeBrowser(f"https://push.example.org/{user.pk}")
    token = devices.switch_on(browser.subscription, request=HttpRequest(), user=user, now=NOW)
    client.cookies[settings.PUSH_DEVICE_COOKIE_NAME] = token
    return user.push_devices.latest("pk")


def test_it_works(bob, enter):
    client = enter(bob)
    switch_on(client, bob)

    client.post("/accounts/logout/")

    assert not PushDevice.objects.exists()


def test_other_devices_of_the_person_stay(bob, enter):
    client = enter(bob)
    elsewhere = switch_on(Client(), bob, FakeBrowser("https://push.example.org/elsewhere"))
    switch_on(client, bob)

    client.post("/accounts/logout/")

    assert list(bob.push_devices.all()) == [elsewhere]


def test_signing_out_the_others_ends_theirs(bob, enter):
    switch_on(Client(), bob, FakeBrowser("https://push.example.org/elsewhere"))
    client = enter(bob)
    here = switch_on(client, bob)

    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/sessions/")

    assert list(bob.push_devices.all()) == [here]


def test_whoever_signs_in_here_next_ends_those_of_the_person_before(alice, bob, enter):
    client = Client()
    switch_on(client, alice)

    enter(bob, client)

    assert not PushDevice.objects.exists()


def test_signing_in_again_keeps_them(bob, enter):
    client = Client()
    here = switch_on(client, bob)

    enter(bob, client)

    assert list(bob.push_devices.all()) == [here]


def test_a_device_that_is_shared_gets_none_any_more(bob, enter):
    client = enter(bob)
    switch_on(client, bob)

    client.post("/accounts/device/share/", {"name": "Tablet"})

    assert not PushDevice.objects.exists()


def test_a_browser_that_subscribes_for_somebody_else_leaves_the_first(alice, bob):
    browser = FakeBrowser("https://push.example.org/one")
    switch_on(Client(), alice, browser)
    switch_on(Client(), bob, browser)

    assert not alice.push_devices.exists()
    assert bob.push_devices.count() == 1


def test_a_person_has_twenty_devices_at_most(bob):
    for number in range(22):
        switch_on(Client(), bob, FakeBrowser(f"https://push.example.org/{number}"))

    assert bob.push_devices.count() == 20
