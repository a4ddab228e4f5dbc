"""Notes of people in a hurry: turned round, without commas, an illness in place of a food."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("al cacahuete le tengo alergia", {"peanuts"}),
        ("al huevo y a la leche soy alérgica", {"eggs", "milk"}),
        ("aux noix et aux arachides, je suis allergique", {"nuts", "peanuts"}),
        ("gegen Nüsse bin ich allergisch", {"nuts"}),
        ("aan noten ben ik allergisch", {"nuts"}),
        ("alle noci sono allergico", {"nuts"}),
        ("ao amendoim sou alérgico", {"peanuts"}),
        ("to nuts I'm allergic", {"nuts"}),
        ("aux noix je ne suis pas allergique", set()),
        ("to nuts he has no allergy", set()),
        ("allergic to nuts and he is allergic to jicama", {"nuts", "unspecified?"}),
    ],
)
def test_a_sentence_turned_round_names_its_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no nuts please allergic", {"nuts"}),
        ("no peanuts I'm allergic", {"peanuts"}),
        ("no nuts no dairy allergic", {"nuts", "milk"}),
        ("sans noix svp allergique", {"nuts"}),
        ("bitte keine Nüsse allergisch", {"nuts"}),
        ("ohne Nüsse bitte Allergie", {"nuts"}),
        ("geen noten allergisch", {"nuts"}),
        ("no nut allergic guests", set()),
        ("not nut allergic", set()),
        ("no nuts please - none of us are allergic", {"nuts?"}),
    ],
)
def test_who_asks_for_none_because_of_an_allergy_denies_nothing(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("immunocompromised - no raw fish", {"fish?", "unspecified?"}),
        ("vegetarian, on chemo", {"unspecified?"}),
        ("ma mère est immunodéprimée", {"unspecified?"}),
        ("my dad has Crohn's", {"unspecified?"}),
        ("no onions (IBS)", {"onion?"}),  # what the illness forbids stands beside it
        ("no chemo any more", set()),
    ],
)
def test_an_illness_is_a_question_to_the_guest(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "is_pregnant"),
    [
        ("my wife is expecting", True),
        ("we are expecting in 2 months", True),
        ("she is expecting, 6 people", True),
        ("we are expecting 8 people", False),
        ("no wine for the lady (expecting)", True),
        ("party of 4 (expecting 2 more)", False),
        ("we're expecting a few more guests", False),
    ],
)
def test_who_expects_guests_is_not_pregnant(text, is_pregnant):
    assert [found.code for found in read_note(text).diets] == ["pregnant"] * is_pregnant


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies: N", set()),
        ("Allergies (Y/N): N", set()),
        ("Allergies (oui/non) : non", set()),
        ("Allergien (ja/nein): nein", set()),
        ("Alergias (sí/no): sí, huevo", {"eggs"}),
        ("Allergies (Y/N): Y", {"unspecified"}),
        ("Allergies (Y/N): Y peanuts", {"peanuts"}),
        ("Any allergies: yes, fish", {"fish"}),
    ],
)
def test_what_a_form_offers_is_no_answer(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "severe", "others"),
    [
        ("Coeliac x1 (severe) Nut allergy x1", {"gluten"}, {"nuts"}),
        ("can't have any trace of peanuts", {"peanuts"}, set()),
        ("can't have even traces of peanuts", {"peanuts"}, set()),
        ("Severe: nuts. Mild: eggs", {"nuts"}, {"eggs"}),
        ("Allergique aux noix et au lait, très grave", {"nuts", "milk"}, set()),
        ("allergisch gegen Nüsse und Milch, sehr stark", {"nuts", "milk"}, set()),
        ("nut allergy and milk allergy, both severe", {"nuts", "milk"}, set()),
        ("nut allergy, severe milk allergy", {"milk"}, {"nuts"}),
        ("tree nut & sesame (severe), dairy (mild)", {"nuts", "sesame"}, {"milk"}),
        ("allergy to milk (mild) and nuts (severe)", {"nuts"}, {"milk"}),
        ("intolérance au lactose, allergie (très grave) aux noix", {"nuts"}, {"lactose"}),
        ("coeliac x1 (very severe) nut allergy", {"gluten"}, {"nuts"}),
        (
            "both allergic to milk (the younger carries an EpiPen), and Pete can't eat vinegar",
            {"milk"},
            {"vinegar"},
        ),
    ],
)
def test_gravity_belongs_to_what_it_stands_behind(text, severe, others):
    found = read_note(text).allergens

    assert {one.code for one in found if one.is_severe} == severe
    assert {one.code for one in found if not one.is_severe} == others


@pytest.mark.parametrize(
    "text",
    [
        "not sure whether my son can eat shrimp, he reacted last time",
        "pas sûr qu'il puisse manger des crevettes",
        "no sé si puede comer gambas",
    ],
)
def test_a_doubt_whether_a_food_may_be_eaten_is_a_hint(text):
    assert "crustaceans?" in codes_of(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("1x coel", {"gluten"}),
        ("TN allergy seat 1", {"nuts"}),
        ("PN/TN allergy", {"peanuts", "nuts"}),
        ("S/F allergy x1", {"crustaceans", "molluscs?"}),
        ("sh/fish allg", {"crustaceans", "molluscs?", "fish?"}),
        ("lact. intol", {"lactose"}),
        ("glut intol", {"gluten"}),
        ("NUT ALRGY", {"nuts"}),
        ("allerg. fruits à coq.", {"nuts"}),
        ("alerg. f. secos", {"nuts"}),
        ("coeliac not preference", {"gluten"}),
        ("allergie aux légumes", {"vegetables", "legumes"}),
        ("lakto intol.", {"lactose"}),
        ("allergic to nust", {"nuts"}),
        ("Mrs Lee alrgc to shelfish", {"crustaceans", "molluscs?"}),
        ("seats 1-3 no restr., seat 4 egg", {"eggs?"}),
        ("no restr. 1 coeliac", {"gluten"}),
        ("No cel. Nut allergy", {"nuts"}),
        ("cel. x2", {"gluten?"}),
        ("latt. intoll.", {"lactose"}),
        ("lact.vrij graag 1p", {"lactose?", "milk?"}),
    ],
)
def test_shortened_foods_are_named(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Unsafe: nuts", {"nuts"}),
        ("Forbidden: nuts", {"nuts"}),
        ("Aliments dangereux : noix", {"nuts"}),
        ("Alérgenos a evitar: soja, apio", {"soybeans", "celery"}),
        ("te vermijden allergenen: soja", {"soybeans"}),
        ("alergénios a evitar: nenhum", set()),
        ("wordt doodziek van mosselen", {"molluscs"}),
        ("el huevo me pone malísima", {"eggs"}),
        ("ovos: fica doente", {"eggs"}),
        ("eggs have her in bed for a week", {"eggs"}),
    ],
)
def test_what_is_unsafe_or_makes_ill_is_an_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("strawberries → hives", {"strawberry"}),
        ("Erdbeeren -> Ausschlag", {"strawberry"}),
        ("peanuts → hospital. Sesame ok?", {"peanuts"}),
        ("allg to nuts & fish", {"nuts", "fish"}),
        ("traces of nuts are dangerous, milk ok", {"nuts"}),
        ("Table by the window. Peanuts!", {"peanuts?"}),
        ("Champagne on arrival. 2 x prawns", set()),
    ],
)
def test_signs_and_single_words_speak(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Allergies: (blank)",
        "Q: Any allergies?\nA: nope",
        '{"Allergy?": "No", "Allergy details": "not provided"}',
    ],
)
def test_a_field_that_says_that_it_is_blank_is_empty(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("all. x1", {"unspecified?"}),
        ("all. (1)", {"unspecified?"}),
        ("1 all.", {"unspecified?"}),
        ("4 pax, 1 all.", {"unspecified?"}),
        ("all: 1", {"unspecified?"}),
        ("all. x2", {"unspecified?"}),
        ("all x4 confirmed", set()),
        ("table for 4 all.", set()),
        ("1 all inclusive", set()),
        ("we are all 4 coming", set()),
        ("pt: peanut anaph.", {"peanuts"}),
        ("anafil. frutos secos", {"nuts"}),
        ("voucher GV-2231", set()),
        ("booking ref DF-1021", set()),
        ("2 GF", {"gluten?"}),
    ],
)
def test_a_call_centre_shortens_allergies_and_numbers_its_vouchers(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("we had an ambulance because of the prawns", {"crustaceans"}),
        ("l'ambulance la dernière fois à cause des noix", {"nuts"}),
        ("ambulancia la última vez por las nueces", {"nuts"}),
        ("Krankenwagen wegen Sellerie", {"celery"}),
        ("ambulance crew leaving do, no cake please", set()),
    ],
)
def test_what_an_ambulance_came_for_is_an_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("un allergique aux crustacées", {"crustaceans"}),
        ("beaucoup de sensibilités", {"unspecified?"}),
    ],
)
def test_a_misspelled_plural_is_understood(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kiwi?? NO she'd die", {"kiwi?"}),
        ("cake with almonds, ok? no allergies here", set()),
        ("Celery? no!", {"celery?"}),
        ("Coeliac? No!", set()),
        ("eggs are ok for me, not for my baby", {"eggs?"}),
        ("We love nuts! All except my brother.", {"nuts?"}),
        ("We had the fish last time. All great except the service", set()),
        ("pas de prod laitiers", {"milk?"}),
        ("skaldjur går bort", {"crustaceans?"}),
        ("NOT fine with nuts", {"nuts?"}),
        ("silly yak disease", {"gluten"}),
        ("cheese = agony", {"milk"}),
        ("ail = malade", {"garlic"}),
        ("cheese doesn't love her", {"milk?"}),
        ("NONUTS", {"nuts?"}),
        ("noeggsplease", {"eggs?"}),
        ("sanslait", {"milk?"}),
        ("bezglutenu", {"gluten?"}),
        ("il semble que oui", set()),
        ("nuuuts!!", {"nuts?"}),
        ("kurpitsaallergia", {"unspecified?"}),
        ("hypoallergenic pillow", set()),
        ("🌱 x2, 1 g free", {"gluten?"}),
        ("cheeeese = agony", {"milk"}),
        ("aaah, soooo good, brrr", set()),
        ("n.u.t.s", {"nuts?"}),
        ("n u t allergy", {"nuts"}),
        ("c.o.e.l.i.a.c", {"gluten"}),
        ("2 g.f.", {"gluten?"}),
        ("G.F. Miller, 7 pm", set()),
        ("glut. 1 pers", {"gluten?"}),
        ("Allergies (A / B): yes / no", {"unspecified"}),
        ("Allergies: yes / no nuts", {"nuts"}),
        ("lact. 2 pers", {"lactose?", "milk?"}),
        ("Fruktosemalabs.", {"sugar"}),
        ("banana + avocado (latex fruit syndrome)", {"latex", "banana?", "avocado?"}),
        ("nightshade free", {"aubergine?", "pepper?", "potato?", "tomato?"}),
        ("immunsuppr., nichts Rohes", {"unspecified?"}),
        ("no raw anything, health reasons", {"unspecified?"}),
        ("nothing raw: fish, eggs", {"fish?", "eggs?"}),
        ("Nuts: nothing raw", {"nuts?", "unspecified?"}),
        ("jordnöt och nötter - allergi", {"nuts", "peanuts?"}),
        ("alergia owoce morza", {"crustaceans", "molluscs?"}),
        ("fındık alerjisi, glutensiz", {"nuts", "gluten?"}),
        ("domuz eti yemiyor", {"pork?"}),
        ("alergic la ouă și lapte", {"eggs", "milk"}),
        ("bez lepku, alergie vejce", {"eggs", "gluten?"}),
        ("tejallergia, lisztérzékeny", {"milk", "gluten"}),
        ("1 cel 2 veg 1 halal", {"gluten?"}),
        ("cel. 1", {"gluten?"}),
        ("[Allergies] No. Wait, yes: fish", {"fish?"}),
        ("No allergies. Parking: yes, fish menu", set()),
        ("niña cel", {"gluten?"}),
        ("mi mujer cel 612345678", set()),
        ("seat 4 shellfish, seat 1 wheelchair", {"crustaceans?", "molluscs?"}),
        ("seat 2 lobster platter", set()),
        ("onions repeat on me badly", {"onion?"}),
        ("this queue wrecks me", set()),
        ("inga nötter tack!", {"nuts?"}),
        ("Inga: nut allergy", {"nuts"}),
        ("mesa 2 cel 5 55 12", set()),
        ("🍤🚫", {"crustaceans"}),
        ("wheet free", {"gluten?"}),
        ("eggs cooked ok raw no", {"eggs?"}),
        ("<p>Allergies: <b>none</b></p>", set()),
        ("<li>Nuts</li><li>Milk</li>", {"nuts?", "milk?"}),
        ("[Allergies] none", set()),
        ("[Allergies] nuts", {"nuts"}),
        ("Allergy info: see guest profile", {"unspecified?"}),
        ("wasn't allergic to fish after all", {"fish?"}),
        ("wasn't coeliac before, is now", {"gluten"}),
        ("it wasn't fish, it was a sesame allergy", {"fish?", "sesame"}),
        ("isn't allergic to fish, it is sesame", {"sesame"}),
        ("allergia x pesci", {"fish"}),
        ("jordnötter nej", {"peanuts?"}),
        ("æg nej tak", {"eggs?"}),
        ("noci nei dolci", set()),
        ("nejí ryby, nemůže mléko", {"fish?", "milk"}),
        ("nu mănâncă porc", {"pork?"}),
        ("fıstık yok", {"nuts?"}),
        ("süt dokunuyor, yumurta yiyemem", {"milk?", "eggs?"}),
        ("en syö kalaa, ei kananmunaa", {"fish?", "eggs?"}),
        ("äyriäiset ei käy, pähkinäallergia", {"crustaceans?", "nuts"}),
        ("Ei allergioita", set()),
        ("alerjisi yok", set()),
    ],
)
def test_spoken_glued_and_shortened_words_are_read(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "hamile",
        "însărcinată",
        "těhotná",
        "várandós",
        "Expecting in June :)",
        "Expecting!",
        "una emba",
        "wife is due in 6 weeks",
    ],
)
def test_a_pregnancy_is_found_in_odd_words(text):
    assert [diet.code for diet in read_note(text).diets] == ["pregnant"]
