"""Recovery codes: shown once, then hashed, each good for one time."""

import threading
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from auditlog.models import LogEntry
from cryptography.fernet import Fernet
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Pin
from accounts.sign_in import recovery_codes
from accounts.tasks import hash_recovery_codes
from accounts.tests.conftest import PASSWORD
from lib.encryption import decrypt

PAGE = "/accounts/2fa/recovery-codes/"
TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch):
    monkeypatch.setattr(recovery_codes, "ITERATIONS", 100)


@pytest.fixture
def codes(with_password, alice):
    """The codes of a person with a second factor, as the library derives them from its seed."""
    TOTP.activate(with_password(alice), TOTP_SECRET)
    return RecoveryCodes.activate(alice).get_unused_codes()


@pytest.fixture
def kept(codes):
    """The same codes, after the person has seen them."""
    RecoveryCodes(the_set()).mark_as_viewed()
    hash_recovery_codes()
    return codes


def the_set():
    return Authenticator.objects.get(type="recovery_codes")


def enter_with(code):
    client = Client()
    client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    client.post("/accounts/2fa/authenticate/", {"code": code})
    return client


def is_in(client):
    return client.get("/").status_code == 200


def sign_in_and_confirm(code):
    """Sign in as a browser does, with the fresh password that a page about factors asks for."""
    client = enter_with(code)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


class TestAtRest:
    def test_what_is_stored_tells_no_code_even_to_whoever_has_the_keys(self, kept):
        opened = [decrypt(code) for code in the_set().data["migrated_codes"]]

        assert "seed" not in the_set().data
        assert not any(code in f"{the_set().data}{opened}" for code in kept)
        assert all(text.startswith("pbkdf2_sha256$100$") for text in opened)

    def test_nothing_stored_opens_a_sign_in(self, kept):
        stored = the_set().data["migrated_codes"]

        assert not is_in(enter_with(stored[0]))
        assert not is_in(enter_with(decrypt(stored[0])))

    def test_each_set_has_a_salt_of_its_own(self):
        one, other = (recovery_codes.hash_codes(["12345678"])["12345678"] for _set in range(2))

        assert one != other

    def test_a_try_costs_what_a_password_costs(self):
        assert recovery_codes.HASHER.iterations >= 600_000

    def test_no_page_and_no_log_repeats_a_code(self, kept, caplog, client):
        client = sign_in_and_confirm(kept[0])

        pages = "".join(client.get(page).text for page in ("/accounts/2fa/", PAGE))
        assert not any(code in pages + caplog.text for code in kept)

    def test_it_survives_a_change_of_keys(self, kept, settings):
        new = Fernet.generate_key().decode()
        settings.ENCRYPTION_KEYS = [new, *settings.ENCRYPTION_KEYS]
        call_command("rotate_keys")
        settings.ENCRYPTION_KEYS = [new]

        assert is_in(enter_with(kept[0]))


class TestUse:
    def test_each_code_works_once(self, kept):
        for code in kept[:3]:
            assert is_in(enter_with(code))
            cache.clear()  # the throttle has tests of its own
            assert not is_in(enter_with(code))

        assert len(the_set().data["migrated_codes"]) == 7

    def test_it_may_be_typed_with_spaces(self, kept):
        assert is_in(enter_with(f"{kept[0][:4]} {kept[0][4:]}"))

    def test_the_last_one_works_and_then_none(self, kept, alice):
        for code in kept:
            assert recovery_codes.use(alice, code)

        assert not recovery_codes.use(alice, kept[-1])

    def test_codes_of_somebody_else_do_not(self, kept, bob):
        assert not recovery_codes.use(bob, kept[0])

    @pytest.mark.parametrize("code", ["00000000", "", "x", "１２３４５６７８", "$" * 40])
    def test_others_do_not(self, kept, code):
        assert not is_in(enter_with(code))
        assert len(the_set().data["migrated_codes"]) == 10

    def test_guesses_are_throttled(self, kept):
        for _try in range(6):
            enter_with("00000000")

        assert not is_in(enter_with(kept[0]))

    def test_a_wrong_one_is_noted(self, kept, alice):
        enter_with("00000000")

        verbs = LogEntry.objects.get_for_object(alice).values_list(
            "additional_data__verb", flat=True
        )
        assert "failed the second factor" in verbs

    def test_it_confirms_who_somebody_is(self, kept):
        client = enter_with(kept[0])

        client.post("/accounts/2fa/reauthenticate/", {"code": kept[1]})

        assert len(the_set().data["migrated_codes"]) == 8

    def test_it_sets_a_pin(self, kept, alice):
        client = enter_with(kept[0])
        client.post("/accounts/device/share/", {"name": "Tablet"})
        data = {"email": alice.email, "password": PASSWORD, "pin": "4711", "again": "4711"}

        refused = client.post("/accounts/device/pin/", data | {"code": kept[0]})
        client.post("/accounts/device/pin/", data | {"code": kept[1]})

        assert refused.status_code == 422
        assert Pin.objects.filter(person=alice).count() == 1


class TestWhen:
    def test_not_before_they_were_shown(self, codes, alice):
        hash_recovery_codes()

        page = sign_in_and_confirm(codes[0]).get(PAGE)
        assert all(code in page.text for code in codes[1:])

    def test_once_they_were_shown_nobody_sees_them_again(self, codes, alice):
        client = sign_in_and_confirm(codes[0])
        client.get(PAGE)
        hash_recovery_codes()

        assert codes[1] not in client.get(PAGE).text
        assert client.get(f"{PAGE}download/").status_code == 403

    def test_the_page_offers_a_file_of_them(self, codes):
        page = sign_in_and_confirm(codes[0]).get(PAGE).text

        assert f'href="data:text/plain,{codes[1]}%0A{codes[2]}' in page

    def test_a_set_that_nobody_looks_at_is_hashed_after_an_hour(self, codes):
        now = timezone.now() + timedelta(hours=1, minutes=1)

        assert recovery_codes.hash_seen_sets(now=now) == 1

        assert is_in(enter_with(codes[0]))

    def test_new_ones_take_the_place_of_the_old(self, kept):
        client = sign_in_and_confirm(kept[0])

        client.post(f"{PAGE}generate/")
        fresh = RecoveryCodes(the_set()).get_unused_codes()
        client.get(PAGE)
        hash_recovery_codes()

        assert "seed" not in the_set().data
        assert not is_in(enter_with(kept[1]))
        assert is_in(enter_with(fresh[1]))


class TestUpgrade:
    def test_old_sets_are_hashed_and_work(self, codes):
        Authenticator.objects.update(created_at=timezone.now() - timedelta(days=300))

        hash_recovery_codes()

        assert "seed" not in the_set().data
        assert is_in(enter_with(codes[0]))

    def test_what_was_used_before_stays_used(self, codes, alice):
        assert is_in(enter_with(codes[0]))
        RecoveryCodes(the_set()).mark_as_viewed()

        hash_recovery_codes()

        assert not recovery_codes.use(alice, codes[0])
        assert len(the_set().data["migrated_codes"]) == 9

    def test_it_happens_once(self, kept):
        stored = the_set().data

        hash_recovery_codes()

        assert the_set().data == stored


@pytest.mark.django_db(transaction=True)
def test_of_two_at_a_time_one_passes(kept, alice):
    passed = []

    def use():
        passed.append(bool(recovery_codes.use(alice, kept[0])))
        connection.close()

    threads = [threading.Thread(target=use) for _try in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(passed) == [False, False, False, True]
