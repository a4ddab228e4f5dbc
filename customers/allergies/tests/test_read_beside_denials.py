"""An allergy beside a denial of something else is found, wherever the two stand."""

from itertools import product

import pytest

from customers.allergies.reading import read_note

SIGNS = (" ", ", ", "; ", " - ", ". ", " / ", "\n", " | ")
NAMED = {
    "en": ["nut allergy", "allergic to nuts", "Allergies: nuts", "1 nut allergy", "can't eat nuts"],
    "fr": ["allergie aux noix", "allergique aux noix", "Allergies : noix", "1 allergie noix"],
    "es": ["alergia a las nueces", "alérgico a las nueces", "Alergias: nueces"],
    "de": ["Nussallergie", "allergisch gegen Nüsse", "Allergien: Nüsse", "Nussunverträglichkeit"],
    "it": ["allergia alle noci", "allergico alle noci", "Allergie: noci"],
    "nl": ["notenallergie", "allergisch voor noten", "Allergieën: noten"],
    "pt": ["alergia a nozes", "alérgico a nozes", "Alergias: nozes"],
}
OF_OTHERS = {
    "en": [
        *["no intolerances", "no allergies", "no other allergies", "no dietary requirements"],
        *["no high chair", "no children", "not a birthday", "nothing else", "none of the others"],
        *["not vegan", "not pregnant", "no fish", "no music please", "others none", "no dogs"],
    ],
    "fr": [
        *["pas d'intolérance", "aucune autre allergie", "pas de régime", "pas de chaise haute"],
        *["rien d'autre", "pas végan", "pas de poisson", "les autres sans allergie"],
    ],
    "es": [
        *["sin intolerancias", "ninguna otra alergia", "sin más alergias", "ninguna dieta"],
        *["sin trona", "nada más", "sin pescado", "los demás sin alergias"],
    ],
    "de": [
        *["keine Unverträglichkeiten", "keine weiteren Allergien", "keine Diät", "kein Hochstuhl"],
        *["sonst nichts", "nicht vegan", "kein Fisch", "die anderen keine Allergien"],
    ],
    "it": [
        *["nessuna intolleranza", "nessun'altra allergia", "nessuna dieta", "senza seggiolone"],
        *["niente altro", "non vegano", "niente pesce", "gli altri nessuna allergia"],
    ],
    "nl": [
        *["geen intoleranties", "geen andere allergieën", "geen dieet", "geen kinderstoel"],
        *["verder niets", "niet vegan", "geen vis", "de rest geen allergieën"],
    ],
    "pt": [
        *["sem intolerâncias", "nenhuma outra alergia", "sem mais alergias", "sem dieta"],
        *["sem cadeirinha", "não vegano", "sem peixe", "os outros sem alergias"],
    ],
}
JOINED = {"en": "and", "fr": "et", "es": "y", "de": "und", "it": "e", "nl": "en", "pt": "e"}


def codes_of(text: str) -> set[str]:
    return {found.code for found in read_note(text).allergens}


def pairs(language: str, first: list[str], second: list[str]) -> set[str]:
    signs = (*SIGNS, f" {JOINED[language]} ")
    both = [*product(first, signs, second), *product(second, signs, first)]
    return {"".join(words) for words in both}


@pytest.mark.parametrize("language", NAMED)
def test_no_named_allergy_is_lost(language):
    texts = pairs(language, NAMED[language], OF_OTHERS[language])

    assert {text for text in texts if "nuts" not in codes_of(text)} == set()


@pytest.mark.parametrize(
    "past",
    [
        *["was here last year", "last time was great", "ex colleague", "former member"],
        *["please cancel the cake", "previously at table 4"],
    ],
)
def test_what_is_over_is_not_the_allergy_beside_it(past):
    texts = pairs("en", NAMED["en"], [past])

    assert {text for text in texts if "nuts" not in codes_of(text)} == set()


@pytest.mark.parametrize(
    "denied",
    [
        *[
            "no nut allergy",
            "not allergic to nuts",
            "nobody is allergic to nuts",
        ],
        *["no allergies or nut intolerances", "no longer allergic to nuts", "Nut allergy: none"],
    ],
)
@pytest.mark.parametrize("other", ["high chair please", "window table", "thanks", "4 pax"])
def test_what_is_denied_is_not_stated(denied, other):
    texts = pairs("en", [denied], [other])
    readings = {text: read_note(text).allergens for text in texts}
    stated = {
        text for text, found in readings.items() for one in found if one.certainty == "stated"
    }

    assert stated == set()


