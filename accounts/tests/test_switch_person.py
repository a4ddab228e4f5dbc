"""The shared tablet: two taps, the rights of that person, and never more than a PIN is worth."""

from datetime import timedelta
from importlib import import_module

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from auditlog.models import LogEntry
from django.apps import apps
from django.contrib.auth.hashers import identify_hasher
from django.utils import timezone

from accounts.models import LOCK, Pin, SharedDevice
from accounts.tests.conftest import PASSWORD

PIN = "2580"


@pytest.fixture
def tablet(enter, alice):
    """Alice's browser, shared."""
    client = enter(alice)
    client.post("/accounts/device/share/", {"name": "Tablet at the entrance"})
    return client


@pytest.fixture
def with_pin(tablet, with_password):
    """Let a person set a PIN on the tablet."""

    def set_pin(person, **extra):
        with_password(person)
        fields = {"email": person.email, "password": PASSWORD, "pin": PIN, "again": PIN}
        return tablet.post("/accounts/device/pin/", {**fields, **extra})

    return set_pin


def take_over(client, person, pin=PIN):
    return client.post(f"/accounts/device/people/{person.pk}/", {"pin": pin})


def who(client):
    return client.get("/").wsgi_request.user


class TestSwitch:
    def test_it_works(self, tablet, with_pin, bob):
        with_pin(bob)

        assert bob.name in tablet.get("/accounts/device/").content.decode()
        take_over(tablet, bob)
        assert who(tablet) == bob

    def test_a_wrong_pin_says_what_did_not_happen(self, tablet, with_pin, bob):
        with_pin(bob)

        page = take_over(tablet, bob, pin="1379").content.decode()

        assert "You have not taken over yet." in page
        assert "This PIN is wrong." in page
        assert "Nothing was saved" not in page

    def test_it_changes_the_session_id(self, tablet, with_pin, bob):
        with_pin(bob)
        before = tablet.session.session_key

        take_over(tablet, bob)

        assert tablet.session.session_key != before

    def test_the_next_person_takes_over_from_there(self, tablet, with_pin, alice, bob):
        with_pin(bob)
        with_pin(alice)

        take_over(tablet, bob)
        take_over(tablet, alice)

        assert who(tablet) == alice

    def test_it_opens_no_setup_page_and_no_export(self, tablet, with_pin, dora):
        with_pin(dora)

        take_over(tablet, dora)

        person = who(tablet)
        assert person.has_perm("reservations.change_reservation")
        assert not person.has_perm("accounts.manage_people")
        assert not person.has_perm("insights.export_data")
        assert tablet.get("/setup/").status_code == 403

    def test_it_opens_no_database_admin(self, tablet, with_pin, alice):
        alice.is_staff = alice.is_superuser = True
        alice.save()
        assert tablet.get("/admin/").status_code == 200
        with_pin(alice)

        take_over(tablet, alice)

        assert tablet.get("/admin/").status_code != 200

    def test_the_owner_too_has_a_pins_rights_afterwards(self, tablet, with_pin, alice):
        with_pin(alice)

        take_over(tablet, alice)

        assert who(tablet).is_on_shared_device

    def test_it_is_written_down(self, tablet, with_pin, bob):
        with_pin(bob)

        take_over(tablet, bob)

        entry = LogEntry.objects.filter(additional_data__verb="switched").get()
        assert entry.actor == bob
        assert entry.object_repr == "Tablet at the entrance"

    def test_it_does_not_prolong_the_sign_in(self, tablet, with_pin, bob):
        with_pin(bob)

        take_over(tablet, bob)

        device = SharedDevice.objects.get()
        assert tablet.session.get_expiry_date() == device.expires_at


