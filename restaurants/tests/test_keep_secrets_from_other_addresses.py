"""A stored secret, and the key that was given for it, go to the addresses they were stored with."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from accounts.models import QueuedMail, User
from partner import testing
from partner.models import Connection, PosIdentity, Token
from restaurants.testing import make_member, make_user, sign_in

pytestmark = pytest.mark.django_db

STORED = {
    "name": "Main",
    "base_url": "https://api.example.com",
    "auth_url": "https://auth.example.com",
    "audience": "https://api.example.com/",
    "client_id": "client-for-tests",
    "client_secret": "",
    "requests_per_minute": "600",
}
SECRET = "client-secret-for-tests"
OTHER = "https://listens.example.net"


@pytest.fixture
def owner(dora):
    return sign_in(dora)


def path(name):
    """An address of the only connection."""
    return reverse(f"partner:{name}", args=[Connection.objects.get().pk])


def save(client, **changes):
    return client.post(path("save"), STORED | changes)


@pytest.mark.parametrize("field", ["base_url", "auth_url"])
class TestAddress:
    def test_without_the_secret_nothing_is_saved(self, owner, field):
        testing.connection()

        answer = save(owner, **{field: OTHER})

        assert answer.status_code == 422
        assert "Enter the secret again" in answer.content.decode()
        assert getattr(Connection.objects.get(), field) == STORED[field]

    def test_with_the_secret_it_is_saved_and_every_owner_hears_of_it(self, owner, dora, field):
        testing.connection()
        second = make_user("second@example.org", is_owner=True)

        assert save(owner, **{field: OTHER}, client_secret=SECRET).status_code == 302

        assert getattr(Connection.objects.get(), field) == OTHER
        mails = QueuedMail.objects.all()
        assert {one.recipient for one in mails} == {dora.email, second.email}
        assert all(OTHER in one.body and STORED[field] in one.body for one in mails)
        assert not any(SECRET in one.body for one in mails)

    def test_the_secret_of_before_is_not_tried_there(self, owner, field):
        testing.connection(previous_client_secret="one-of-before-0123")

        save(owner, **{field: OTHER}, client_secret="another-secret-0123")

        made = Connection.objects.get()
        assert (made.client_secret, made.previous_client_secret) == ("another-secret-0123", "")

    def test_whoever_does_not_know_the_secret_takes_no_key_along(self, owner, field):
        testing.connection()

        save(owner, **{field: OTHER}, client_secret="a-guess")

        assert not [one for one in Token.objects.all() if one.access_token]

    def test_the_key_stays_with_whoever_knows_the_secret(self, owner, field):
        """It is still valid, and the service must not get two requests for one."""
        testing.connection()

        save(owner, **{field: OTHER}, client_secret=SECRET)

        assert Token.objects.get().access_token == testing.ACCESS_TOKEN


def test_another_name_needs_no_secret_and_no_mail(owner):
    testing.connection()

    assert save(owner, name="Renamed").status_code == 302
    assert not QueuedMail.objects.exists()


def test_the_point_of_sale_keeps_its_key_from_another_address(owner):
    testing.connection()
    identity = testing.pos_identity()
    data = {"base_url": OTHER, "api_key": "", "uuid": identity.uuid}

    assert owner.post(path("save_pos"), data).status_code == 422
    assert PosIdentity.objects.get().base_url != OTHER
    assert owner.post(path("save_pos"), data | {"api_key": "k" * 20}).status_code == 302
    assert QueuedMail.objects.count() == User.objects.owners().count() == 1


class TestStaleSignIn:
    """With a password, so that there is something to confirm."""

    PASSWORD = "correct horse battery staple"
    SCRIPT = {"HX-Request": "true"}  # noqa: RUF012  # of a test

    @pytest.fixture
    def stale(self, dora):
        cache.clear()  # the counted guesses of other tests
        dora.set_password(self.PASSWORD)
        dora.save()
        return sign_in(dora)

    @pytest.mark.parametrize("name", ["partner:index", "telephone:index"])
    def test_the_page_with_the_addresses_asks_first(self, stale, name):
        testing.connection()

        answer = stale.get(reverse(name))

        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")

    @pytest.mark.parametrize(
        "name",
        [f"partner:{name}" for name in ("rotate", "revoke", "retire", "test", "new_token")]
        + ["telephone:rotate", "telephone:revoke"],
    )
    def test_nothing_is_done_before_the_answer(self, stale, name):
        testing.connection()
        before = Connection.objects.values().get()

        only = [Connection.objects.get().pk] if name.startswith("partner:") else []

        answer = stale.post(reverse(name, args=only))

        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
        assert Connection.objects.values().get() == before

    def test_a_form_is_not_saved_and_keeps_what_was_typed(self, stale):
        testing.connection()

        answer = save(stale, name="Typed name", client_secret="typed-secret-0123")

        page = answer.content.decode()
        assert answer.status_code == 403
        assert "Typed name" in page
        assert "Not saved yet" in page
        assert "typed-secret-0123" not in page
        assert testing.WEBHOOK_TOKEN not in page
        assert not [one for one in stale.session.values() if "typed-secret-0123" in str(one)]
        assert Connection.objects.get().name == "Main"

    def test_the_password_goes_with_the_form(self, stale):
        testing.connection()
        typed = {"name": "Typed name", "client_secret": "typed-secret-0123"}

        assert save(stale, **typed, password=self.PASSWORD).status_code == 302

        saved = Connection.objects.get()
        assert (saved.name, saved.client_secret) == ("Typed name", "typed-secret-0123")
        assert save(stale, name="Later").status_code == 302
        assert "typed-secret-0123" not in str(dict(stale.session))

    def test_a_wrong_password_saves_nothing(self, stale):
        testing.connection()

        answer = save(stale, name="Typed name", password="a guess")

        assert answer.status_code == 403
        assert "field__error" in answer.content.decode()
        assert Connection.objects.get().name == "Main"

    def test_guesses_are_counted(self, stale):
        testing.connection()
        for _each in range(11):
            save(stale, name="Typed name", password="a guess")

        save(stale, name="Typed name", password=self.PASSWORD)

        assert Connection.objects.get().name == "Main"

    def test_with_scripts_only_the_question_is_sent(self, stale):
        """So the form stays in the page as it was filled in, its secret included."""
        testing.connection()
        data = STORED | {"client_secret": "typed-secret-0123"}

        answer = stale.post(path("save"), data, headers=self.SCRIPT)

        page = answer.content.decode()
        assert 'name="password"' in page
        assert "<form" not in page
        assert "typed-secret-0123" not in page
        assert not Connection.objects.get().previous_client_secret

    def test_with_scripts_a_saved_form_leads_to_the_page(self, owner):
        testing.connection()

        answer = owner.post(path("save"), STORED, headers=self.SCRIPT)

        assert answer.headers["HX-Redirect"] == path("show")

    def test_with_scripts_a_refused_form_takes_the_place_of_the_page(self, owner):
        testing.connection()

        answer = owner.post(path("save"), STORED | {"base_url": OTHER}, headers=self.SCRIPT)

        assert (answer.status_code, answer.headers["HX-Retarget"]) == (422, "#main")
        assert "Enter the secret again" in answer.content.decode()


class TestRight:
    """One connection for all groups: no role in a group opens it."""

    NAMES = ("show", "save", "save_pos", "rotate", "revoke", "retire", "test", "new_token")

    @pytest.mark.parametrize("name", NAMES)
    def test_an_admin_of_every_group_who_is_no_owner_is_refused(self, cast, name):
        admin = make_user("erin@example.org")
        for group in (cast.harbour, cast.hill):
            make_member(admin, group, "admin")
        testing.connection()
        client = sign_in(admin)
        method = client.get if name == "show" else client.post

        assert method(path(name)).status_code == 403

    def test_an_owner_without_a_role_opens_it(self, cast):
        owner = sign_in(make_user("owner@example.org", is_owner=True))

        assert owner.get(reverse("partner:index")).status_code == 200
