"""The first account: a link that works once, for a day, and only while nobody owns anything."""

from urllib.parse import urlsplit

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from accounts.models import FirstAdminLink, User
from accounts.password_links.models import LIFETIME
from accounts.tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
FIELDS = {
    "name": "Noor Haddad",
    "email": "Noor@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture
def path():
    return path_of(FirstAdminLink.objects.issue(now=timezone.now()))


def path_of(link):
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def test_it_works(client, path):
    answer = client.post(path, FIELDS)

    noor = User.objects.get()
    assert noor.email == "noor@example.org"
    assert noor.owns_installation
    assert answer.headers["Location"] == "/setup/guide/"
    assert client.get("/setup/guide/").status_code == 200  # signed in


def test_the_password_just_chosen_counts_as_a_fresh_sign_in(client, path):
    client.post(path, FIELDS)

    assert client.get("/setup/connection/").status_code == 200


def test_it_works_once(client, path):
    client.post(path, FIELDS)
    client.logout()

    assert client.post(path, FIELDS | {"email": "eve@example.org"}).status_code == 404
    assert User.objects.count() == 1


def test_it_lapses_after_a_day(client, path):
    with time_machine.travel(timezone.now() + LIFETIME, tick=False):
        assert client.get(path).status_code == 404


def test_a_forged_one_is_refused(client, path):
    assert client.get(path + "x").status_code == 404
    assert client.get("/accounts/first-admin/").status_code == 404


def test_it_ends_when_somebody_owns_the_installation(client, path):
    User.objects.create_superuser("root@example.org", PASSWORD)

    assert client.get(path).status_code == 404


def test_only_its_hash_is_stored(path):
    token = path.partition("token=")[2]

    assert token not in str(FirstAdminLink.objects.values().get())


def test_a_weak_password_is_refused_and_the_link_still_works(client, path):
    weak = FIELDS | {"password1": "password", "password2": "password"}

    assert client.post(path, weak).status_code == 422
    assert client.post(path, FIELDS).status_code == 302


def test_the_command_prints_one_until_there_is_an_owner(capsys):
    call_command("first_admin_link")
    assert "/accounts/first-admin/?token=" in capsys.readouterr().out

    User.objects.create_user("noor@example.org", PASSWORD, is_owner=True)
    call_command("first_admin_link")
    assert "token=" not in capsys.readouterr().out