@pytest.mark.parametrize("diet", ["vegan", "2 vegetarians", "gluten free", "pregnant", "halal"])
def test_no_diet_is_lost_either(diet):
    code = {"2 vegetarians": "vegetarian", "gluten free": "gluten_free"}.get(diet, diet)
    others = ["no high chair", "no intolerances", "others none", "was here last year", "no dogs"]
    texts = pairs("en", [diet], others)

    lost = {text for text in texts if code not in {one.code for one in read_note(text).diets}}
    assert lost == set()


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("not strictly vegan", []),
        ("no longer vegan", []),
        ("vegan no longer", []),
        ("I'm not vegetarian but my wife is", [("vegetarian", "stated")]),
        ("no root veg", []),
    ],
)
def test_a_denied_diet_is_none(text, diets):
    assert [(found.code, found.certainty) for found in read_note(text).diets] == diets


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("not allergic to nuts and egg allergy", {"eggs"}),
        ("pas d'allergie aux noix et allergie aux œufs", {"eggs"}),
        ("nicht allergisch gegen Nüsse, aber Eiallergie", {"eggs"}),
        ("Allergy: egg; Intolerance: none", {"eggs"}),
        ("Allergy eggs Intolerance none", {"eggs"}),
        ("pas d'allergie mais intolérance au lactose", {"lactose"}),
        ("no allergies, coeliac", {"gluten"}),
        ("vegetariano sin más alergias", set()),
    ],
)
def test_each_allergy_has_its_own_answer(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("champagne on arrival nut allergy", "nuts"),
        ("a bottle of red wine on arrival and nut allergy", "nuts"),
        ("coeliac; can we have the fish?", "gluten"),
        ("nut allergy - do you have a high chair?", "nuts"),
        ("nut allergy but is there parking?", "nuts"),
        ("Nussallergie - haben Sie einen Hochstuhl?", "nuts"),
        ("allergie aux noix ; avez-vous un parking ?", "nuts"),
    ],
)
def test_an_allergy_beside_dinner_or_another_question_is_stated(text, code):
    found = {each.code: each.certainty for each in read_note(text).allergens}

    assert found.get(code) == "stated"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("allergic not to nuts but to peanuts", {"peanuts": "stated"}),
        ("alérgico, no al gluten como puse ayer, sino a la leche", {"milk": "stated"}),
        ("I was served nuts despite my allergy", {"nuts": "stated"}),
        ("perhaps outside, nut allergy", {"nuts": "stated"}),
        ("might need a ramp, nut allergy", {"nuts": "stated"}),
        ("not sure, nut allergy", {"nuts": "maybe"}),
        ("maybe a nut allergy", {"nuts": "maybe"}),
        ("no me gusta el pescado, pero no soy alérgico", {}),
        ("no soy please, allergic", {"soybeans": "stated"}),
        ("nobody with allergies", {}),
        ("table 20 => allergies confirmed w/ guest: none", {}),
        ("allergies checked with guest: none", {}),
    ],
)
def test_what_is_doubted_or_denied_is_not_what_stands_beside_it(text, found):
    assert {each.code: each.certainty for each in read_note(text).allergens} == found


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy avoid",
        "nut allergy please leave out",
        "nut allergy, to be avoided",
        "nut allergy (avoid)",
        "nuts make me sick, to be avoided",
        "allergie aux noix, à éviter",
        "allergie aux noix : éviter",
        "les noix me rendent malade, à éviter",
        "alergia a las nueces: evitar",
        "le sientan mal las nueces, a evitar",
        "Nussallergie, vermeiden",
        "Nussallergie bitte nicht vergessen",
        "allergia alle noci: evitare",
        "notenallergie, weglaten",
        "as nozes fazem mal, podem tirar?",
    ],
)
def test_that_the_food_is_to_be_left_out_denies_no_allergy(text):
    assert {(one.code, one.certainty) for one in read_note(text).allergens} == {("nuts", "stated")}


@pytest.mark.parametrize(
    "text", ["Allergien: nein danke", "alergias: no gracias", "nut allergy: no", "allergies? no"]
)
def test_a_plain_no_denies_it_still(text):
    assert not read_note(text).allergens


@pytest.mark.parametrize(
    "text",
    [
        "can we have a window seat, I have a nut allergy",
        "is there parking, nut allergy",
        "can you do a cake, my son has a nut allergy",
        "Dog friendly table, nut allergy",
        "possible window table; allergic to nuts",
        "y a-t-il un parking, allergie aux noix",
        "est-il possible d'avoir la terrasse, allergie aux noix",
        "gibt es Parkplätze, Nussallergie",
        "è possibile un tavolo fuori, allergia alle noci",
        "é possível esplanada, alergia a nozes",
    ],
)
def test_a_question_about_something_else_leaves_the_allergy_stated(text):
    assert {(one.code, one.certainty) for one in read_note(text).allergens} == {("nuts", "stated")}


