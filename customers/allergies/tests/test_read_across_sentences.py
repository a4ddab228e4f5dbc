"""Sentences that go on with the one before: what “allergies” names, and what only stands near."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Does the soup have celery? I am allergic", {"celery"}),
        ("Do you use butter? I have a nut allergy", {"milk?", "nuts"}),
        ("Kochen Sie mit Butter? Wir haben eine Nussallergie", {"milk?", "nuts"}),
        ("Are chips fried with fish? Severe wheat allergy", {"fish?", "gluten"}),
        ("12 of us, 2 no pork, 1 nut allergy", {"pork?", "nuts"}),
    ],
)
def test_an_allergy_with_a_cause_of_its_own_explains_no_other_food(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("lactose intolerant but butter is ok", {"lactose"}),
        ("lactose-intolerant maar kaas kan wel", {"lactose"}),
        ("fish allergy but shellfish ok", {"fish"}),
        ("crevettes : allergie. Poissons : aucun problème.", {"crustaceans"}),
    ],
)
def test_what_is_allowed_beside_an_allergy_is_no_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies! Nuts, fish.", {"nuts", "fish"}),
        ("Allergic to nuts. Also sesame.", {"nuts", "sesame"}),
        ("Nussallergie. Auch Sesam.", {"nuts", "sesame"}),
        ("Allergique aux noix. Aussi au sésame.", {"nuts", "sesame"}),
        ("Alérgica a las nueces. También al sésamo.", {"nuts", "sesame"}),
        ("Peanut allergy\nSesame\nKiwi", {"peanuts", "sesame", "kiwi"}),
        ("No allergies. Also sesame.", {"sesame?"}),
        ("Nut allergy. Salmon.", {"nuts", "fish?"}),
        ("Nut allergy. Two fish.", {"nuts", "fish?"}),
    ],
)
def test_a_list_goes_on_with_the_allergy_before_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Egg. Milk. Soy. All allergies.", {"eggs", "milk", "soybeans"}),
        ("Eier. Milch. Alles Allergien.", {"eggs", "milk"}),
        ("Nueces. Sésamo. Las dos alergias.", {"nuts", "sesame"}),
        ("We loved the crab. Nuts. Allergy!", {"nuts"}),
    ],
)
def test_of_a_list_in_sentences_each_is_named(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "severe"),
    [
        ("Nut allergy. Severe.", {"nuts"}),
        ("Nut allergy\nVery severe!", {"nuts"}),
        ("Nuss- und Milchallergie. Beide schwer.", {"nuts", "milk"}),
        ("Allergie aux noix. C'est grave.", {"nuts"}),
        ("Alergia al huevo. Muy grave.", {"eggs"}),
        ("Allergia al latte. Gravissima.", {"milk"}),
        ("Alergia ao leite. É grave.", {"milk"}),
        ("Notenallergie. Heel ernstig!", {"nuts"}),
        ("Nuts. Egg. All allergies. All severe.", {"nuts", "eggs"}),
        ("Sesame!!!! Anaphylaxis!!!! - a table near the bar", {"sesame"}),
        ("Peanuts! Dangerous for my daughter", {"peanuts"}),
        ("Arachides ! mortel pour ma fille", {"peanuts"}),
        ("Nüsse! Lebensgefährlich für meinen Sohn", {"nuts"}),
        ("Pinda en sesam! levensgevaarlijk voor dochter", {"peanuts", "sesame"}),
        ("We love nuts. Deadly serious!", set()),
        ("Birthday. Very important!", set()),
        ("Nut allergy. Not severe.", set()),
        ("Nut allergy. Very mild.", set()),
        ("Nut allergy. Birthday. Serious wine drinkers.", set()),
        ("No nut allergy. Severe.", set()),
    ],
)
def test_gravity_in_a_sentence_of_its_own_is_of_the_allergy_before_it(text, severe):
    assert {found.code for found in read_note(text).allergens if found.is_severe} == severe


@pytest.mark.parametrize(
    ("text", "severe"),
    [
        ("nut allergy confirmed by hospital", set()),
        ("Allergie aux noix confirmée par l'hôpital", set()),
        ("nuts put her in hospital", {"nuts"}),
        ("she can not eat nuts of any type, it is very dangerous for her", {"nuts"}),
    ],
)
def test_a_hospital_that_tested_is_no_danger(text, severe):
    assert {found.code for found in read_note(text).allergens if found.is_severe} == severe


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("All nuts except almonds", {"nuts?"}),
        ("alle Nüsse außer Mandeln", {"nuts?"}),
        ("She's fine with fish, allergic only to crustaceans", {"crustaceans"}),
        ("nueces sí, cacahuetes no", {"peanuts?"}),
        ("Die Milchallergie hat sich ausgewachsen", {"milk?"}),
    ],
)
def test_what_is_excepted_or_allowed_leaves_no_hint_of_its_own(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("Cancelled the vegan meal, she is eating chicken now", set()),
        ("Cancelled the cake. Two vegans", {"vegan"}),
        ("loves wine, vegan", {"vegan"}),
        ("wine lover, vegan", {"vegan"}),
    ],
)
def test_a_diet_is_of_its_own_clause(text, diets):
    found = read_note(text).diets

    assert {one.code for one in found if one.certainty == "stated"} == diets


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies:\n- nuts\n- fish", {"nuts", "fish"}),
        ("Allergènes :\n• noix\n• poisson\n• œufs", {"nuts", "fish", "eggs"}),
        ("Alergias: frutos secos\npescado", {"nuts", "fish"}),
        ("Allergies\n1) nuts\n2) fish", {"nuts", "fish?"}),
        ("Allergies:\nnuts\nfish\n\nOccasion: birthday", {"nuts", "fish"}),
        ("Allergies:\n- 2 x nuts\n- 1 x fish", {"nuts", "fish"}),
        ("Allergies: nuts\n2 x fish\n3 x steak", {"nuts", "fish?"}),
        ("Allergies: nuts\nMenu: fish", {"nuts"}),
        ("Allergies: nuts\nno fish", {"nuts", "fish?"}),
        ("Allergies:\nAnn: none\nBob: nuts", {"nuts?"}),
    ],
)
def test_a_list_below_its_heading_goes_on_line_by_line(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Guest 1: nuts. Guest 2: no allergies.", {"nuts?"}),
        ("Guest 1: nuts\nGuest 2: no allergies", {"nuts?"}),
        ("Tom - nuts, Ann - no allergies", {"nuts?"}),
        ("Tom Smith - Nuts\nAnn Smith - None\nBob Smith - Fish", {"nuts?", "fish?"}),
        ("Ann (nuts), Bob (fish) and Carol (no allergies)", {"nuts?", "fish?"}),
        ("Adults: no allergies. Child: nuts.", {"nuts?"}),
        ("Kids: nut & egg, parents have no allergies", {"nuts?", "eggs?"}),
        ("Luc : noix. Zoé : pas d'allergie.", {"nuts?"}),
        ("Niño 1: huevo y leche. Niño 2: sin alergias.", {"eggs?", "milk?"}),
        ("Kind 1: Ei und Milch. Kind 2: keine Allergien.", {"eggs?", "milk?"}),
        ("Bimbo 1: uova e latte. Bimbo 2: nessuna allergia.", {"eggs?", "milk?"}),
        ("Criança 1: ovo e leite. Criança 2: sem alergias.", {"eggs?", "milk?"}),
        ("Kind 1: ei en melk. Kind 2: geen allergieën.", {"eggs?", "milk?"}),
        ("Coeliac: 0, nuts: 1", {"nuts?"}),
        ("Nut allergy: 0\nMilk: 1", {"milk?"}),
        ("Gluten free: 0\nNuts: 1", {"nuts?"}),
    ],
)
def test_a_denial_for_one_leaves_the_foods_of_others_in_sight(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Tom: prawns. Ann: salmon. No allergies.",
        "Starters: Tom prawns, Ann salmon. No allergies.",
        "No allergies. 2 fish, 2 steak",
        "allergies: none\nwine: 2 bottles of red",
        "Menu: fish\nAllergies: none",
    ],
)
def test_what_they_eat_beside_a_denial_for_all_is_no_hint(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Nut allergy. She is four. It is very serious.",
        "Allergie aux noix. Il a 4 ans. C'est très grave.",
        "Alergia a las nueces. Tiene 4 años. Es muy grave.",
        "Carries an EpiPen. Allergy card will be handed over.",
        "Peanut (airborne!) - please no satay at the next table",
    ],
)
def test_gravity_is_of_the_only_allergy_wherever_it_stands(text):
    assert [one for one in read_note(text).allergens if one.is_severe]


def test_gravity_as_the_answer_of_one_food_is_of_no_other():
    for text in ("nuts (anaphylaxis), dairy (bloating)", "nuts: anaphylaxis; dairy: bloating"):
        severe = {one.code for one in read_note(text).allergens if one.is_severe}
        assert severe == {"nuts"}, text


@pytest.mark.parametrize(
    "text",
    [
        "Guest 1 nuts, guest 2 no allergies",
        "Nuts for the boy. Other guests have no allergies.",
        "1 x nuts, 3 x no allergies",
        "Tom has nuts, Ann has no allergies",
    ],
)
def test_a_denial_for_others_needs_no_sign_between_a_guest_and_a_food(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    ("text", "severe"),
    [
        ("Tom is allergic to nuts, sesame, egg (EpiPen)", {"nuts", "sesame", "eggs"}),
        ("allergic to nuts, peanuts (severe)", {"nuts", "peanuts"}),
        ("Severe allergies:\nMilk: no\nNuts: yes\nEggs: no", {"nuts"}),
        ("Severe allergies:\nnuts\nmilk\negg (mild)", {"nuts", "milk"}),
        ("Allergies: peanuts, tree nuts (anaphylaxis), milk (hives)", {"peanuts", "nuts"}),
        ("Allergies: crab (all), fish, nuts (EpiPen)", {"crustaceans", "fish", "nuts"}),
        ("Severe allergies: yes\nNuts: yes\nMilk: yes", {"nuts", "milk"}),
        ("Alergias graves:\n- cacahuetes\n- huevo", {"peanuts", "eggs"}),
        ("Severe allergies:\nTom: nuts\nAnn: milk", {"nuts", "milk"}),
        ("Mild nut allergy. She is four. Serious.", set()),
        ("Milk allergy. Wheelchair user. Very serious!", set()),
    ],
)
def test_gravity_of_a_list_is_of_each_and_that_of_another_matter_of_none(text, severe):
    assert {one.code for one in read_note(text).allergens if one.is_severe} == severe
