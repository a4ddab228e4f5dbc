"""Causes that stand apart from the word for the allergy, in the same sentence."""

import pytest

from customers.allergies.reading import read_note


def codes_of(text: str) -> set[str]:
    reading = read_note(text)
    return {f"{each.code}{'' if each.certainty == 'stated' else '?'}" for each in reading.allergens}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("If the soup contains celery please let me know, I'm highly allergic", {"celery"}),
        ("Wenn die Suppe Sellerie enthält bitte melden, ich bin allergisch", {"celery"}),
        ("si la soupe contient du céleri prévenez-moi, je suis allergique", {"celery"}),
        ("si lleva apio avísenme, soy muy alérgico", {"celery"}),
        ("se la zuppa contiene sedano avvisatemi, sono allergico", {"celery"}),
        ("se tiver aipo avisem, sou alérgico", {"celery"}),
        ("als er selderij in zit graag melden, ik ben allergisch", {"celery"}),
        ("we love the prawns but my son is allergic", {"crustaceans"}),
        ("on adore le homard mais ma femme est allergique", {"crustaceans"}),
        ("the prawns were lovely but nobody is allergic", set()),
        ("we love the fish but one guest is allergic to dogs", set()),
        ("pesto is lovely but sadly I'm allergic", {"unspecified?", "milk?", "nuts?", "pine_nut?"}),
        ("is the sauce made with peanuts, my boy can't have them", {"peanuts"}),
    ],
)
def test_a_condition_or_a_turn_ties_the_food_to_the_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergy with egg and with milk of cow", {"eggs", "milk"}),
        ("allergia con le uova e con il latte", {"eggs", "milk"}),
        ("alergia con el huevo y con la leche", {"eggs", "milk"}),
        ("allergique avec les noix et avec le lait", {"nuts", "milk"}),
        ("Probleme mit Milch und mit Ei", {"milk?", "eggs?"}),
        ("egg allergy and with wine please", {"eggs"}),
    ],
)
def test_a_second_with_goes_on_with_the_list(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "not allergic to fish but is to prawns",
        "no es alérgico al pescado pero sí a las gambas",
        "non è allergico al pesce ma lo è ai gamberi",
        "nicht gegen Fisch allergisch aber gegen Garnelen schon",
    ],
)
def test_what_a_denial_turns_to_is_stated(text):
    assert codes_of(text) == {"crustaceans"}


@pytest.mark.parametrize(
    "text",
    [
        "Headaches from MSG so please none in food",
        "le glutamate me donne mal à la tête",
        "el glutamato me da dolor de cabeza",
        "il glutammato mi fa venire il mal di testa",
        "Glutamat macht ihr Kopfweh",
        "o glutamato dá-me dores de cabeça",
        "van glutamaat krijgt hij hoofdpijn",
    ],
)
def test_a_headache_is_a_symptom(text):
    assert codes_of(text) == {"msg"}


def test_a_headache_of_something_else_states_nothing():
    assert codes_of("a headache from the noise last time, quiet table please") == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("banana & melon make his mouth itch", {"banana", "melon"}),
        ("allergic to fruits of the sea", {"crustaceans", "molluscs?", "fish?"}),
        ("coriander tastes of soap so leave it off", {"coriander?"}),
        ("egg allergy, he has outgrown most of it", {"eggs"}),
        ("nut allergy, rest are cheese lovers", {"nuts"}),
    ],
)
def test_words_of_everyday_notes(text, codes):
    assert codes_of(text) == codes