@pytest.mark.parametrize(
    "text", ["do you have options, nut allergy", "maybe a nut allergy", "is there a nut allergy?"]
)
def test_a_question_about_the_allergy_leaves_a_hint(text):
    assert {(one.code, one.certainty) for one in read_note(text).allergens} == {("nuts", "maybe")}


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("Please don't remove nut allergy from profile", "stated"),
        ("can't remove nut allergy", "stated"),
        ("never remove nut allergy", "maybe"),
        ("none of us has a nut allergy apart from my son", "stated"),
        ("no nut allergy except for the baby", "stated"),
        ("Nuts ok: avoid", "maybe"),
        ("Nut allergy? To be avoided.", "maybe"),
    ],
)
def test_what_only_sounds_like_a_denial_hides_no_allergy(text, certainty):
    assert ("nuts", certainty) in {(f.code, f.certainty) for f in read_note(text).allergens}


@pytest.mark.parametrize(
    "text",
    [
        "nobody is allergic to fish but my son",
        "nobody is allergic to fish but my son is",
        "personne n'est allergique au poisson, mais mon fils si",
        "niemand ist auf Fisch allergisch, aber mein Sohn schon",
        "not allergic to fish but my son is, please take care",
        "pas d'allergie au poisson mais mon fils oui, merci de faire attention",
    ],
)
def test_who_stands_behind_but_has_what_nobody_else_has(text):
    assert codes_of(text) == {"fish"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no nut allergy but my wife, vegan", set()),
        ("We are not allergic to nuts but my wife, she hates them", {"nuts"}),
        ("No allergies but my son, nuts", {"nuts"}),
        ("no allergies, I mean except nuts", {"nuts"}),
        ("Allergies: none, oops, nuts", {"nuts"}),
        ("no allergies, Tom has milk", {"milk"}),
        ("3 x no allergies, 1 x nuts", {"nuts"}),
    ],
)
def test_who_stands_behind_but_has_another_if_more_follows(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy - never been tested",
        "nut allergy - never had an EpiPen though",
        "nut allergy - never reported",
        "nut allergy - none of the desserts please",
        "nut allergy: none of it near her",
        "nut allergy - false sense of security last time",
        "nut allergy, no. 3 at the table",
        "nut allergy, no. of people: 4",
        "nut allergy no. 4",
        "NUT ALLERGY NO. 4, window",
        "nut allergy no. 7 window seat",
        "nut allergy table no. 4 by the window",
        "nut allergies, no. 3 and 4",
        "nut allergy no. 2 adults",
        "Guest no 2 has a nut allergy",
        "nut allergy - none so far on menu?",
        "Nussallergie: nichts Frittiertes",
        "notenallergie: niets gefrituurd",
    ],
)
def test_an_answer_that_goes_on_denies_another_thing(text):
    assert codes_of(text) & {"nuts", "nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy: none",
        "nut allergy: none of us",
        "nut allergy: false",
        "allergies: none of the above",
        "Allergies: no. 4 people",
        "Allergies, no. 2 adults",
        "No allergy no. 5 pax",
        "Any allergies? No. 4 people",
        "nut allergy - none so far",
        "Nut allergy: none, of course",
        "Nut allergy: none reported",
        "Nut allergy: none currently",
        "Nut allergy: none this time",
    ],
)
def test_an_answer_that_ends_denies_the_allergy(text):
    assert codes_of(text) == set()


def test_of_what_is_not_reported_nothing_else_is_in_doubt():
    assert codes_of("nut allergy: none reported, but fish") == {"fish"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("huevo no. 2, gracias", {"eggs"}),
        ("marisco no. 4, gracias", {"crustaceans", "molluscs"}),
        ("dairy no. 3, ok", {"lactose", "milk"}),
        ("nut allergy at no. 4", {"nuts"}),
        ("celiac no. 2, window", {"gluten"}),
        ("no gluten no. 2, window", {"gluten"}),
        ("Gast Nr. 3 Fisch", {"fish"}),
        ("party no. 3: nuts", {"nuts"}),
        ("lunch no 2 nuts please", {"nuts"}),
        ("party of 6, no. 2 nuts, no. 4 fish", {"nuts", "fish"}),
        ("allergie n°1 : noix, allergie n°2 : moutarde", {"nuts", "mustard"}),
        ("no 4 coeliac", {"gluten"}),
        ("Window. No 2 has a nut allergy", {"nuts"}),
        ("n° 3 coeliaque", {"gluten"}),
        ("no 3 allergico alle noci", {"nuts"}),
        ("nut allergy (no. 3)", {"nuts"}),
        ("nut allergy (no. 3, lady)", {"nuts"}),
        ("coeliac: no. 3", {"gluten"}),
        ("no 1 has a nut allergy", {"nuts"}),
        ("Coeliac: no. 3 adults", set()),
        ("Allergies (no. 4 adults)", set()),
    ],
)
def test_no_behind_a_food_refuses_it_and_else_is_the_sign_of_a_number(text, codes):
    assert codes_of(text) == codes


def test_the_number_of_a_guest_is_no_number_of_people():
    assert [one.people for one in read_note("nut allergy no. 4").allergens] == [None]
