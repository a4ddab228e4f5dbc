"""Theme, density, language, shortcuts, menu: kept per person."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User

URL = "/accounts/preferences/"


@pytest.fixture
def visitor(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def test_it_works(visitor: Client, alice: User):
    answer = visitor.post(URL, {"theme": "dark", "next": "/reviews/?scope=x"})

    alice.refresh_from_db()
    assert alice.theme == "dark"
    assert answer.headers["Location"] == "/reviews/?scope=x"


def test_it_leaves_what_was_not_sent(visitor: Client, alice: User):
    visitor.post(URL, {"density": "compact"})
    visitor.post(URL, {"rail_pinned": "true"})

    alice.refresh_from_db()
    assert (alice.density, alice.rail_pinned, alice.shortcuts) == ("compact", True, True)


def test_it_switches_single_keys_off(visitor: Client, alice: User):
    visitor.post(URL, {"shortcuts": "false"})

    alice.refresh_from_db()
    assert alice.shortcuts is False


def test_it_refuses_unknown_words(visitor: Client, alice: User):
    assert visitor.post(URL, {"theme": "pink"}).status_code == 422


def test_it_never_leads_away(visitor: Client, alice: User):
    answer = visitor.post(URL, {"theme": "dark", "next": "https://elsewhere.example/"})

    assert answer.headers["Location"] == "/"


def test_it_answers_a_script_without_a_page(visitor: Client, alice: User):
    answer = visitor.post(URL, {"theme": "dark"}, headers={"HX-Request": "true"})

    assert answer.status_code == 204


def test_it_wants_someone_signed_in(client: Client):
    assert client.post(URL, {"theme": "dark"}).status_code == 302


def test_it_speaks_their_language(visitor: Client, alice: User):
    visitor.post(URL, {"language": "fr"})

    page = visitor.get(reverse("reservations:index"))

    assert page.headers["Content-Language"] == "fr"
    assert '<html lang="fr"' in page.content.decode()
