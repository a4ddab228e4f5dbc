"""Causes that stand apart from the word for the allergy, in the same sentence."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


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
        ("egg allergy and with wine please", {"eggs", "alcohol?"}),
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


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("lactose intolerant, milk in coffee is fine", {"lactose"}),
        ("lactose-intolerant, beetje melk in de koffie mag wel", {"lactose"}),
        ("Laktoseintoleranz, etwas Sahne im Kaffee geht", {"lactose"}),
        ("Laktoseintoleranz, Sahne im Kaffee ist ok", {"lactose"}),
        ("intolérant au lactose, un peu de lait dans le café ça va", {"lactose"}),
        ("intolerante a la lactosa, un poco de leche en el café sí puede", {"lactose"}),
        ("nut allergy, almonds in cake fine", {"nuts"}),
        ("egg allergy, milk in the coffee not ok", {"eggs", "milk"}),
        ("egg allergy, nuts in cakes too", {"eggs", "nuts"}),
    ],
)
def test_what_is_allowed_within_something_is_no_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Are there nuts in the pesto?", {"nuts?"}),
        ("any dairy in the soup?", {"milk?"}),
        ("Y a-t-il des noix dans la sauce ?", {"nuts?"}),
        ("¿Hay leche en la salsa?", {"milk?"}),
        ("ci sono noci nell'insalata?", {"nuts?"}),
        ("Sind Zwiebeln in der Suppe?", {"onion?"}),
        ("Tem leite no molho?", {"milk?"}),
        ("zit er noten in de salade?", {"nuts?"}),
        ("is there lobster on the menu?", set()),
        ("are the oysters in season?", set()),
        ("could we have cheese on the side?", set()),
    ],
)
def test_a_question_for_what_is_in_a_dish_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("they served nuts despite my allergy", {"nuts"}),
        ("on m'a servi des noix malgré mon allergie", {"nuts"}),
        ("me sirvieron nueces a pesar de mi alergia", {"nuts"}),
        ("Nüsse serviert trotz meiner Allergie", {"nuts"}),
    ],
)
def test_what_was_served_despite_an_allergy_is_its_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Please ask about allergies",
        "Bitte Allergien bei Ankunft abfragen",
        "demander les allergies à l'arrivée",
        "chiedere allergie all'arrivo",
        "preguntar alergias al llegar",
        "perguntar alergias na chegada",
        "allergieën navragen",
    ],
)
def test_a_reminder_to_inquire_is_a_hint_at_the_word_for_the_allergy(text):
    (found,) = read_note(text).allergens

    assert (found.code, found.certainty) == ("unspecified", "maybe")
    assert text[slice(*found.span)].lower().startswith(("all", "ale"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("adores nuts, sadly allergic to them", {"nuts": "stated"}),
        ("we love fish but my son is allergic to it", {"fish": "stated"}),
        ("the soup has celery and my wife is allergic to it", {"celery": "stated"}),
        ("she hates nuts because she is allergic to them", {"nuts": "stated"}),
        (
            "loves prawns and mussels, is allergic to those",
            {"crustaceans": "stated", "molluscs": "stated"},
        ),
        ("ama le noci ma è allergica a questo", {"nuts": "stated"}),
        ("liebt Fisch, allergisch gegen das", {"fish": "stated"}),
        ("loves fish, not allergic to it", {}),
        ("loves fish, maybe allergic to it", {"fish": "maybe"}),
    ],
)
def test_what_it_or_they_are_stands_before(text, found):
    reading = read_note(text)

    assert {each.code: each.certainty for each in reading.allergens} == found


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("dairy is not a preference, it's an allergy", {"milk"}),
        ("mussels - they make her really ill", {"molluscs"}),
        ("moules : ça la rend malade", {"molluscs"}),
        ("Léa : œufs, Tom : noisettes (allergies)", {"eggs", "nuts"}),
        ("Mark: milk; Julia: egg; Sara: none (allergies)", {"milk", "eggs"}),
        ("dessert: chocolate cake (dairy allergy)", {"milk"}),
    ],
)
def test_it_and_a_last_word_speak_of_the_foods_before_them(text, codes):
    assert codes_of(text) == codes
