"""Signing in, signing out, and what an outsider can learn from it."""

from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.messages import get_messages
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.sign_in.sessions import LAST_USE
from accounts.tests.conftest import PASSWORD

LOGIN = "/accounts/login/"
RESET = "/accounts/password/reset/"

ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "http://evil.example",
    "https://evil.example",
    "https:/evil.example",
    "https:evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "\x08//evil.example",
    " //evil.example",
    "https://testserver@evil.example",
    "ftp://evil.example",
]


def attempt(client: Client, user, password: str = PASSWORD, **extra):
    return client.post(LOGIN, {"login": user.email, "password": password, **extra})


class TestSignIn:
    def test_it_works(self, client, with_password, alice):
        answer = attempt(client, with_password(alice))

        assert answer.status_code == 302
        assert client.get("/").status_code == 200

    def test_no_message_covers_the_evening(self, client, with_password, alice):
        answer = attempt(client, with_password(alice))

        assert [str(one) for one in get_messages(answer.wsgi_request)] == []

    def test_a_wrong_password_says_what_did_not_happen(self, client, with_password, alice):
        with_password(alice)

        page = attempt(client, alice, "not her password").content.decode()

        assert "You are not signed in yet." in page
        assert "Nothing was saved" not in page

    def test_it_leads_to_the_requested_page(self, client, with_password, alice):
        answer = attempt(client, with_password(alice), next="/reviews/")

        assert answer.headers["Location"] == "/reviews/"

    @pytest.mark.parametrize("address", ELSEWHERE)
    def test_it_never_leads_away(self, client, with_password, alice, address):
        answer = attempt(client, with_password(alice), next=address)

        assert answer.headers["Location"] == "/"

    def test_it_changes_the_session_id(self, client, with_password, alice):
        client.get(LOGIN)
        session = client.session
        session["seen"] = True
        session.save()
        before = client.cookies["session"].value if "session" in client.cookies else ""
        before = before or session.session_key
        client.cookies["session"] = before

        attempt(client, with_password(alice))

        assert client.session.session_key != before

    def test_it_ignores_upper_and_lower_case_of_the_address(self, client, with_password, alice):
        with_password(alice)

        client.post(LOGIN, {"login": "ALICE@example.org", "password": PASSWORD})

        assert client.get("/").status_code == 200

    def test_it_refuses_the_deactivated(self, client, with_password, alice):
        with_password(alice)
        alice.is_active = False
        alice.save()

        attempt(client, alice)

        assert client.get("/").status_code == 302

    def test_the_first_admin_comes_from_the_command_line(self, client, db, monkeypatch):
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", email="root@example.org", interactive=False, verbosity=0)

        client.post(LOGIN, {"login": "root@example.org", "password": PASSWORD})

        assert client.get("/setup/people/").status_code == 200

    def test_nobody_signs_up(self, client, db):
        page = client.post("/accounts/signup/", {"email": "x@example.org", "password1": PASSWORD})

        assert "There is no sign-up here" in page.content.decode()
        assert not User.objects.filter(email="x@example.org").exists()

    def test_addresses_are_changed_by_an_admin_only(self, enter, alice):
        assert enter(alice).get("/accounts/email/").status_code == 404


class TestThrottle:
    def test_twenty_wrong_passwords_in_a_row_are_throttled(self, client, with_password, alice):
        with_password(alice)

        pages = [attempt(client, alice, password=f"wrong {n}").content.decode() for n in range(20)]

        assert "Too many failed login attempts" not in pages[4]
        assert all("Too many failed login attempts" in page for page in pages[5:])

    def test_the_log_says_so(self, client, with_password, alice, caplog):
        with_password(alice)

        for n in range(7):
            attempt(client, alice, password=f"wrong {n}")

        assert "sign_in.throttled" in caplog.text
        assert alice.email not in caplog.text

    def test_the_right_password_waits_too(self, client, with_password, alice):
        with_password(alice)
        for n in range(6):
            attempt(client, alice, password=f"wrong {n}")

        attempt(client, alice)

        assert client.get("/").status_code == 302

    def test_it_answers_outsiders_alike(self, client, with_password, alice):
        with_password(alice)
        known = attempt(client, alice, password="wrong").content.decode()
        unknown = client.post(LOGIN, {"login": "nobody@example.org", "password": "wrong"})

        assert "not correct" in known
        assert "not correct" in unknown.content.decode()


