"""The pages of the second factor use the words that People and sign-in use, in each language."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from accounts.tests.conftest import PASSWORD

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
# What the library calls the same things.
OTHER_WORDS = (
    *("Two-Factor", "two-factor", "Security Key", "security key", "Authenticator App"),
    *("deux facteurs", "sécurité", "ble factor", "Claves de seguridad", "clave de seguridad"),
)
WORDS = {
    "en": ("Second factor", "Passkeys", "Authenticator app"),
    "fr": ("Second facteur", "Clés d’accès", "Application d’authentification"),
    "es": ("Segundo factor", "Llaves de acceso", "Aplicación de autenticación"),
}


def page_of(client, address, language="en"):
    return client.get(address, headers={"Accept-Language": language}).text


@pytest.fixture
def with_passkey(enter, alice):
    """Alice's browser, and the passkey that she has added since she signed in."""
    client = enter(alice)
    data = {"name": "Fingerprint", "credential": {}}
    return client, Authenticator.objects.create(user=alice, type="webauthn", data=data)


@pytest.mark.parametrize("language", WORDS)
def test_it_works(enter, alice, language):
    page = page_of(enter(alice), "/accounts/2fa/", language)

    assert all(word in page for word in WORDS[language])
    assert [word for word in OTHER_WORDS if word in page] == []


@pytest.mark.parametrize("language", WORDS)
def test_the_list_of_passkeys_has_no_word_of_another_language(with_passkey, language):
    page = page_of(with_passkey[0], "/accounts/2fa/webauthn/", language)
    unused = {"en": "Not used yet.", "fr": "Pas encore utilisée.", "es": "Aún sin usar."}

    assert "Fingerprint" in page
    assert unused[language] in page
    assert [word for word in (*OTHER_WORDS, "Not used. ") if word in page] == []


@pytest.mark.parametrize("language", WORDS)
def test_who_signs_in_reads_the_same_words(with_password, alice, language):
    TOTP.activate(with_password(alice), SECRET)
    client = Client()
    client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})

    page = page_of(client, "/accounts/2fa/authenticate/", language)

    assert WORDS[language][0] in page
    assert [word for word in OTHER_WORDS if word in page] == []


@pytest.mark.parametrize(
    ("part", "words"), [("edit", "Name of the passkey"), ("remove", "Remove the passkey")]
)
def test_a_passkey_is_named_and_removed_under_its_name(with_passkey, part, words):
    client, passkey = with_passkey
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    page = page_of(client, f"/accounts/2fa/webauthn/keys/{passkey.pk}/{part}/")

    assert words in page


def test_the_question_for_the_password_claims_nothing_about_the_sign_in(enter, alice):
    """It comes after every sign-in, so one that is a second old is no “while ago”."""
    page = page_of(enter(alice), "/accounts/reauthenticate/")

    assert "that holds for ten minutes" in page
    assert "a while ago" not in page


NAMES = [("en", "Name"), ("fr", "Nom"), ("es", "Nombre")]


def labels_of(page):
    return [label.strip() for label in re.findall(r"<label[^>]*>\s*([^<]*)", page)]


@pytest.mark.parametrize(("language", "label"), NAMES)
def test_the_fields_of_a_passkey_are_of_its_language(enter, alice, language, label):
    client = enter(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    labels = labels_of(page_of(client, "/accounts/2fa/webauthn/add/", language))

    assert label in labels
    assert "Passwordless" not in labels


@pytest.mark.parametrize(("language", "label"), NAMES)
def test_so_is_another_name_for_it(with_passkey, language, label):
    client, passkey = with_passkey
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = page_of(client, f"/accounts/2fa/webauthn/keys/{passkey.pk}/edit/", language)

    assert label in labels_of(page)


def test_the_rules_of_a_password_are_one_sentence(enter, alice):
    """The library's list ends the paragraph it is in, and was as large as the page's own text."""
    page = page_of(enter(alice), "/accounts/password/change/")

    assert "At least 12 characters" in page
    assert "too similar" not in page


def test_a_wrong_password_once_more_confirms_nothing(enter, alice):
    answer = enter(alice).post("/accounts/reauthenticate/", {"password": "another one"})

    assert "It is not confirmed yet." in answer.text
    assert "Nothing was saved" not in answer.text
