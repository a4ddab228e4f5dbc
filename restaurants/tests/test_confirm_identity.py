"""Pages that give or take away access ask for the password again, in plain words."""

import pytest

from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Is it still you?"),
        ("fr", "Est-ce toujours vous\xa0?"),
        ("es", "¿Sigue siendo usted?"),
    ],
)
def test_it_works(alice, language, words):
    alice.set_password("a password of hers")
    alice.save()
    address = "/accounts/reauthenticate/"
    page = sign_in(alice).get(address, headers={"Accept-Language": language}).content.decode()

    assert f"<h1>{words}</h1>" in page
    assert 'name="password"' in page
