"""Which hints the kitchen reads as “no longer”: those of a sentence that says nothing else."""

import pytest

from customers.allergies.reading import read_note


def cancelled_in(text):
    found = [one for one in read_note(text).allergens if one.is_cancelled]
    assert {one.certainty for one in found} <= {"maybe"}
    return {one.code for one in found}


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy - resolved",
        "Window table. Nut allergy resolved.",
        "removed: nut allergy",
        "her nut allergy is a mistake",
        "has outgrown her nut allergy",
        "allergie aux noix : annulé",
        "avant : allergie aux noix",
        "l'allergie aux noix de notre fils est guérie",
        "alergia a las nueces ya no",
        "la alergia a las nueces ha sido retirada",
        "Nussallergie aufgehoben",
        "allergia alle noci risolta",
        "notenallergie verwijderd",
    ],
)
def test_it_works(text):
    assert cancelled_in(text) == {"nuts"}


@pytest.mark.parametrize("text", ["the coeliac has cancelled", "coeliac resolved"])
def test_the_allergen_may_be_the_allergy_itself(text):
    assert cancelled_in(text) == {"gluten"}


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy removed by accident",
        "nut allergy was deleted by mistake",
        "someone deleted the nut allergy, put it back",
        "allergie aux noix bientôt guérie",
        "my son's nut allergy is now cleared with the chef",
    ],
)
def test_what_may_be_taken_back_stays_a_hint(text):
    assert cancelled_in(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy, birthday cake cancelled",
        "forget the cake, nut allergy",
        "ignore previous note, nut allergy",
        "ignore the previous: nut allergy",
        "the guest with the nut allergy cancelled her earlier booking",
        "allergie aux noix, erreur la dernière fois",
        "last: nut allergy",
        "Nut allergy: unknown",
    ],
)
def test_what_something_else_is_over_stays_a_hint(text):
    assert cancelled_in(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "is the nut allergy gone",
        "nut allergy resolved?",
        "maybe the nut allergy is gone",
        "vergeet de notenallergie niet",
        "ne pas supprimer l'allergie aux noix",
        "la alergia a las nueces no es un error",
        "nut allergy is not a mistake",
        "please don't remove the nut allergy",
    ],
)
def test_a_question_a_doubt_and_a_denial_call_nothing_over(text):
    assert cancelled_in(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "1 of 2 nut allergies resolved",
        "one of the two with nut allergy cancelled",
        "disregard the milk allergy, it is nuts",
        "milk allergy removed, nut allergy added",
        "nut allergy resolved, except peanuts",
        "wife has a nut allergy and son has outgrown his",
    ],
)
def test_of_several_people_or_foods_none_is_called_over(text):
    assert cancelled_in(text) == set()


@pytest.mark.parametrize(
    "more", ["No nuts please.", "Still allergic to nuts.", "Careful with nuts"]
)
def test_a_second_mention_in_the_note_keeps_it_open(more):
    assert cancelled_in(f"Nut allergy resolved. {more}") == set()