class TestLockout:
    """Wrong passwords from elsewhere never keep the owner out."""

    def guess(self, user, *, times, address="198.51.100.7"):
        for n in range(times):
            attempt(Client(REMOTE_ADDR=address), user, password=f"wrong {n}")

    def test_the_owner_signs_in_from_another_address(self, client, with_password, alice):
        self.guess(with_password(alice), times=8)

        attempt(client, alice)

        assert client.get("/").status_code == 200

    def test_the_owner_signs_in_from_a_known_browser_at_the_same_address(self, enter, alice):
        mine = enter(alice)
        mine.post("/accounts/logout/")
        self.guess(alice, times=8, address="127.0.0.1")

        attempt(mine, alice)

        assert mine.get("/").status_code == 200

    def test_many_addresses_together_are_throttled(self, with_password, alice, enter):
        mine = enter(alice)
        for n in range(12):
            self.guess(alice, times=5, address=f"198.51.100.{n}")
        outsider = Client(REMOTE_ADDR="203.0.113.9")

        answer = attempt(outsider, alice).content.decode()

        assert "Too many failed login attempts" in answer
        mine.post("/accounts/logout/")
        attempt(mine, alice)
        assert mine.get("/").status_code == 200

    def test_the_cookie_of_one_account_is_worth_nothing_for_another(self, enter, alice, bob):
        browser = enter(bob)
        browser.post("/accounts/logout/")
        for n in range(6):
            attempt(browser, alice, password=f"wrong {n}")

        assert "Too many failed login attempts" in attempt(browser, alice).content.decode()

    def test_right_passwords_are_not_counted(self, with_password, alice, settings):
        settings.ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key", "login_elsewhere": "2/h/key"}
        with_password(alice)

        for _ in range(4):
            browser = Client()
            attempt(browser, alice)
            assert browser.get("/").status_code == 200