class TestThrottle:
    def test_five_wrong_pins_lock_it(self, tablet, with_pin, bob, alice):
        with_pin(bob)
        for _try in range(5):
            take_over(tablet, bob, pin="1379")

        page = take_over(tablet, bob)

        assert page.status_code == 422
        assert "try again in 15 minutes" in page.content.decode()
        assert who(tablet) == alice

    def test_wrong_pins_are_noted(self, tablet, with_pin, bob):
        with_pin(bob)

        take_over(tablet, bob, pin="0000")

        entries = LogEntry.objects.filter(additional_data__verb="failed a PIN")
        assert [entry.actor for entry in entries] == [bob]

    def test_the_lock_opens_after_a_quarter_of_an_hour(self, tablet, with_pin, bob):
        with_pin(bob)
        pin, now = Pin.objects.get(), timezone.now()
        for _try in range(6):
            pin.opens_with("1379", now=now)

        assert not pin.opens_with(PIN, now=now + LOCK - timedelta(seconds=1))
        assert pin.opens_with(PIN, now=now + LOCK)

    def test_a_right_pin_clears_the_count(self, tablet, with_pin, bob):
        with_pin(bob)
        pin, now = Pin.objects.get(), timezone.now()
        for _round in range(3):
            for _try in range(4):
                assert not pin.opens_with("1379", now=now)
            assert pin.opens_with(PIN, now=now)


