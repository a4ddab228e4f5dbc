"""/setup/connection/: secrets go in and never come out."""

from datetime import timedelta
from uuid import uuid4

import pytest
from auditlog.models import LogEntry
from cryptography.fernet import Fernet
from django.urls import reverse
from django.utils import timezone

from partner import errors, testing
from partner.client import Client
from partner.limits.priorities import CallPriority
from partner.models import Connection, PosIdentity, Token
from partner.models.token import SUSPECT_AFTER
from partner.testing import FakeTransport

pytestmark = pytest.mark.django_db

GOOD = {
    "name": "Main",
    "base_url": "https://api.example.com/",
    "auth_url": "https://auth.example.com",
    "audience": "https://api.example.com/",
    "client_id": "client",
    "client_secret": "a-brand-new-secret-7777",
    "requests_per_minute": "600",
}


@pytest.fixture
def admin(cast, signed_in):
    return signed_in(cast.dora)


def page(client):
    return client.get(reverse("partner:index"))


def post(client, name, data=None):
    """To the only connection; without one, the form that adds the first."""
    only = Connection.objects.first()
    path = reverse(f"partner:{name}", args=[only.pk]) if only else reverse("partner:add")
    return client.post(path, data or {})


def test_it_works(admin):
    testing.connection()

    shown = page(admin).content.decode()

    assert "The key is valid" in shown
    assert f"/webhooks/partner/?token={testing.WEBHOOK_TOKEN}" in shown
    assert "Hello," in shown


def test_a_key_that_was_refused_from_its_first_call_is_not_called_valid(admin):
    """The service may lack the key, or none of the identifiers is the client's."""
    connection = testing.connection()
    transport = FakeTransport(get_reservation=401)
    client = Client(connection, transport=transport, priority=CallPriority.EVENT)
    for _ in range(SUSPECT_AFTER):
        with pytest.raises(errors.NotOurs):
            client.reservation(uuid4())

    shown = page(admin).content.decode()

    assert "The key is valid" not in shown
    assert "has refused every call with this key" in shown


def test_it_shows_the_end_of_a_secret_and_no_more(admin):
    testing.connection(client_secret="zyxwvutsrqponmlk")

    shown = page(admin).content.decode()

    assert "…nmlk" in shown
    assert "zyxwvu" not in shown
    assert testing.ACCESS_TOKEN not in shown


def test_without_a_connection_it_asks_for_one(admin):
    assert "No connection to the service is set up yet" in page(admin).content.decode()


@pytest.mark.parametrize("name", ["index", "add", "save", "save_pos", "rotate", "retire"])
def test_others_are_refused(cast, signed_in, name):
    testing.connection()
    client = signed_in(cast.alice)

    if name in ("index", "add"):
        response = client.get(reverse(f"partner:{name}"))
    else:
        response = post(client, name)

    assert response.status_code == 403


def test_a_missing_key_is_a_sentence(admin, settings):
    testing.connection()
    testing.pos_identity()
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    shown = page(admin).content.decode()

    assert "cannot be opened" in shown


def test_a_secret_that_no_key_opens_can_be_entered_again(admin, settings):
    testing.connection()
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    post(admin, "save", GOOD)

    assert Connection.objects.defer("webhook_token").get().client_secret == GOOD["client_secret"]


class TestSave:
    def test_it_works(self, admin):
        assert post(admin, "save", GOOD).status_code == 302

        made = Connection.objects.get()
        assert made.base_url == "https://api.example.com"
        assert made.client_secret == "a-brand-new-secret-7777"
        assert made.requests_per_minute == 600
        assert made.webhook_token

    def test_an_empty_secret_keeps_the_stored_one(self, admin):
        testing.connection()

        post(admin, "save", GOOD | {"client_secret": "", "name": "Renamed"})

        made = Connection.objects.get()
        assert made.name == "Renamed"
        assert made.client_secret == "client-secret-for-tests"
        assert testing.slot_of(testing.WEBHOOK_TOKEN)

    def test_a_new_secret_keeps_the_old_one_beside_and_the_token_alive(self, admin):
        testing.connection()

        post(admin, "save", GOOD)

        made = Connection.objects.get()
        assert made.previous_client_secret == "client-secret-for-tests"
        assert Token.objects.get().access_token == testing.ACCESS_TOKEN

    @pytest.mark.parametrize(
        "change",
        [
            {"base_url": "http://api.example.com"},
            {"auth_url": "https://169.254.169.254"},
            {"client_secret": ""},
            {"requests_per_minute": "0"},
            {"audience": ""},
        ],
    )
    def test_what_is_wrong_stands_at_the_field(self, admin, change):
        response = post(admin, "save", GOOD | change)

        assert response.status_code == 422
        assert "a-brand-new-secret" not in response.content.decode()
        assert not Connection.objects.exists()


