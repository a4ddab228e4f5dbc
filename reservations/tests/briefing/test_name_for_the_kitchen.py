"""The kitchen reads the names of allergens and diets in its own language."""

import pytest

from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import sign_in

DAY = "2026-01-17"

pytestmark = pytest.mark.django_db


@pytest.fixture
def kitchen(quay):
    def of(language):
        quay.kitchen_language = language
        quay.save()
        return quay

    return of


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, allergies_and_intolerances=["Nuts"])


def brief(user):
    return sign_in(user).get("/reservations/brief/", {"day": DAY})


def names(user):
    return [row.name for row in brief(user).context["brief"].allergens]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("", "Nuts"),
        ("en", "Nuts"),
        ("fr", "Fruits à coque"),
        ("es", "Frutos de cáscara"),
        ("it", "Frutta a guscio"),
        ("de", "Schalenfrüchte"),
        ("pt", "Frutos de casca rija"),
        ("nl", "Noten (schaalvruchten)"),
    ],
)
def test_it_works(bob, kitchen, guest, language, name):
    make_reservation(kitchen(language), customer=guest)

    assert names(bob) == [name]


def test_a_tag_keeps_the_word_of_the_service(bob, kitchen, guest):
    make_reservation(kitchen("it"), customer=guest)

    assert "Frutta a guscio (Nuts)" in brief(bob).content.decode()


def test_a_kitchen_without_a_language_has_the_readers_on_its_tickets_too(bob, kitchen, guest):
    bob.language = "fr"
    bob.save()
    make_reservation(kitchen(""), customer=guest)

    assert names(bob) == ["Fruits à coque"]
    assert "Fruits à coque (Nuts)" in brief(bob).content.decode()


def test_what_a_note_names_is_translated_and_its_sentence_is_not(bob, kitchen):
    make_reservation(kitchen("it"), customer_note="Allergic to peanuts")
    page = brief(bob).content.decode()

    assert '<strong class="ticket__what" lang="it">Arachidi</strong>' in page
    assert "Allergic to" in page


@pytest.mark.parametrize("tag", ["No shellfish", "Zebra", "Nuts and fish", "see notes", "<b>", ""])
def test_a_tag_that_names_no_one_thing_stays_as_it_is(bob, kitchen, harbour, tag):
    guest = make_customer(harbour, allergies_and_intolerances=[tag])
    make_reservation(kitchen("it"), customer=guest)

    assert names(bob) == [tag]


@pytest.mark.parametrize("language", ["", "fr"])
def test_a_tag_of_two_allergens_names_both(bob, kitchen, harbour, language):
    """“Shellfish” stayed English, and says nothing to a French kitchen."""
    bob.language = "fr"
    bob.save()
    guest = make_customer(harbour, allergies_and_intolerances=["Shellfish"])
    make_reservation(kitchen(language), customer=guest)

    assert names(bob) == ["Crustacés, Mollusques (Shellfish)"]


def test_a_diet_is_named_too(bob, kitchen, harbour):
    guest = make_customer(harbour, dietary_restrictions=["Vegan"])
    make_reservation(kitchen("nl"), customer=guest)

    assert "Veganistisch (Vegan)" in brief(bob).content.decode()


def test_kitchens_of_different_languages_share_the_readers(alice, kitchen, loft, guest):
    make_reservation(kitchen("it"), customer=guest)
    loft.kitchen_language = "de"
    loft.save()
    make_reservation(loft, customer=guest)
    page = brief(alice)

    assert [row.name for row in page.context["brief"].allergens] == ["Nuts"]
    assert "Frutta a guscio (Nuts)" in page.content.decode()
    assert "Schalenfrüchte (Nuts)" in page.content.decode()


def test_what_is_severe_for_somebody_stands_first(bob, quay, guest):
    """In the order of names a doubt about alcohol stood above the nuts of an EpiPen."""
    make_reservation(quay, customer=guest)
    for note in ("allergic to celery", "severe sesame allergy, carries an EpiPen"):
        make_reservation(quay, customer_note=note)

    assert names(bob) == ["Sesame seeds", "Celery", "Nuts"]


def test_who_has_left_is_not_in_the_table(bob, kitchen, guest):
    make_reservation(kitchen("it"), customer=guest, meal_status="LEFT")

    assert names(bob) == []
