"""Foods beside the fourteen of the regulation, and words that refuse them."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergic to sunflower seeds", {"seeds"}),
        ("allergic to quinoa and basil", {"grains", "herbs"}),
        ("allergies: cumin, broccoli", {"spices", "vegetables"}),
        ("allergique au persil et aux graines de pavot", {"herbs", "seeds"}),
        ("allergie à la noix de muscade", {"spices"}),
        ("alérgico al comino y a la calabaza", {"spices", "vegetables"}),
        ("alergia a frutos secos y semillas", {"nuts", "seeds"}),
        ("Kümmelallergie", {"spices"}),
        ("allergisch gegen Mohn und Petersilie", {"seeds", "herbs"}),
        ("allergia al finocchio", {"vegetables"}),
        ("il peperoncino mi fa malissimo", {"chilli"}),
        ("allergisch voor maanzaad", {"seeds"}),
        ("alergia a manjericão", {"herbs"}),
        ("allergic to pomegranate", {"fruit"}),
        ("allergic to royal jelly", {"honey"}),
        ("black pepper allergy", {"spices"}),
        ("allergie au poivre", {"spices"}),
        ("bell pepper allergy", {"pepper"}),
        ("allergic to brinjal", {"aubergine"}),
        ("nuts and seeds", {"nuts?", "seeds?"}),
        ("allergic to mustard seeds and sesame seeds", {"mustard", "sesame"}),
    ],
)
def test_it_works(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Rosemary is allergic to nuts", {"nuts"}),
        ("Poppy is 3, egg allergy", {"eggs"}),
        ("booking under Olive, nut allergy", {"nuts"}),
        ("dairy allergy, please cook in olive oil", {"milk"}),
        ("coming late, nut allergy", {"nuts"}),
        ("extra vegetables on the side, nut allergy", {"nuts"}),
        ("we komen samen, notenallergie", {"nuts"}),
        ("booking 8d2c17df0a11, nut allergy", {"nuts"}),
        ("3fa85f64-5717-4562-b3fc-2c96317df9a6", set()),
        ("rocket salad please", set()),
        ("Mme Colin est allergique au lait", {"milk"}),
        ("Herr Zander verträgt keinen Sellerie", {"celery"}),
        ("Mr Salmon can't eat nuts", {"nuts"}),
        ("Mrs nut allergy", {"nuts"}),
        ("Mr Salmon is allergic", {"fish"}),
    ],
)
def test_names_and_dinner_are_no_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "please keep nuts away from him",
        "keep the nuts well away",
        "garder les noix bien loin",
        "sans aucune noix",
        "sin nada de nueces",
        "mantener las nueces bien lejos",
        "tenere lontano le noci",
        "Nüsse fernhalten",
        "noten uit de buurt houden",
        "sem nada de nozes",
    ],
)
def test_what_is_to_be_kept_away_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "nobody has any allergies",
        "none has a nut allergy",
        "sans aucune allergie",
        "sin ninguna alergia",
        "sem nenhuma alergia",
    ],
)
def test_that_nobody_has_any_denies_them(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "text", ["nut allergy, table away from the door", "alergia a nueces, mesa lejos del baño"]
)
def test_a_table_far_from_something_leaves_the_allergy_stated(text):
    assert codes_of(text) == {"nuts"}


def test_a_food_that_is_allowed_behind_a_denial_of_another_names_no_diet():
    diets = {one.code: one.certainty for one in read_note("gluten no, lactose ok").diets}

    assert diets == {"gluten_free": "stated", "lactose_free": "maybe"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Mrs nuts is allergic, Mr fish is allergic", {"nuts", "fish"}),
        ("Sra. mariscos no, Sr. nueces no", {"crustaceans?", "molluscs?", "nuts?"}),
        ("Mrs dairy is a no, Mr nuts is a no", {"milk?", "lactose?", "nuts?"}),
        ("Familie Nüsse verträgt nicht, Milch auch", {"nuts", "milk"}),
        ("Mr Rice is coeliac", {"gluten"}),
    ],
)
def test_a_food_behind_a_title_is_none_only_where_the_person_lacks_another(text, codes):
    assert codes_of(text) - {"lactose_free?"} == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("wife: nuts, me: none", {"nuts?"}),
        ("seat 1 nuts, seat 2 none", {"nuts?"}),
        ("Anna (nuts), Ben (fish), Carl none", {"nuts?", "fish?"}),
        ("3 year old: peanut", {"peanuts?"}),
    ],
)
def test_that_one_of_a_list_has_none_hides_nothing_of_the_others(text, codes):
    assert codes_of(text) == codes