class TestPointOfSale:
    def test_it_works(self, admin):
        data = {
            "base_url": "https://pos.example.com",
            "api_key": "key-0123456789",
            "uuid": "0d9b3c52-3b52-4d6a-9a36-0f1a9a3a7c11",
        }
        testing.connection()

        assert post(admin, "save_pos", data).status_code == 302
        assert post(admin, "save_pos", data | {"api_key": ""}).status_code == 302
        assert PosIdentity.objects.get().api_key == "key-0123456789"

    def test_what_is_wrong_is_shown(self, admin):
        testing.connection()

        assert post(admin, "save_pos", {"base_url": "ftp://x"}).status_code == 422


class TestRotate:
    def test_it_works(self, admin):
        testing.connection()

        post(admin, "rotate")

        made = Connection.objects.get()
        assert made.webhook_token != testing.WEBHOOK_TOKEN
        assert testing.slot_of(testing.WEBHOOK_TOKEN)
        assert "Old address works until" in page(admin).content.decode()

    def test_the_old_one_can_be_stopped(self, admin):
        testing.connection()
        post(admin, "rotate")

        post(admin, "revoke")

        assert not testing.slot_of(testing.WEBHOOK_TOKEN)


class TestNewToken:
    @pytest.mark.parametrize("minutes", [0, 5])  # ago it was last tried
    def test_one_can_be_ordered_and_that_is_on_the_record(self, admin, minutes):
        testing.connection()
        Token.objects.update(suspect_since=timezone.now() - timedelta(minutes=minutes))
        assert "not renewed before its end. Wait for it, or" in page(admin).content.decode()

        post(admin, "new_token")

        assert Token.objects.get().renew_from is None
        assert any("given up" in str(entry.changes) for entry in LogEntry.objects.all())

    def test_a_key_against_which_nothing_is_known_is_not_given_up(self, admin):
        testing.connection()

        post(admin, "new_token")

        assert Token.objects.get().renew_from
        assert not LogEntry.objects.filter(changes__icontains="given up").exists()


def test_the_test_says_what_is_missing(admin):
    testing.connection(scopes="svc-restaurant:callCenter")

    shown = post(admin, "test").content.decode()

    assert "Trying it would change something." in shown
    assert "svc-restaurant:offers" in shown


class TestRefusedKey:
    @pytest.fixture(autouse=True)
    def _refused(self):
        testing.connection()
        later = timezone.now() + timedelta(minutes=5)
        Token.objects.update(
            is_refused=True, paused_until=later, usable_until=None, last_error="ACCESS_DENIED"
        )

    def test_the_page_leads_to_its_form(self, admin):
        shown = page(admin).content.decode()

        assert "was refused" in shown
        assert 'href="#service-title"' in shown

    def test_no_right_is_shown_as_granted(self, admin):
        shown = page(admin).content.decode()

        assert "Not while the key is refused" in shown
        assert "✓" not in shown

    def test_another_secret_has_not_been_refused(self, admin):
        post(admin, "save", GOOD)

        shown = page(admin).content.decode()
        assert "was refused" not in shown
        assert "Not asked again before" not in shown

    def test_the_same_credentials_still_are(self, admin):
        stored = Connection.objects.get()
        same = {"audience": stored.audience, "client_id": stored.client_id, "client_secret": ""}
        post(
            admin, "save", GOOD | same | {"auth_url": stored.auth_url, "base_url": stored.base_url}
        )

        assert "was refused" in page(admin).content.decode()

    def test_the_pause_of_a_token_host_ends_with_another_address(self, admin):
        Token.objects.update(is_refused=False)
        stored = Connection.objects.get()
        same = {"client_id": stored.client_id, "client_secret": stored.client_secret}
        post(admin, "save", GOOD | same | {"auth_url": "https://other.example"})

        assert Token.objects.get().paused_until is None

    def test_the_guide_names_it_at_its_step(self, admin):
        Token.objects.update(scopes="")  # the first one
        assert "was refused" in admin.get("/setup/guide/").content.decode()
