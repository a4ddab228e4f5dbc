"""What a note takes back, excepts or only mentions beside an allergy that it states."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("It's not nuts, it's sesame she is allergic to", {"nuts?", "sesame"}),
        ("nicht Soja, sondern Sellerie! Allergie meiner Mutter", {"soybeans?", "celery"}),
        ("no es el huevo, es el sésamo, la alergia", {"eggs?", "sesame"}),
        ("ce n'est pas le poisson, c'est le soja, l'allergie", {"fish?", "soybeans"}),
        ("Non sono le noci ma il sesamo: allergia", {"nuts?", "sesame"}),
        ("niet de noten maar de vis: allergie", {"nuts?", "fish"}),
        ("allergic not to nuts but to peanuts", {"peanuts"}),
        ("not nuts please, allergy", {"nuts"}),
        ("non mangia noci e latte, allergia", {"nuts", "milk"}),
        ("non noci, è latte: allergia", {"nuts?", "milk"}),
    ],
)
def test_a_food_that_is_corrected_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no allergies except my wife: nuts", {"nuts"}),
        ("pas d'allergie sauf ma fille (œufs)", {"eggs"}),
        ("keine Allergien außer meiner Frau: Nüsse", {"nuts"}),
        ("nadie tiene alergias, menos mi hija con los cacahuetes", {"peanuts"}),
        ("nessuna allergia tranne mia figlia: uova", {"eggs"}),
        ("no nut allergy except for the baby", {"nuts"}),
        ("nobody is allergic to fish except my son", {"fish"}),
        ("none of us is coeliac except my wife", {"gluten"}),
        ("nadie es alérgico a las nueces salvo mi hija", {"nuts"}),
        ("No allergies except jicama - is the meat good?", {"unspecified?", "meat?"}),
        ("no allergies, except we don't eat pork", {"unspecified?", "pork?"}),
        ("no allergies except baby who only drinks milk", {"unspecified?", "milk?"}),
    ],
)
def test_whoever_is_excepted_from_a_denial_has_the_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("dislikes mushrooms and is allergic to prawns", {"crustaceans"}),
        ("n'aime pas les champignons et est allergique aux crevettes", {"crustaceans"}),
        ("no le gustan las setas y es alérgica a las gambas", {"crustaceans"}),
        ("mag keine Pilze und ist allergisch gegen Garnelen", {"crustaceans"}),
        ("mussels send me to hospital, prawns are ok", {"molluscs"}),
        ("peanuts = hospital, is sesame ok?", {"peanuts", "sesame?"}),
        ("peanuts = hospital, sesame might be ok", {"peanuts", "sesame?"}),
        ("hates fish, is allergic to it and to eggs", {"fish", "eggs", "unspecified?"}),
        ("no le gusta la leche y es alérgico a ella y al huevo", {"milk", "eggs", "unspecified?"}),
        ("nut allergy, not kidding!", {"nuts"}),
        ("nut allergy, just kidding", {"nuts?"}),
        ("allergic reaction to hair dye last week", set()),
        ("allergic to wasps", set()),
        ("Blumen bitte ohne Lilien wegen Allergie", set()),
    ],
)
def test_what_somebody_dislikes_or_can_have_is_no_part_of_the_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ALLG nuts!!", {"nuts"}),
        ("T22 ANA SESAME - KITCHEN AWARE", {"sesame?"}),
        ("Mesa para Ana, pescado por favor", set()),
        ("Anna nuts, Carl none", {"nuts?"}),
        ("im allg. pünktlich, Fisch", set()),
        ("ALLG!! SESAME", {"sesame"}),
        ("warning nuts, ok thanks", {"nuts?"}),
        ("keine Angaben zu Allergien", set()),
        ("Puede q haya un alérgico al pescado", {"fish?"}),
        ("ARFID kid, will bring his own food", {"unspecified?"}),
    ],
)
def test_the_shorthand_of_hosts_is_read(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "severe"),
    [
        ("1 x celiac, 1 x severe shellfish, 1 x mild tomato", {"crustaceans", "molluscs"}),
        ("one severe nuts, one milk", {"nuts"}),
        ("table 4 severe nut, fish and egg allergy", {"nuts", "fish", "eggs"}),
        ("1x severe nuts & fish allergy", {"nuts", "fish"}),
        ("seat 3 severe nuts fish allergy", {"nuts", "fish"}),
        ("Allergies? Yes. Epipen", {"unspecified"}),
        ("Severe allergies: yes\nNuts", {"nuts"}),
        ("Allergies: yes\nSeverity: severe\nNuts", {"nuts"}),
        ("Allergies: yes\nMild\nNuts", set()),
        ("Allergies: yes\nSevere", {"unspecified"}),
        ("Nut allergy? Yes. Severe? No", set()),
        ("Severe nut allergy, do you have peanut oil? No", {"nuts", "peanuts"}),
    ],
)
def test_a_word_of_gravity_is_of_one_person_where_each_is_counted(text, severe):
    assert {each.code for each in read_note(text).allergens if each.is_severe} == severe


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergic to nuts - sorry, not nuts but sesame", {"nuts", "sesame"}),
        ("She is allergic to nuts. No, wait, sesame!", {"nuts", "sesame"}),
        ("allergie noisette, pardon je voulais dire sésame", {"nuts", "sesame"}),
        ("alérgico a las nueces, perdón, quería decir gambas", {"nuts", "crustaceans"}),
        ("Nussallergie - Entschuldigung, nicht Nüsse sondern Sesam", {"nuts", "sesame"}),
        ("allergico alle noci, scusi, volevo dire sesamo", {"nuts", "sesame"}),
        ("alérgico a nozes, desculpe, queria dizer sésamo", {"nuts", "sesame"}),
        ("allergisch voor noten, sorry ik bedoel sesam", {"nuts", "sesame"}),
    ],
)
def test_what_an_excuse_puts_in_its_place_is_an_allergy_too(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no allergies, actually prawns", {"crustaceans?"}),
        ("No allergies. Actually shellfish", {"crustaceans?", "molluscs?"}),
        ("pas d'allergie, en fait si : les noix", {"nuts?"}),
        ("Keine. Doch, Nüsse.", {"nuts?"}),
        ("Nessuna. Anzi, noci.", {"nuts?"}),
        ("geen allergieën, toch wel: noten", {"nuts?"}),
        ("None but nuts", {"nuts?"}),
        ("just nuts, no other allergies", {"nuts?"}),
        ("no allergies, Ann nuts", {"nuts?"}),
        ("p1 nuts p2 none p3 milk", {"nuts?", "milk?"}),
        ("nuts no allergic", {"nuts?"}),
        ("was allergic to milk, now only to eggs", {"eggs?"}),
        ("no ella es alérgica a las nueces", {"nuts?"}),
        ("Nut allergy: NO!!", {"nuts?"}),
        ("keine Allergien, doch: Fisch", {"fish?"}),
        ("nein er hat nussallergie", {"nuts?"}),
        ("She isn't allergic to nuts; milk is the problem", {"milk?"}),
    ],
)
def test_a_food_that_no_denial_governs_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "I'm not allergic to nuts. My wife is.",
        "My husband isn't allergic to nuts but I am.",
        "Je ne suis pas allergique aux noix, ma femme si",
        "Ich bin nicht allergisch gegen Nüsse. Meine Frau schon.",
        "Io non sono allergico alle noci. Mia moglie sì.",
        "Eu não sou alérgico a nozes. A minha mulher é.",
        "Ik ben niet allergisch voor noten. Mijn vrouw wel.",
        "I have no nut allergy. Tom does.",
        "I don't have a nut allergy, but Tom has",
    ],
)
def test_what_one_has_not_and_another_has_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "My son isn't allergic to nuts",
        "he is not allergic to nuts",
        "keine Nussallergie",
        "no allergies to nuts or milk, she is vegan",
        "No allergies. 2 x cheese, the steak well done",
        "No allergies. We love nuts",
        "to nuts he has no allergy",
    ],
)
def test_a_denied_food_and_dinner_beside_it_are_no_hint(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy no milk allergy yes",
        "allergie noix non allergie lait oui",
        "alergia nueces no alergia leche sí",
        "allergia noci no allergia latte sì",
        "Nussallergie nein Milchallergie ja",
        "alergia nozes não alergia leite sim",
        "notenallergie nee melkallergie ja",
        "nut allergy no milk allergy yes egg allergy no",
    ],
)
def test_answers_without_signs_are_of_the_allergies_before_them(text):
    assert codes_of(text) == {"milk"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies: nuts, no severe reaction", {"nuts"}),
        ("nut allergy not that bad", {"nuts"}),
        ("dog no nut allergy yes pram no", {"nuts"}),
        ("NADA DE NUECES ALERGICA", {"nuts"}),
        ("sans noix allergie", {"nuts"}),
        ("As discussed by phone: nuts", {"nuts?"}),
        ("Red list: prawns", {"crustaceans?"}),
        ("Dessert: cheese", set()),
        ("nobody in my party has allergies", set()),
        ("nut allergy no milk allergy no", {"nuts?"}),
        ("nut allergy not mild milk allergy yes", {"nuts", "milk"}),
        ("coeliac no vegan yes", set()),
        ("Allergies: we eat everything", {"unspecified?"}),
        ("Allergien: wir essen alles", {"unspecified?"}),
        ("Allergies: everything, please call me", {"unspecified?"}),
        ("Allergien: alles Grüne", {"unspecified?"}),
        ("Allergies: we eat everything except nuts", {"nuts"}),
        ("we don't have any food allergies thanks", set()),
    ],
)
def test_a_denial_of_something_else_and_of_all(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("UPDATE nut allergy (was: none)", {"nuts"}),
        ("Nussallergie (war: keine)", {"nuts"}),
        ("allergie aux noix (avant : aucune)", {"nuts"}),
        ("nut allergy - none", set()),
        ("nut allergy (was no allergy after all)", {"nuts?"}),
        ("nut allergy - was no problem last time", {"nuts?"}),
        ("nut allergy - was fine last time", {"nuts?"}),
        ("allergie aux noix non allergie au lait oui", {"nuts?", "milk"}),
        ("alergia a las nueces no alergia a la leche sí", {"nuts?", "milk"}),
        ("geen noten allergie", set()),
        ("No dairy allergy no egg allergy yes nut allergy", {"nuts"}),
    ],
)
def test_an_answer_of_before_and_answers_behind_their_foods(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("we don't have any nuts allergic people except my mum", {"nuts"}),
        ("not allergic to nuts, well one is", {"nuts?"}),
        ("pas allergique aux noix. Ma femme l'est.", {"nuts?"}),
        ("geen allergieën op noten na", {"nuts?"}),
        ("keine nuesse allergie", {"nuts?"}),
        ("keine Nuss Allergie", set()),
        ("come concordato: noci", {"nuts?"}),
        ("S1: nuts / S2: - / S3: milk", {"nuts?", "milk?"}),
        ("Menu 1: - nuts", set()),
        ("S1: fish / S2: - / S3: beef", set()),
    ],
)
def test_exceptions_and_seats_leave_what_a_denial_does_not_cover(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kann an Nüssen sterben", {"nuts"}),
        ("Die Nüsse sind zum Sterben gut", set()),
        ("Wir sterben vor Hunger, bitte Nüsse auf den Tisch", set()),
        ("Wir sterben vor Hunger, Nussallergie", {"nuts"}),
    ],
)
def test_german_guests_die_of_nuts_and_for_them(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("not allergic to milk, yes to nuts", {"nuts?"}),
        ("no es alergia a la leche, sí a las nueces", {"nuts?"}),
        ("sin alergia a nueces sí a leche", {"milk?"}),
        ("nessuna allergia alle noci sì al latte", {"milk?"}),
        ("pas d'allergie au lait oui au gluten", {"gluten?"}),
        ("keine Allergie gegen Nüsse, gegen Ei ja", {"eggs?"}),
        ("geen allergie voor noten, ei wel", {"eggs?"}),
        ("não é alérgico a leite, sim a nozes", {"nuts?"}),
        ("Any nut allergy no... wait, yes", {"nuts?"}),
        ("Nussallergie nein, doch ja", {"nuts?"}),
        ("ya no es alérgico a la leche, ahora al huevo", {"eggs?"}),
        ("nut allergy (not none as stated before)", {"nuts?"}),
        ("nut allergy (last time: none)", {"nuts?"}),
        ("no no no nuts allergy", {"nuts?"}),
        ("no nut allergy. Parking: yes", set()),
        ("Nut allergy? No. High chair? Yes.", set()),
        ("sans allergie aux noix, si possible en terrasse", set()),
    ],
)
def test_a_yes_behind_a_denial_turns_it_back(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("nobody allergic to nuts", set()),
        ("nadie alérgico a los frutos secos", set()),
        ("nobody allergic to nuts, Anna to milk", {"milk?"}),
        ("nobody allergic to nuts, one to milk. Salmon ok", {"milk?"}),
        ("nessuno allergico alle noci, Anna al latte", {"milk?"}),
        ("ninguém alérgico a nozes, a Ana a leite", {"milk?"}),
        ("nobody but me is allergic to nuts", {"nuts"}),
        ("nobody noted my nut allergy last time!", {"nuts?"}),
        ("nobody wants fish, egg allergy", {"eggs"}),
        ("nadie avisó alergia a nueces", {"nuts?"}),
        ("nadie puede comer nueces alergia", {"nuts?"}),
        ("nobody knows he is allergic to nuts", {"nuts?"}),
        ("nobody nut allergy", set()),
        ("not allergic to nuts, or to milk", set()),
    ],
)
def test_nobody_denies_only_what_it_is_about(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("P1: nuts / P2: ok / P3: milk", {"nuts?", "milk?"}),
        ("S1 nuts, S2 -, S3 milk", {"nuts?", "milk?"}),
        ("p1 ok p2 ok p3 sesame p4 ok", {"sesame?"}),
        ("Guest 1 – fine\nGuest 2 – peanuts", {"peanuts?"}),
        ("Marta ok, Luis huevo", {"eggs?"}),
        ("everyone fine, Ben nuts", {"nuts?"}),
        ("tutti ok tranne Luca noci", {"nuts?"}),
        ("all fine just sesame", {"sesame?"}),
        ("P1: salmon / P2: ok / P3: beef", set()),
        ("nuts ok, Ann ok", set()),
        ("Mr Jones nut allergy Mrs Jones none", {"nuts"}),
        ("Frau Lee Nussallergie Herr Lee keine", {"nuts"}),
        ("Allergien haben wir keine", set()),
    ],
)
def test_who_is_fine_leaves_what_the_others_have(text, codes):
    assert codes_of(text) == codes
