"""The page of the audit trail."""

import re

import pytest
from auditlog.context import set_actor

from accounts import audit
from restaurants.testing import make_member, make_restaurant, make_user, sign_in

PAGE = "/setup/people/audit/"


@pytest.fixture
def harbour_admin(harbour):
    admin = make_user("erin@example.org")
    make_member(admin, harbour, "admin")
    return admin


def test_it_works(harbour_admin, alice):
    audit.record(alice, "exported", details={"rows": 12})

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert "exported" in page
    assert "rows: 12" in page


def test_what_changed_is_in_words(harbour_admin, harbour):
    with set_actor(harbour_admin):
        harbour.no_show_hints = not harbour.no_show_hints
        harbour.save()
        make_restaurant(harbour, "Pier", phone="+33199001234")

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert "say which bookings are worth a call: No → Yes" in page
    assert "+33199001234" in page
    assert not re.search(r"\b(True|False|None)\b|no_show_hints", page)


def test_it_needs_the_right(alice):
    assert sign_in(alice).get(PAGE).status_code == 403


def test_it_hides_what_the_people_of_other_groups_did(harbour_admin, charlie):
    audit.record(charlie, "exported secretly")

    assert "exported secretly" not in sign_in(harbour_admin).get(PAGE).content.decode()


def test_a_superuser_sees_the_system_too(db):
    root = make_user("root@example.org", is_superuser=True)

    assert "The system" in sign_in(root).get(PAGE).content.decode()


def test_it_narrows_to_a_person(harbour_admin, alice, bob):
    audit.record(alice, "looked")
    audit.record(bob, "revealed")

    page = sign_in(harbour_admin).get(PAGE, {"person": alice.pk}).content.decode()

    assert "looked" in page
    assert "revealed" not in page


def test_it_narrows_to_what_was_done(harbour_admin, alice, quay):
    audit.record(alice, "looked")

    assert "looked" not in sign_in(harbour_admin).get(PAGE, {"what": "1"}).content.decode()


@pytest.mark.parametrize("query", [{"what": "9"}, {"person": "x"}, {"until": "x"}, {"before": "x"}])
def test_words_it_does_not_know_narrow_nothing(harbour_admin, alice, query):
    audit.record(alice, "looked")

    assert "looked" in sign_in(harbour_admin).get(PAGE, query).content.decode()


def test_it_turns_pages_with_the_filters_kept(harbour_admin, alice):
    for number in range(60):
        audit.record(alice, f"looked {number}.")
    client = sign_in(harbour_admin)

    first = client.get(PAGE, {"person": alice.pk})
    second = client.get(f"{PAGE}?{first.context['older']}").content.decode()

    assert "looked 59." in first.content.decode()
    assert "looked 9." in second
    assert "looked 59." not in second