class TestLongest:
    """A sign-in ends SESSION_HOURS after it began, whatever was written into the session since."""

    def test_it_works(self, enter, alice):
        began = timezone.now()
        with time_machine.travel(began, tick=False):
            client = enter(alice)
        with time_machine.travel(began + timedelta(hours=11), tick=False):
            self.write(client)
            still = client.get("/").status_code
        with time_machine.travel(began + timedelta(hours=12, minutes=1), tick=False):
            assert (still, client.get("/").status_code) == (200, 302)

    def test_it_counts_from_the_second_factor(self, with_password, alice):
        TOTP.activate(with_password(alice), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        code = RecoveryCodes.activate(alice).get_unused_codes()[0]
        began = timezone.now()
        client = Client()
        with time_machine.travel(began, tick=False):
            attempt(client, alice)
        with time_machine.travel(began + timedelta(minutes=5), tick=False):
            client.post("/accounts/2fa/authenticate/", {"code": code})

        assert client.session.get_expiry_date() == began + timedelta(hours=12, minutes=5)

    def test_showing_again_who_one_is_does_not_prolong_it(self, enter, alice):
        client = enter(alice)
        ends = client.session.get_expiry_date()

        client.post("/accounts/reauthenticate/", {"password": PASSWORD})

        assert client.session.get_expiry_date() == ends

    def write(self, client):
        session = client.session
        session["something"] = 1
        session.save()


class TestIdle:
    @pytest.fixture
    def limited(self, settings):
        settings.SESSION_IDLE_MINUTES = 30

    def later(self, client, *, minutes):
        session = client.session
        session[LAST_USE] -= minutes * 60
        session.save()

    def test_an_unused_sign_in_ends(self, limited, enter, alice):
        client = enter(alice)
        client.get("/")
        self.later(client, minutes=31)

        assert client.get("/").status_code == 302
        assert client.get("/").wsgi_request.user.is_anonymous

    @pytest.mark.parametrize("header", ["HX-Request", "Offline-Copy"])
    def test_what_a_page_does_by_itself_is_no_use(self, limited, enter, alice, header):
        client = enter(alice)
        client.get("/")
        for _ in range(2):
            self.later(client, minutes=20)
            client.get("/reservations/", headers={header: "true"})

        assert client.get("/").status_code == 302

    def test_what_a_person_does_is(self, limited, enter, alice):
        client = enter(alice)
        client.get("/")
        for _ in range(3):
            self.later(client, minutes=20)
            assert client.get("/").status_code == 200

    def test_without_the_setting_it_lasts(self, enter, alice):
        client = enter(alice)
        client.get("/")

        assert LAST_USE not in client.session


class TestSignOut:
    def test_a_stolen_cookie_is_worth_nothing_afterwards(self, enter, alice):
        client = enter(alice)
        thief = Client()
        thief.cookies = client.cookies.copy()

        client.post("/accounts/logout/")

        assert thief.get("/").status_code == 302

    def test_looking_at_the_page_signs_nobody_out(self, enter, alice):
        client = enter(alice)

        client.get("/accounts/logout/")

        assert client.get("/").status_code == 200

    def test_the_browser_has_to_delete_its_copies(self, enter, alice):
        client = enter(alice)

        looked, left = client.get("/accounts/logout/"), client.post("/accounts/logout/")

        assert "Clear-Site-Data" not in looked.headers
        assert left.headers["Clear-Site-Data"] == '"cache", "storage"'


class TestSessions:
    @pytest.mark.parametrize("late", [False, True], ids=["before its end", "after its end"])
    def test_each_lasts_until_its_end(self, enter, alice, late):
        client = enter(alice)
        ends = client.session.get_expiry_date()

        with time_machine.travel(ends + timedelta(minutes=1 if late else -1), tick=False):
            answer = client.get("/")

        assert answer.status_code == (302 if late else 200)

    def test_deactivating_ends_them_at_once(self, enter, alice):
        client = enter(alice)

        alice.deactivate()

        assert client.get("/").status_code == 302

    def test_a_new_password_ends_the_others(self, enter, alice):
        here, there = enter(alice), enter(alice)

        here.post(
            "/accounts/password/change/",
            {
                "oldpassword": PASSWORD,
                "password1": "quite another one",
                "password2": "quite another one",
            },
        )

        assert here.get("/").status_code == 200
        assert there.get("/").status_code == 302

    def test_they_can_be_ended_from_elsewhere(self, enter, alice):
        here, there = enter(alice), enter(alice)
        page = here.get("/accounts/sessions/")

        here.post("/accounts/reauthenticate/", {"password": PASSWORD})
        here.post("/accounts/sessions/", {})

        assert page.status_code == 200
        assert here.get("/").status_code == 200
        assert there.get("/").status_code == 302

    def test_a_screen_left_open_ends_none(self, enter, alice):
        here, there = enter(alice), enter(alice)

        answer = here.post("/accounts/sessions/", {})

        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
        assert there.get("/").status_code == 200

    def test_who_shows_again_who_they_are_gets_a_new_session_id(self, enter, alice):
        client = enter(alice)
        thief = Client()
        thief.cookies = client.cookies.copy()
        before = client.session.session_key

        client.post("/accounts/reauthenticate/", {"password": PASSWORD})

        assert client.session.session_key != before
        assert client.get("/").status_code == 200
        assert thief.get("/").status_code == 302

    def test_a_renewed_one_ends_with_the_others(self, enter, alice):
        here, there = enter(alice), enter(alice)
        for client in (here, there):
            client.post("/accounts/reauthenticate/", {"password": PASSWORD})

        here.post("/accounts/sessions/", {})

        assert here.get("/").status_code == 200
        assert there.get("/").status_code == 302

    def test_a_wrong_password_changes_none(self, enter, alice):
        client = enter(alice)
        before = client.session.session_key

        client.post("/accounts/reauthenticate/", {"password": "wrong"})

        assert client.session.session_key == before
