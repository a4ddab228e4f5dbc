"""Another SECRET_KEY, by the operator's guide: nothing that people decided or switched on ends."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.http import HttpRequest

from accounts.password_links.invitations import invited, link_for
from accounts.push import devices
from accounts.push.testing import FakeBrowser
from customers.note_decisions import decisions
from reservations.testing import DINNER, make_reservation
from reservations.tests.briefing.test_acknowledge_allergies import groups, tick
from reservations.tests.details.test_decide_readings import HINT, in_kitchen, press

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 1, 17, 18, tzinfo=UTC)


@pytest.fixture(autouse=True)
def afternoon():
    with time_machine.travel(DINNER - timedelta(hours=2), tick=False):
        yield


@pytest.fixture
def change_key(settings):
    """The key before is taken out of the fallbacks unless it is still the day of the change."""

    def change(*, is_same_day=False):
        before, settings.SECRET_KEY = settings.SECRET_KEY, settings.SECRET_KEY[::-1]
        decisions.digest_of.cache_clear()
        settings.SECRET_KEY_FALLBACKS = [before]
        call_command("rotate_keys", verbosity=0)
        settings.SECRET_KEY_FALLBACKS = [before] if is_same_day else []

    yield change
    decisions.digest_of.cache_clear()


def test_a_confirmed_hint_counts_in_the_kitchen_as_before(bob, quay, change_key):
    press(bob, make_reservation(quay, customer_note=HINT), "confirm")
    change_key()

    assert in_kitchen(bob) == {("Onion", "stated")}


def test_a_dismissed_one_stays_dismissed(bob, quay, change_key):
    press(bob, make_reservation(quay, customer_note=HINT), "dismiss")
    change_key()

    assert in_kitchen(bob) == set()


def test_what_the_kitchen_has_ticked_stays_ticked(bob, quay, change_key):
    booking = make_reservation(quay, customer_note="Allergic to nuts")
    tick(bob, booking)
    change_key()

    assert groups(bob) == {"seen": [booking.uuid]}


def test_push_messages_go_on(bob, change_key):
    browser = FakeBrowser("https://push.example.org/bob")
    devices.switch_on(browser.subscription, request=HttpRequest(), user=bob, now=NOW)
    change_key()
    bob.refresh_from_db()

    assert bob.push_devices.get().is_signed_in


def test_a_device_that_was_signed_out_stays_so(bob, change_key):
    browser = FakeBrowser("https://push.example.org/bob")
    devices.switch_on(browser.subscription, request=HttpRequest(), user=bob, now=NOW)
    bob.set_password("another long password")
    bob.save()
    change_key()

    assert not bob.push_devices.get().is_signed_in


@pytest.mark.parametrize("is_same_day", [True, False])
def test_an_invitation_holds_as_long_as_the_key_before(bob, change_key, is_same_day):
    token = link_for(bob).partition("token=")[2]
    change_key(is_same_day=is_same_day)

    assert invited(token) == (bob if is_same_day else None)
