"""No page has a link that refuses the person who follows it."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import resolve

from restaurants.testing import make_member, make_root, make_user, sign_in
from tests.addresses import all_addresses, may_be_a_page
from tests.test_every_url import ask, path_of

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.walk]

LINK = re.compile(r'\b(?:href|hx-get|data-live-url)="([^"#]+)')
FOLLOWED = 400  # pages and fragments of one person at most, so that a walk has an end


def links_of(answer, path):
    """The addresses on this site that a page names, each view once for each path."""
    if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
        return {}
    named = (urljoin(path, link.replace("&amp;", "&")) for link in LINK.findall(answer.text))
    here = (link for link in named if link.startswith("/") and not link.startswith("/static/"))
    return {resolve(urlsplit(link).path).view_name: link for link in here}


def refused_by(user, cast):
    """View → where its link stands and what it answers, of links that refuse this person."""
    client = sign_in(user)
    found: dict[str, str] = {}
    refused = {}
    for address in all_addresses():
        path = path_of(address, cast)
        if not address.is_ours or not may_be_a_page(path):
            continue
        answer = ask(client, "GET", path)
        if answer.status_code == 200:
            found = links_of(answer, path) | found
    for view, link in list(found.items())[:FOLLOWED]:
        status = ask(client, "GET", link).status_code
        if status >= 400:
            refused[view] = (link, status)
    return refused


@pytest.mark.parametrize("role", ["staff", "manager", "admin"])
def test_whoever_has_a_role_at_one_restaurant(cast, role):
    person = make_user("erin@example.org")
    make_member(person, cast.quay, role)

    assert refused_by(person, cast) == {}


def test_an_owner_who_is_admin_everywhere(cast):
    assert refused_by(cast.dora, cast) == {}


def test_a_superuser_without_a_role(cast):
    assert refused_by(make_root(), cast) == {}


def test_whoever_has_another_role_at_each_restaurant(cast):
    person = make_user("erin@example.org")
    for place, role in ((cast.quay, "manager"), (cast.loft, "staff"), (cast.cellar, "admin")):
        make_member(person, place, role)

    assert refused_by(person, cast) == {}
