"""Owners choose on the page of people which roles must have a second factor."""

import pytest
from auditlog.models import LogEntry
from django.conf import settings
from django.test import Client

from accounts.models import SecondFactorRule
from accounts.rights import Role
from restaurants.testing import make_member, make_user, sign_in
from tests.sessions import session_of

pytestmark = pytest.mark.django_db
PATH = "/setup/people/second-factor/"


@pytest.fixture
def owner(cast):
    return confirmed(cast.dora)


def confirmed(person):
    """A browser in which the person has just confirmed the password."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    return browser


def test_it_works(owner, alice):
    owner.post(PATH, {"roles": ["manager", "admin"]})

    assert sign_in(alice).get("/reviews/").headers["Location"] == "/accounts/2fa/"
    assert LogEntry.objects.filter(content_type__model="secondfactorrule").count() == 2


def test_other_roles_go_on(owner, bob):
    owner.post(PATH, {"roles": ["manager"]})

    assert sign_in(bob).get("/").status_code == 200


def test_it_is_taken_back(owner, alice):
    owner.post(PATH, {"roles": ["manager"]})
    owner.post(PATH, {"roles": []})

    assert sign_in(alice).get("/reviews/").status_code == 200


def test_the_page_shows_what_is_required_and_what_the_server_requires(owner, settings):
    settings.MFA_REQUIRED_ROLES = ["staff"]
    owner.post(PATH, {"roles": ["manager"]})

    page = owner.get("/setup/people/").content.decode()

    assert 'value="manager" id="id_0_roles_1" checked' in page
    assert "in any case: Staff." in page


def test_an_unknown_role_changes_nothing(owner):
    owner.post(PATH, {"roles": ["cook"]})

    assert not SecondFactorRule.objects.exists()


def test_an_admin_of_a_group_does_not_choose_for_the_installation(cast):
    fay = make_user("fay@example.org")
    make_member(fay, cast.harbour, Role.ADMIN)

    assert confirmed(fay).post(PATH, {"roles": ["staff"]}).status_code == 403
    assert not SecondFactorRule.objects.exists()
