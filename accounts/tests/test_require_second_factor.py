"""The second factor: stored encrypted, required by role, kept while it is required."""

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.tests.conftest import PASSWORD

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _clock_stands_still():
    """A code holds for half a minute, which may end between making and sending it."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def code():
    return format_hotp_value(hotp_value(SECRET, next(iter(yield_hotp_counters_from_time()))))


@pytest.fixture
def alice_with_factor(with_password, alice):
    TOTP.activate(with_password(alice), SECRET)
    return alice


def test_it_works(client, alice_with_factor):
    client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    assert client.get("/").status_code == 302

    client.post("/accounts/2fa/authenticate/", {"code": code()})
    assert client.get("/").status_code == 200


def test_a_code_works_once(client, alice_with_factor):
    used = code()
    client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    client.post("/accounts/2fa/authenticate/", {"code": used})
    other = Client()

    other.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    other.post("/accounts/2fa/authenticate/", {"code": used})

    assert other.get("/").status_code == 302


def test_wrong_codes_are_throttled(client, alice_with_factor):
    client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    for _try in range(6):
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})

    client.post("/accounts/2fa/authenticate/", {"code": code()})

    assert client.get("/").status_code == 302


def test_the_database_holds_no_plain_secret(alice_with_factor):
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        stored = str(cursor.fetchall())

    assert SECRET not in stored


def test_it_survives_a_change_of_keys(alice_with_factor, settings):
    old, new = settings.ENCRYPTION_KEYS, Fernet.generate_key().decode()
    settings.ENCRYPTION_KEYS = [new, *old]
    call_command("rotate_keys")

    settings.ENCRYPTION_KEYS = [new]

    assert Authenticator.objects.get().wrap().validate_code(code())


class TestRequired:
    @pytest.fixture(autouse=True)
    def _required(self, settings):
        settings.MFA_REQUIRED_ROLES = ["manager", "admin"]

    def test_a_role_without_one_is_led_to_set_it_up(self, enter, alice):
        answer = enter(alice).get("/reviews/")

        assert answer.status_code == 302
        assert answer.headers["Location"] == "/accounts/2fa/"

    def test_it_can_be_set_up_there(self, enter, alice):
        client = enter(alice)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})

        assert client.get("/accounts/2fa/totp/activate/").status_code == 200

    def test_other_roles_go_on(self, enter, bob):
        assert enter(bob).get("/").status_code == 200

    def test_whoever_has_one_goes_on(self, client, alice_with_factor):
        client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": code()})

        assert client.get("/").status_code == 200

    def test_the_last_one_cannot_be_removed(self, client, alice_with_factor):
        client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": code()})

        client.post("/accounts/2fa/totp/deactivate/")

        assert Authenticator.objects.filter(type="totp").exists()

    def test_it_holds_for_an_owner_without_a_role(self, enter, alice, settings):
        settings.MFA_REQUIRED_ROLES = ["admin"]
        alice.is_owner = True
        alice.save()

        assert enter(alice).get("/").headers["Location"] == "/accounts/2fa/"

    def test_it_holds_for_superusers(self, enter, alice):
        alice.is_superuser = True
        alice.save()

        assert enter(alice).get("/").status_code == 302
