"""No page and no sentence about a refusal leads an admin to an admin."""

import re

import pytest

from partner.wording import words
from restaurants.testing import make_member, make_user, sign_in
from tests.addresses import all_addresses, may_be_a_page
from tests.test_every_url import ask, path_of
from webhooks import models as webhooks

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.walk]

# “Admin” as the name of a role, a page or a column is none.
ASKS_AN_ADMIN = re.compile(
    r"\b(ask|tell|call|find) (an|your|the) admin|\ban admin (can|may|must|names|invites)\b"
    r"|\ban administrator\b",
    re.IGNORECASE,
)


def found_by(user, cast):
    client = sign_in(user)
    found = {}
    for address in all_addresses():
        path = path_of(address, cast)
        if not address.is_ours or not may_be_a_page(path):
            continue
        answer = ask(client, "GET", path)
        text = "" if answer.streaming else answer.content.decode(errors="replace")
        if hits := ASKS_AN_ADMIN.search(text):
            found[address.name] = hits.group()
    return found


def test_the_finder_finds():
    assert ASKS_AN_ADMIN.search("You may not. An admin can change that.")
    assert not ASKS_AN_ADMIN.search("Erin is an admin of Quay")


def test_an_owner_who_is_admin_everywhere_is_not(cast):
    assert found_by(cast.dora, cast) == {}


def test_an_admin_of_one_restaurant_is_not(cast):
    """Many of these pages are refused: those say who can open them."""
    erin = make_user("erin@example.org")
    make_member(erin, cast.quay, "admin")

    assert found_by(erin, cast) == {}


def test_an_owner_before_the_first_restaurant_is_not(db, cast):
    """The first day: all pages are empty."""
    assert found_by(make_user("owner@example.org", is_owner=True), cast) == {}


def test_no_refusal_and_no_reason_does():
    sentences = [
        str(text)
        for row in (*words.BY_CODE.values(), *words.BY_KIND.values())
        for text in (row.sentence, row.next_step, row.not_done)
    ]
    sentences += [str(text) for text in (*webhooks.NEXT_STEPS.values(), webhooks.UNREADABLE)]

    assert [text for text in sentences if ASKS_AN_ADMIN.search(text)] == []
