"""A note in which nothing else is found: a food is a hint, unless it is dinner or surely denied."""

import pytest

from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("forgot to say, sesame!", {"sesame?"}),
        ("one has nuts", {"nuts?"}),
        ("bday girl: egg", {"eggs?"}),
        ("one of us is, nuts", {"nuts?"}),
        ("só o João, frutos secos", {"nuts?"}),
        ("re: table 12 tonight - sesame.", {"sesame?"}),
        ("Dessert: cheese", set()),
        ("Menu 1: - nuts", set()),
        ("milk for the baby please, warm", set()),
        ("table by the chestnut tree please", set()),
    ],
)
def test_a_food_that_fills_its_clause_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("can eat all nuts but walnuts", {"nuts?"}),
        ("all nuts except almonds are fine", {"nuts?"}),
        ("anything goes except mussels & oysters for the boss", {"molluscs?"}),
        ("I can have anything apart from celery", {"celery?"}),
        ("We all eat nuts apart from Ben", {"nuts?"}),
        ("all good with gluten except Sarah", {"gluten?"}),
        ("just fish please, window table", set()),
    ],
)
def test_an_exception_among_what_is_eaten_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no no nut allergy here", {"nuts?"}),
        ("cancel the nut allergy", {"nuts?"}),
        ("retirar alergia ao glúten", {"gluten?"}),
        ("we can't say no nut allergy", {"nuts?"}),
        ("no nut allergy", set()),
        ("nut allergy: none", set()),
        ("my wife has no nut allergy", set()),
        ("nobody is allergic to nuts", set()),
        ("pas d'allergie aux noix", set()),
        ("keine Nussallergie", set()),
        ("he isn't allergic, he simply can't stand mushrooms", set()),
    ],
)
def test_a_denial_is_certain_only_where_its_clause_holds_nothing_else(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("please ignore nuts, it's egg", {"nuts?", "eggs?"}),
        ("Any nut allergy? no... yes sorry", {"nuts?"}),
        ("não tem alergia a nozes mas tem a leite", {"milk?"}),
        ("1: nuts 2: ok 3: ok 4: sesame", {"nuts?", "sesame?"}),
        ("P1: noci / P2: niente / P3: latte", {"nuts?", "milk?", "lactose?"}),
    ],
)
def test_what_is_corrected_or_of_another_seat_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("rest fine, nuts for Tom", {"nuts?"}),
        ("Not me but my friend: kiwi", {"kiwi?"}),
        ("my friend: salmon, table outside", set()),
        ("don't let Ruby have peanuts", {"peanuts?"}),
        ("keep prawns away from plate 2", {"crustaceans?"}),
        ("light on garlic for gran", {"garlic?"}),
        ("allergies unknown", {"unspecified?"}),
        ("Nut allergy: unknown", {"nuts?"}),
    ],
)
def test_what_one_person_has_or_nobody_knows_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("btw mustard", {"mustard?"}),
        ("oh and celery, for my mum", {"celery?"}),
        ("trouwens mosterd bij mijn vrouw", {"mustard?"}),
        ("übrigens Senf bei meiner Frau", {"mustard?"}),
        ("comunque mia figlia uova", {"eggs?"}),
        ("Non. Enfin si : crevettes.", {"crustaceans?"}),
        ("any nut but cashew is ok", {"nuts?"}),
        ("signor Noce, tavolo per 2", set()),
        ("Calle Almendro 14, llegamos en taxi", set()),
        ("the pistachio green sofa table please", set()),
    ],
)
def test_small_words_may_lead_to_a_food(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("make sure he doesn't get egg", {"eggs?"}),
        ("don't even open the peanuts at our table", {"peanuts?"}),
        ("ignore the shellfish bit from earlier", {"crustaceans?", "molluscs?"}),
        ("eggs and me don't mix", {"eggs?"}),
        ("don't let her see the cake", set()),
        ("the cheese wasn't there last time", set()),
        ("we don't like mushrooms", set()),
    ],
)
def test_a_verb_that_is_denied_before_a_food_leaves_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("wife nuts; Allergies: none", {"nuts?"}),
        ("Bob nuts / Allergies: none", {"nuts?"}),
        ("nobody is allergic to fish - nuts: Tom", {"nuts?"}),
        ("No allergies; Bob: prawns, kiwi", {"crustaceans?", "kiwi?"}),
        ("No allergies - kiwi", {"kiwi?"}),
        ("None, kiwi", {"kiwi?"}),
        ("shellfish: Tom, Ann none", {"crustaceans?", "molluscs?"}),
        ("None. Salmon: Tom", set()),
        ("everyone fine - just celery", {"celery?"}),
        ("No allergies. 2 x cheese, the steak well done", set()),
        ("Allergies: none - 2 x steak", set()),
        ("no allergies to nuts, milk or kiwi", set()),
        ("not allergic to nuts, or to kiwi", set()),
    ],
)
def test_a_denial_covers_no_food_of_a_clause_without_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("I don't think so, maybe egg for the little one", {"eggs?"}),
        ("attention ! crustacés pour monsieur", {"crustaceans?"}),
        ("Op noten na alles goed", {"nuts?"}),
        ("as little onion as possible", {"onion?"}),
        ("Attention! We love prawns", set()),
        ("maybe the oysters", set()),
    ],
)
def test_doubt_a_warning_and_what_dutch_puts_around_a_food_are_no_silence(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Zoe ok / Bob: nuts / husband has egg", {"nuts?", "eggs?"}),
        ("Coeliac: no / Guest 2: peanuts", {"peanuts?"}),
        ("Allergies: none / Tom (nuts)", {"nuts?"}),
        ("GF 0 / DF 0 / V 2", set()),
        ("Allergies / dietary restrictions: none", set()),
        ("Allergies / régimes : aucun", set()),
        ("allergic to nuts / milk", {"nuts", "milk"}),
        ("allergies n/a", set()),
        ("Tom is allergic / No allergies", {"unspecified"}),
        ("Tom is allergic / Ann: none", {"unspecified"}),
    ],
)
def test_a_slash_between_blanks_separates(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("one nut allergy, others no allergies, Ann egg", {"nuts", "eggs?"}),
        ("Bob: nuts, others no allergies, 3x egg", {"nuts?", "eggs?"}),
        ("others no allergies; nuts for Tom; one egg allergy", {"nuts?", "eggs"}),
        ("one nut allergy, others no allergies, we love prawns", {"nuts"}),
        ("nut allergy, no allergies to milk or fish", {"nuts"}),
        ("allergic not to nuts but to peanuts", {"peanuts"}),
        ("Keine Nussallergie, sondern Sesam", {"sesame"}),
    ],
)
def test_a_denial_between_two_allergies_hides_neither(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("anchovy would be a disaster for my dad", {"fish?"}),
        ("las nueces serían un desastre para ella", {"nuts?"}),
        ("les noix seraient une catastrophe pour lui", {"nuts?"}),
        ("Nüsse wären eine Katastrophe für ihn", {"nuts?"}),
        ("noten zijn een ramp voor hem", {"nuts?"}),
        ("parking was a nightmare for us, love the fish", set()),
        ("please keep prawn dishes away from our end of the table", {"crustaceans?"}),
        ("lacto-free dessert needed for 3", {"lactose?", "milk?"}),
    ],
)
def test_what_is_a_disaster_for_somebody_is_a_hint(text, codes):
    assert codes_of(text) == codes
