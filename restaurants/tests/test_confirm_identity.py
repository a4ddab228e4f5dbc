"""Pages that give or take away access ask for the password again, in plain words."""

import pytest
from allauth.account.models import EmailAddress

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
    assert 'href="/"' in page.split("<form")[1]  # an installed app has no button to go back


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_code_by_mail_does_not_do(alice, mailoutbox, method):
    """Whoever sits at an open screen may have its mailbox open, too."""
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    browser = sign_in(alice)

    for address in ("code/", "code/confirm/"):
        answer = getattr(browser, method)(f"/accounts/reauthenticate/{address}")

        assert answer.status_code in (302, 403)
    assert mailoutbox == []