class TestSetPin:
    def test_it_is_stored_hashed(self, with_pin, bob):
        with_pin(bob)

        assert identify_hasher(Pin.objects.get().secret)

    @pytest.mark.parametrize("pin", ["123", "1234567", "12a4", "1234", "9876", "7777", "٢٥٨٠"])
    def test_it_refuses_what_is_guessed_first(self, with_pin, bob, pin):
        assert with_pin(bob, pin=pin, again=pin).status_code == 422
        assert not Pin.objects.exists()

    def test_it_asks_twice(self, with_pin, bob):
        assert with_pin(bob, again="9150").status_code == 422

    def test_it_asks_for_the_password(self, with_pin, bob):
        assert with_pin(bob, password="wrong").status_code == 422
        assert not Pin.objects.exists()

    def test_it_asks_for_the_second_factor_of_those_who_have_one(self, with_pin, bob):
        TOTP.activate(bob, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")

        assert with_pin(bob).status_code == 422
        assert not Pin.objects.exists()

    def test_it_is_of_no_use_on_another_device(self, enter, with_pin, bob, dora):
        with_pin(bob)
        elsewhere = enter(dora)
        elsewhere.post("/accounts/device/share/", {"name": "Another"})

        assert take_over(elsewhere, bob).status_code == 404


class TestEnd:
    def test_it_ends_with_the_sharing(self, tablet, with_pin, bob):
        with_pin(bob)
        take_over(tablet, bob)

        tablet.post("/accounts/device/unshare/")

        assert tablet.get("/").status_code == 302

    def test_it_ends_with_the_owners_sign_in(self, tablet, with_pin, bob):
        with_pin(bob)
        take_over(tablet, bob)

        SharedDevice.objects.update(expires_at=timezone.now())

        assert tablet.get("/").status_code == 302

    def test_it_ends_when_the_owner_is_deactivated(self, tablet, with_pin, alice, bob):
        with_pin(bob)
        take_over(tablet, bob)

        alice.deactivate()

        assert tablet.get("/").status_code == 302

    @pytest.mark.parametrize("is_taken_over", [True, False])
    def test_it_ends_when_the_owner_signs_out_the_others(
        self, tablet, with_pin, enter, *, alice, bob, is_taken_over
    ):
        with_pin(bob)
        if is_taken_over:
            take_over(tablet, bob)
        laptop = enter(alice)

        assert "Tablet at the entrance" in laptop.get("/accounts/sessions/").content.decode()
        laptop.post("/accounts/reauthenticate/", {"password": PASSWORD})
        laptop.post("/accounts/sessions/")

        assert tablet.get("/").status_code == 302
        assert take_over(tablet, bob).status_code == 302
        assert laptop.get("/").status_code == 200

    def test_signing_the_others_out_at_the_tablet_leaves_the_tablet(self, tablet, with_pin, bob):
        with_pin(bob)

        tablet.post("/accounts/reauthenticate/", {"password": PASSWORD})
        tablet.post("/accounts/sessions/")

        take_over(tablet, bob)
        assert who(tablet) == bob

    @pytest.mark.parametrize("is_taken_over", [True, False])
    def test_it_ends_with_the_owners_password(self, tablet, with_pin, alice, bob, is_taken_over):
        with_pin(bob)
        if is_taken_over:
            take_over(tablet, bob)

        alice.set_password("another horse, another battery")
        alice.save()

        assert tablet.get("/").status_code == 302
        assert take_over(tablet, bob).status_code == 302

    @pytest.mark.parametrize("is_taken_over", [True, False])
    def test_a_pin_ends_with_its_persons_password(self, tablet, with_pin, bob, is_taken_over):
        with_pin(bob)
        if is_taken_over:
            take_over(tablet, bob)

        bob.set_password("another horse, another battery")
        bob.save()

        assert bob not in SharedDevice.objects.get().people()
        assert not Pin.objects.get().opens_with(PIN, now=timezone.now())
        assert take_over(tablet, bob).status_code == (302 if is_taken_over else 404)
        assert who(tablet) != bob

    def test_it_is_set_anew_with_the_new_password(self, tablet, with_pin, bob):
        with_pin(bob)
        bob.set_password("another horse, another battery")
        bob.save()

        with_pin(bob)
        take_over(tablet, bob)

        assert who(tablet) == bob

    def test_a_pin_ends_when_its_person_signs_out_the_others(
        self, tablet, with_pin, enter, *, alice, bob
    ):
        with_pin(bob)
        with_pin(alice)
        laptop = enter(bob)

        laptop.post("/accounts/reauthenticate/", {"password": PASSWORD})
        laptop.post("/accounts/sessions/")

        assert take_over(tablet, bob).status_code == 404
        assert SharedDevice.objects.get().people() == [alice]

    def test_a_pin_of_before_belongs_to_the_present_password(self, tablet, with_pin, bob):
        with_pin(bob)
        Pin.objects.update(person_session_hash="")
        assert take_over(tablet, bob).status_code == 404

        import_module("accounts.migrations.0014_pin_session_hash").fill(apps, None)

        assert take_over(tablet, bob).status_code == 302
        assert who(tablet) == bob

    def test_the_deactivated_cannot_take_over(self, tablet, with_pin, bob):
        with_pin(bob)
        bob.deactivate()

        assert take_over(tablet, bob).status_code == 404

    def test_whoever_came_by_pin_shares_nothing(self, tablet, with_pin, bob):
        with_pin(bob)
        take_over(tablet, bob)

        assert tablet.post("/accounts/device/share/", {"name": "Mine"}).status_code == 403

    def test_a_device_of_ones_own_has_no_switch(self, enter, bob, alice):
        client = enter(bob)

        assert client.get("/accounts/device/").status_code == 200
        assert client.get("/accounts/device/pin/").status_code == 404
        assert take_over(client, alice).status_code == 404


class TestRequiredSecondFactor:
    """A PIN is no way around it."""

    @pytest.fixture
    def required(self, settings):
        settings.MFA_REQUIRED_ROLES = ["staff", "manager"]

    def test_no_pin_without_it(self, tablet, with_pin, bob, required):
        answer = with_pin(bob)

        assert answer.status_code == 422
        assert "second factor" in answer.content.decode()
        assert not Pin.objects.filter(person=bob).exists()

    def test_no_taking_over_without_it(self, tablet, with_pin, bob, settings):
        with_pin(bob)
        settings.MFA_REQUIRED_ROLES = ["staff"]

        answer = take_over(tablet, bob)

        assert answer.status_code == 422
        assert "second factor" in answer.content.decode()
        assert who(tablet) != bob

    def test_whoever_holds_the_device_already_is_signed_out(self, tablet, with_pin, bob, settings):
        with_pin(bob)
        take_over(tablet, bob)
        settings.MFA_REQUIRED_ROLES = ["staff"]

        assert tablet.get("/").url == "/accounts/login/"
        assert tablet.get("/").wsgi_request.user.is_anonymous

    def test_a_person_who_has_one_takes_over(self, tablet, with_pin, bob, required):
        secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
        TOTP.activate(bob, secret)
        # A code holds for half a minute, which may end between making and sending it.
        with time_machine.travel(timezone.now(), tick=False):
            counter = next(iter(yield_hotp_counters_from_time()))
            with_pin(bob, code=format_hotp_value(hotp_value(secret, counter)))

        take_over(tablet, bob)

        assert who(tablet) == bob
