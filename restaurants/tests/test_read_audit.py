"""The page of the audit trail."""

import re

import pytest
from auditlog.context import set_actor

from accounts import audit
from partner.models import Connection
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


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ("A révélé les coordonnées d’un client", "Personne Alice")),
        ("es", ("Reveló los datos de contacto", "Persona Alice")),
    ],
)
def test_what_was_done_is_in_the_readers_language(harbour_admin, alice, language, words):
    audit.record(alice, "revealed contacts", details={"guest": "x"})
    harbour_admin.language = language
    harbour_admin.save()

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert all(one in page for one in words)
    assert "revealed" not in page


def test_details_have_labels_and_enum_words_too(harbour_admin, quay):
    audit.record(harbour_admin, "invited a person", quay, {"role": "manager"})

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert "role: Manager" in page
    assert "Restaurant Quay" in page


def test_what_an_earlier_version_stored_has_words(harbour_admin):
    audit.record(harbour_admin, "had 3 deliveries routed again")

    assert "Had deliveries processed again" in sign_in(harbour_admin).get(PAGE).content.decode()


def test_what_changed_is_in_words(harbour_admin, harbour):
    with set_actor(harbour_admin):
        harbour.no_show_hints = not harbour.no_show_hints
        harbour.save()
        make_restaurant(harbour, "Pier", phone="+33199001234")

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert "say which bookings are worth a call: No → Yes" in page
    assert "+33199001234" in page
    assert not re.search(r"\b(True|False|None)\b|no_show_hints", page)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("person: Bob", "role: Manager", "restaurant: Loft", "Role Bob · Loft")),
        (
            "fr",
            ("personne\xa0: Bob", "rôle\xa0: Manager", "restaurant\xa0: Loft", "Rôle Bob · Loft"),
        ),
    ],
)
def test_a_new_row_is_in_words_too(harbour_admin, cast, language, words):
    harbour_admin.language = language
    harbour_admin.save()
    with set_actor(harbour_admin):
        make_member(cast.bob, cast.loft, "manager")

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert all(one in page for one in words)
    assert not re.search(r"user:|: \d+</div>|–", page)


def test_a_person_who_is_gone_has_a_number(harbour_admin, cast):
    with set_actor(harbour_admin):
        make_member(cast.bob, cast.loft, "manager")
    gone = cast.bob.pk
    cast.bob.delete()

    assert f"person: #{gone}" in sign_in(harbour_admin).get(PAGE).content.decode()


def test_moments_are_in_the_readers_writing(harbour_admin):
    root = make_user("root@example.org", is_owner=True)

    page = sign_in(root).get(PAGE).content.decode()

    assert re.search(r"added: \d+ \w{3} \d{4}, \d\d:\d\d</div>", page)


def test_its_queries_do_not_grow_with_its_entries(
    harbour_admin, cast, django_assert_max_num_queries
):
    client = sign_in(harbour_admin)
    with set_actor(harbour_admin):
        for place in (cast.loft, cast.harbour):
            make_member(cast.bob, place, "manager")
    client.get(PAGE)

    with django_assert_max_num_queries(18):
        client.get(PAGE)


def test_it_needs_the_right(alice):
    assert sign_in(alice).get(PAGE).status_code == 403


def test_it_hides_what_the_people_of_other_groups_did(harbour_admin, charlie):
    audit.record(charlie, "exported secretly")

    assert "exported secretly" not in sign_in(harbour_admin).get(PAGE).content.decode()


def test_it_hides_what_a_person_of_both_groups_did_in_the_other(harbour_admin, cast):
    """Where they sign in from, and what they search for there, included."""
    make_member(cast.charlie, cast.quay)
    with set_actor(cast.charlie):
        make_restaurant(cast.hill, "Cave")
        make_restaurant(cast.harbour, "Pier")
    audit.record(cast.charlie, "signed in")
    audit.record(cast.charlie, "exported", within=[cast.hill])
    audit.record(cast.charlie, "exported both", within=[cast.hill, cast.quay])
    audit.record(cast.charlie, "revealed", within=[cast.harbour])

    page = sign_in(harbour_admin).get(PAGE).content.decode()

    assert "Pier" in page
    assert "revealed" in page
    for word in ("Cave", "signed in", "exported", "Hill"):
        assert word not in page


def test_what_was_done_before_a_person_came_stays_where_it_was_done(harbour_admin, cast):
    audit.record(cast.charlie, "signed in there")
    cast.charlie.memberships.all().delete()
    make_member(cast.charlie, cast.quay)

    assert "signed in there" not in sign_in(harbour_admin).get(PAGE).content.decode()


def test_a_role_given_elsewhere_is_no_news_here(harbour_admin, cast):
    with set_actor(cast.dora):
        make_member(cast.bob, cast.cellar)

    assert "Cellar" not in sign_in(harbour_admin).get(PAGE).content.decode()


def test_the_admin_of_a_restaurant_reads_of_that_restaurant(cast):
    admin = make_user("erin@example.org")
    make_member(admin, cast.quay, "admin")
    with set_actor(cast.alice):
        cast.quay.phone, cast.loft.phone = "+33199001234", "+12125550100"
        cast.quay.save()
        cast.loft.save()
    audit.record(cast.bob, "revealed", within=[cast.harbour])
    audit.record(cast.alice, "exported", within=[cast.harbour])

    page = sign_in(admin).get(PAGE).content.decode()

    assert "+33199001234" in page
    assert "revealed" in page
    assert "+12125550100" not in page
    assert "exported" not in page


def test_what_concerns_the_installation_is_for_its_owners(harbour_admin, db):
    root = make_user("root@example.org", is_owner=True)
    with set_actor(harbour_admin):
        Connection.objects.create(auth_url="https://keys.example.org")

    assert "keys.example.org" not in sign_in(harbour_admin).get(PAGE).content.decode()
    assert "keys.example.org" in sign_in(root).get(PAGE).content.decode()


def test_an_owner_sees_the_system_too(db):
    root = make_user("root@example.org", is_owner=True)

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
