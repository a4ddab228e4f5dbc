"""Illnesses, medicines, textures and fasts that concern a kitchen: a question to the guest."""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    "text",
    [
        "on warfarin, no leafy greens / vit K please",
        "prende il Coumadin, niente verdure a foglia",
        "pren Sintrom, res d'espinacs",
        "nimmt Marcumar, kein Grünkohl",
        "on an MAOI, tyramine free please",
        "sans tyramine",
        "Gicht - keine Innereien",
        "has gout",
        "crise de goutte, pas d'abats",
        "soffre di gotta",
        "tiene gota, nada de vísceras",
        "IDDSI 5 minced and moist",
        "Mum can only swallow soft food after her stroke",
        "dysphagia, everything pureed",
        "disfagia, todo triturado",
        "Maman fait des fausses routes, texture mixée svp",
        "ne peut plus mâcher",
        "Schluckstörung, alles püriert",
        "slikproblemen, alles gemalen",
        "nil by mouth for grandpa",
        "ileostomy, nothing with skins",
        "PKU - very low protein",
        "trasplante de hígado, nada crudo",
        "leukaemia - clean food only",
        "Crohn's, no skins",
        "it's Lent",
        "My sister has a long list of things she can't eat",
        "ma mère suit un traitement et doit éviter certains aliments",
        "Gran left her dentures at home, nothing chewy",
        "mon grand-père n'a plus de dents, plats mous svp",
        "mi suegro no tiene dientes, comida blandita",
        "mia nonna non ha denti, tutto morbido",
        "Opa hat keine Zähne, bitte weiches Essen",
    ],
)
def test_it_is_a_hint_beside_words_of_denial_and_whole_meals(text):
    assert "unspecified?" in codes_of(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("gout, so no offal or shellfish for John", {"crustaceans?", "molluscs?", "unspecified?"}),
        ("nut allergy, and dad has dysphagia", {"nuts", "unspecified?"}),
        ("no onions (IBS)", {"onion?"}),  # what the illness forbids stands beside it
        ("brings own lactaid", {"lactose"}),
    ],
)
def test_it_counts_beside_foods(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "not on warfarin",
        "no chemo any more",
        "bon goût svp",
        "we gotta leave by 9",
        "ni una gota de vinagre... es broma, mesa para 2",
    ],
)
def test_denials_and_other_words_are_none(text):
    assert "unspecified?" not in codes_of(text)


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("fasting until sunset", {"halal?"}),
        ("rupture du jeûne à 19h12", {"halal?"}),
        ("romperemos el ayuno a las 21h", {"halal?"}),
        ("Iftar um 19:30", {"halal?"}),
        ("zabiha only", {"halal"}),
        ("Passover: no chametz", {"kosher"}),
        ("Pesach dinner", {"kosher?"}),
        ("Swaminarayan diet for my parents", {"hindu"}),
        ("breakfast until 11?", set()),
        ("my mum injects insulin before eating", {"diabetic?"}),
        ("j'attends un bébé, éviter le cru", {"pregnant"}),
        ("voy de 7 meses, nada de jamón", {"pregnant"}),
    ],
)
def test_fasts_rites_and_what_names_a_diet(text, diets):
    assert diets_of(text) == diets
