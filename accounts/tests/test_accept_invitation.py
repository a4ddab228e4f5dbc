"""The link of an invitation."""

from urllib.parse import urlsplit

import time_machine
from django.utils import timezone

from accounts.password_links.invitations import LIFETIME, link_for
from accounts.tests.conftest import PASSWORD


def path_of(link: str) -> str:
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def accept(client, link, password=PASSWORD):
    fields = {"new_password1": password, "new_password2": password}
    return client.post(path_of(link), fields)


def test_it_works(client, bob):
    answer = accept(client, link_for(bob))

    bob.refresh_from_db()
    assert answer.status_code == 302
    assert bob.check_password(PASSWORD)


def test_it_shows_for_whom_it_is(client, bob):
    assert "bob@example.org" in client.get(path_of(link_for(bob))).content.decode()


def test_it_works_once(client, bob):
    link = link_for(bob)
    accept(client, link)

    assert accept(client, link, password="another long password").status_code == 404


def test_it_lapses_after_a_week(client, bob):
    link = link_for(bob)

    with time_machine.travel(timezone.now() + LIFETIME, tick=False):
        assert client.get(path_of(link)).status_code == 404


def test_a_forged_one_is_refused(client, bob):
    assert client.get(path_of(link_for(bob)) + "x").status_code == 404
    assert client.get("/accounts/invitation/").status_code == 404


def test_a_weak_password_is_refused(client, bob):
    assert accept(client, link_for(bob), password="password").status_code == 422


def test_the_deactivated_are_no_longer_invited(client, bob):
    link = link_for(bob)
    bob.deactivate()

    assert client.get(path_of(link)).status_code == 404
