"""Questions of a form that the note answers: “Allergies? Yes. Which? Nuts.”"""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies? Yes. Nuts.", {"nuts"}),
        ("Any allergies? Yes. Which ones? Nuts. Special occasion? Birthday", {"nuts"}),
        ("Allergies: Yes. Details: nuts, fish", {"nuts", "fish"}),
        ("Allergies: yes\nPlease specify: peanuts", {"peanuts"}),
        ("Allergies? Y\nNuts", {"nuts"}),
        ("Allergies ? Oui. Lesquelles ? Arachides", {"peanuts"}),
        ("Des allergies ? Si oui, lesquelles ? Arachides", {"peanuts"}),
        ("Alergias? Sí. ¿Cuáles? Apio", {"celery"}),
        ("Allergien? Ja. Welche? Nüsse", {"nuts"}),
        ("Allergie? Sì. Quali? Sedano", {"celery"}),
        ("Allergieën? Ja. Welke? Selderij", {"celery"}),
        ("Alergias? Sim. Quais? Aipo", {"celery"}),
        ("Allergies: yes\nSeverity: severe\nNuts", {"nuts"}),
        ("Allergies: yes\nChildren: no\nWhich: nuts", {"nuts"}),
        ("Allergies? Yes. Two guests. Nuts", {"nuts"}),
        ("Dietary requirements: yes\nNuts", {"nuts?"}),
        ("Allergies: yes\nLife threatening\nNuts", {"nuts"}),
        ("Is there a nut allergy in the group? Yes", {"nuts"}),
        ("Hat jemand eine Nussallergie? Ja", {"nuts"}),
        ("¿Hay alguna alergia a las nueces? Sí", {"nuts"}),
        ("Y a-t-il une allergie aux noix ? Oui", {"nuts"}),
    ],
)
def test_a_yes_and_a_question_for_more_do_not_part_an_allergy_from_its_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Allergies? Yes",
        "Do you have allergies? Yes",
        "Any allergies? Yes please call me",
        "Allergies ? Oui. Précisez : à voir sur place",
        "Allergien? Ja. Welche? Sage ich vor Ort.",
        "Allergies? Yes. Nuts? No.",
        "Any allergies? Yes. Any special occasion? No",
        "Alergias: sí",
        "Allergies: yes\nParking: no",
        "Allergies: yes\n4 people",
        "Allergies: yes\nTime: 8pm",
        "Allergies: yes\n0612345678",
        "Allergies: yes\nSevere",
        "Allergien: ja\nKinderstuhl: nein",
        "Allergies ? Oui. Merci",
        "We have allergies. 4 people.",
    ],
)
def test_a_yes_without_a_cause_states_an_allergy_that_has_no_name(text):
    assert codes_of(text) == {"unspecified"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Does the soup contain nuts? Yes", {"nuts?"}),
        ("If yes, please specify: peanuts", {"peanuts?"}),
        ("Des allergies ? Si oui, merci de préciser", {"unspecified?"}),
        ("Have you been here before? Yes. Allergies? No.", set()),
        ("Did you check for allergies? Yes", {"unspecified?"}),
        ("Allergy menu? Yes", {"unspecified?"}),
        ("Is the nut allergy gone? Yes", {"nuts?"}),
        ("Was the nut allergy confirmed? Yes", {"nuts"}),
        ("Allergies? Yes. Nuts? Yes. Fish? No.", {"nuts"}),
    ],
)
def test_a_yes_affirms_only_the_question_before_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Nut allergy: yes, Milk allergy: no", {"nuts"}),
        ("Nut allergy: no, Milk allergy: yes", {"milk"}),
        ("nut allergy = false; egg allergy = true", {"eggs"}),
        ("Nut allergy: no, Milk allergy: no", set()),
        ("Allergies: eggs; intolerances: none", {"eggs"}),
        ("Allergies: eggs, milk Intolerances: none", {"eggs", "milk"}),
        ("Nut allergy: 0, milk allergy: 1", {"milk"}),
        ("Coeliac: 1, nut allergy: 0, milk allergy: 2", {"gluten", "milk"}),
        ("Nut allergy: 0, milk: 1", {"milk"}),
        ("Vegan 0 coeliac 1", {"gluten"}),
        ("0 vegan 1 coeliac", {"gluten"}),
        ("vegan, 0 coeliac", set()),
        ("Allergies: Ann: none, Bob: nuts, Carl: none", {"nuts"}),
        ("Allergies: none for me, wife: nuts", {"nuts"}),
        ("I have an allergy\nNo parking needed", {"unspecified"}),
        ("Hay alergias. Ninguna grave", {"unspecified"}),
        ("Allergies: Ann: none, Bob: nuts", {"nuts"}),
        ('{"allergies": [], "notes": "nut allergy"}', {"nuts"}),
        ("Allergies\nNone", set()),
        ("Any allergies? (Y/N) N", set()),
        ("Nut allergy - 0 GF, 2 DF", {"nuts", "gluten?", "lactose?", "milk?"}),
    ],
)
def test_each_label_of_a_line_has_its_own_answer(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies (if any): none", set()),
        ("Allergien (falls vorhanden): keine", set()),
        ("Food allergies (please list): celery", {"celery"}),
        ("Allergies (le cas échéant) : arachides", {"peanuts"}),
        ("Allergies: n.a.", set()),
        ("Allergien: k.A.", set()),
        ("Allergieën: n.v.t.", set()),
        ('{"allergies": [], "diet": "vegan"}', set()),
        ('{"allergies": ["nuts"], "occasion": "birthday"}', {"nuts"}),
        ("Allergies:\n1. Nuts\n2. Milk", {"nuts", "milk"}),
        ("ALLERGENS\n====\nCelery, Lupin", {"celery", "lupin"}),
        ("Allergies:\n1) Nuts\n2) Milk", {"nuts", "milk"}),
    ],
)
def test_what_only_belongs_to_the_form_is_no_answer(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize("text", ["Dietary requirements? Nuts", "Nuts? Yes. Milk? No."])
def test_a_food_that_answers_a_question_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text", ["Nuts ok: true", "Window seat? Yes", "Dietary requirements? None"]
)
def test_a_yes_to_something_else_finds_nothing(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("Are you vegan? Yes.", {"vegan"}),
        ("Any dietary requirements? Yes. Which? Vegan", {"vegan"}),
        ("Pregnant? Yes.", {"pregnant"}),
        ("Can you do vegan?", {"vegan?"}),
    ],
)
def test_a_yes_states_a_diet(text, diets):
    assert diets_of(text) == diets


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergens: ☐ gluten ☒ milk ☐ egg", {"milk"}),
        ("Allergènes : ☐ gluten ☑ lait ☐ œuf", {"milk"}),
        ("Allergene: ☐ Gluten ✔ Milch ☐ Ei", {"milk"}),
        ("Allergens: ( ) gluten (x) milk ( ) egg", {"milk"}),
        ("Allergens: ○ gluten ● milk ○ egg", {"milk"}),
        ("Allergens: gluten [ ] milk [x] egg [ ]", {"milk"}),
        ("Allergies : gluten ☐ lait ☒ œuf ☐", {"milk"}),
        ("Allergens:\ngluten [ ]\nmilk [x]\negg [ ]", {"milk"}),
        ("Allergens:\n[ ] gluten\n[x] milk\n[ ] egg", {"milk"}),
        ("☐ gluten allergy ☒ milk allergy ☐ egg allergy", {"milk"}),
        ("☐ No allergies ☒ Milk allergy", {"milk"}),
        ("Allergies: ☐ none ☒ milk", {"milk"}),
        ("No known allergies ☐ Nuts ☑", {"nuts?"}),
        ("Nut allergy ☐ no ☒", {"nuts"}),
        ("Allergies: ☐ Milk ☒ Nuts ☒", {"nuts"}),
        ("☐ No food allergies ☒ Nuts", {"nuts?"}),
        ("Aucune allergie connue ☐ Noix ☑", {"nuts?"}),
        ("Allergies: ☐ Yes ☒ No", set()),
        ("Allergies: Gluten ☐ Dairy ☐ Nuts ☐ Eggs ☐", {"unspecified?"}),
        ("Allergies: ☒ Yes ☐ No — nuts", {"nuts"}),
        ("Allergies [x] yes [ ] no: nuts and fish", {"nuts", "fish"}),
        ("Nut allergy: ☐ yes ☒ no", set()),
    ],
)
def test_of_boxes_only_the_ticked_ones_count(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Nut allergy. Parking ☐ Pram ☐",
        "☐ Parking ☐ Pram. Nut allergy",
        "☐ Parking ☐ Pram  Nut allergy",
        "☐ Contact me. Nut allergy!",
        "☐ milk ☐ egg I am allergic to nuts",
        "nut allergy ✅",
    ],
)
def test_an_empty_box_takes_no_allergy_beside_its_label_away(text):
    assert codes_of(text) == {"nuts"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergens: Gluten: No, Nuts: Yes, Milk: No", {"nuts"}),
        ("Allergens:\nGluten: No\nNuts: Yes\nMilk: No", {"nuts"}),
        ("ALLERGIES\nGluten: N\nDairy: Y\nNuts: N", {"milk"}),
        ("ALLERGIES\nGluten : non\nLait : oui\nŒufs : non", {"milk"}),
        ("Allergien:\nGluten - nein\nNüsse - ja\nMilch - nein", {"nuts"}),
        ("allergic to nuts yes, peanuts no", {"nuts"}),
        ("tree nuts yes (allergic), peanuts no", {"nuts"}),
        ("noix oui (allergique), arachide non", {"nuts"}),
        ("frutos secos sí (alérgico), cacahuete no", {"nuts"}),
        ("Nüsse ja (Allergie), Erdnüsse nein", {"nuts"}),
        ("Allergies - peanut: 1, nuts: 0", {"peanuts"}),
        ('{"allergy_milk": "yes", "allergy_egg": "no"}', {"milk"}),
        ('{"allergies":["shellfish"],"highchair":false}', {"crustaceans", "molluscs?"}),
        ("Nut allergy: resolved", {"nuts?"}),
    ],
)
def test_what_a_form_answers_with_no_is_nobodys(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("alergia a moluscos, gambas sí", {"molluscs"}),
        ("no puede comer nueces y ¿tienen parking?", {"nuts"}),
    ],
)
def test_a_yes_behind_another_food_allows_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Severe peanut allergy ☐ informed kitchen ☒", {"peanuts"}),
        ("peanut allergy mild ☐ severe ☒", {"peanuts"}),
        ("peanuts mild [ ] severe [x]", {"peanuts"}),
        ("nut allergy informed ☐", {"nuts"}),
        ("□ Nut allergy\n□ Birthday\n□ Window", {"nuts"}),
        ("○ nut allergy\n○ 2 kids\n● window", {"nuts"}),
        ("( ) nut allergy [x] confirmed", {"nuts"}),
        ("☒ lunch ☐ dinner allergies: nuts", {"nuts"}),
        ("Hochstuhl ☐ Nussallergie", {"nuts"}),
        ("Birthday ☐ allergic to nuts & milk", {"nuts", "milk"}),
        ("Guest is coeliac ☐ vegan ☒", {"gluten"}),
        ("Allergies: Gluten: ☐ Dairy: ☒ Nuts: ☒", {"milk", "nuts"}),
        ("Egg [ ] / Nuts [x] / Fish [ ] anaphylaxis", {"nuts"}),
        ("gluten [ ] milk [ ] peanuts [x] severe", {"gluten", "milk", "peanuts"}),
        ("Allergies: sesame ☐ told kitchen ☒", {"sesame", "unspecified?"}),
        ("Peanuts make her sick ☐ waiter told ☒", {"peanuts"}),
        ("No puede comer huevos ☐ avisado ☒", {"eggs", "unspecified?"}),
        ("Nuts [ ] severe allergy [x]", {"nuts"}),
        ("☒ Terrace ☐ Inside no gluten", {"gluten?"}),
        ("❌ nuts ❌ shellfish ✅ fish", {"nuts", "crustaceans", "molluscs?", "fish"}),
    ],
)
def test_no_box_takes_an_allergy_along_or_a_label_that_may_be_of_another(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Alergias:\nMarisco NO!!", {"crustaceans", "molluscs?"}),
        ("Kid's allergies:\negg no\nmilk no", {"eggs", "milk"}),
        ("Allergies: nuts no! very severe", {"nuts"}),
        ("Allergies:\nmilk: no\nbut cheese yes", {"milk"}),
        ("Allergies: fish yes, shellfish NO!", {"crustaceans"}),
        ("Alergias: pescado sí, marisco no gracias", {"crustaceans"}),
        ("Allergies: chicken yes, beef yes, nuts no", {"nuts"}),
        ("Egg allergy: raw no, cooked ok", {"eggs"}),
        ("Milk allergy: no (severe)", {"milk?"}),
        ("Nut allergy: no, not even traces", {"nuts?"}),
        ("intolerance fish yes, shellfish no please, it kills her", {"fish", "crustaceans"}),
        ("he is not given milk", {"milk?"}),
        ("Not specified by guest: nuts", {"nuts?"}),
        ("Nut allergy: not specified", {"nuts"}),
        ("Lait : oui ; Œuf : non", {"milk?", "eggs?"}),
        ('{"leche":"sí","huevo":"no"}', {"milk?", "eggs?"}),
    ],
)
def test_a_no_to_all_and_a_sentence_may_refuse_what_they_name(text, codes):
    assert codes <= codes_of(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("geen allergieën ☐ notenallergie ☑ melkallergie ☐", {"nuts", "milk"}),
        ("no allergies [ ] nuts [x] milk [ ]", {"nuts?", "milk?"}),
        ("Allergies ☐ nuts ☑ milk ☐", {"nuts", "milk"}),
        ("Nut allergy ☑ Milk allergy ☐ Egg allergy ☐", {"nuts"}),
        ("Nut allergy ☑ no ☐", {"nuts"}),
        ("Nut allergy ☐ no ☒", {"nuts"}),
        ("Allergies ☐ nuts ☑ milk ☐ eggs", {"milk"}),
        ("[x] no known allergies [ ] nuts [ ] milk", set()),
        ("[ ] no known allergies [x] nuts [ ] milk", {"nuts?"}),
    ],
)
def test_a_line_of_boxes_hides_no_food_whose_box_may_be_ticked(text, codes):
    assert codes_of(text) == codes
