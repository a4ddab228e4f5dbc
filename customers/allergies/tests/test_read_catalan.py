"""Catalan, which hosts mix with Spanish: its everyday words stand in the Spanish list."""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("al·lèrgia als fruits secs", {"nuts"}),
        ("Al·lèrgica al marisc", {"crustaceans"}),
        ("al.lèrgic a la llet", {"milk"}),
        ("alergia al peix", {"fish"}),
        ("no pot menjar ou", {"eggs"}),
        ("no pot prendre llet", {"milk?"}),
        ("ja no pot menjar peix", {"fish"}),
        ("ja no poden menjar marisc", {"crustaceans"}),
        ("ja no puc menjar ous", {"eggs"}),
        ("no pot menjar avellanes", {"nuts"}),
        ("porta llet el puré?", {"milk?"}),
        ("hi ha fruits secs a la salsa?", {"nuts?"}),
        ("ja no pot prendre llet", {"milk?"}),
        ("ja no tolera la llet", {"milk"}),
        ("el marisc no em va bé, m'inflo", {"crustaceans"}),
        ("compte amb les traces de cacauet", {"peanuts"}),
        ("la salsa porta ous", {"eggs?"}),
        ("intolerant a la lactosa", {"lactose"}),
        ("cap al·lèrgia menys la Núria: api", {"celery"}),
        ("Sense al·lèrgies, només el Pau: peix", {"fish"}),
        ("arribem cap a les 9, al·lèrgia al peix", {"fish"}),
        ("no puc menjar nous ni avellanes", {"nuts"}),
        ("al·lèrgica a les nous", {"nuts"}),
        ("alergia nous", {"nuts"}),
        ("al.lergia a l'ou", {"eggs"}),
        ("intolerant a l'ou", {"eggs"}),
        ("al·lèrgica: ou, llet", {"eggs", "milk"}),
        ("l'ou em fa mal", {"eggs?"}),
        ("sense ou", {"eggs?"}),
        ("sense nous", {"nuts?"}),
        ("sense fruits secs si us plau", {"nuts?"}),
        ("res de marisc per al meu fill", {"crustaceans?"}),
        ("compte amb el marisc per la nena", {"crustaceans?"}),
        ("s'ofega amb gambes", {"crustaceans"}),
        ("em tanca la gola el peix", {"fish"}),
        ("em poso malament amb el marisc", {"crustaceans"}),
        ("el marisc és verí per mi", {"crustaceans?"}),
        ("peix prohibit", {"fish"}),
    ],
)
def test_an_allergy_is_shown(text, codes):
    assert codes <= codes_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "cap al·lèrgia",
        "no tenim cap al·lèrgia alimentària",
        "Sense al·lèrgies",
        "ja no és al·lèrgic a la llet",
        "ja no és vegetariana",
        "ja no podem venir, som 4",
        "sense pressa, taula tranquil·la",
        "no podem venir abans de les 9",
        "no pot menjar sol, cal ajuda",
        "hi ha lloc per 4?",
        "volen arròs amb llamàntol",
        "Sr. Noguera, taula a la terrassa",
        "pastís de nous per l'aniversari",
        "les nous li encanten",
        "chuleta de res amb patates",
        "arribem amb el cotxe",
    ],
)
def test_denials_and_dinner_show_nothing(text):
    assert codes_of(text) == set()
    assert diets_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("makes no sense, nut allergy", {"nuts"}),
        ("white cap, no allergies", set()),
        ("API partner dinner, no allergies", set()),
        ("allergia alle api", set()),
        ("allergico alle api e alle noci", {"nuts"}),
        ("porta una torta con noci", set()),
        ("nous serons 6 ou 7", set()),
        ("c'est interdit ou pas ?", set()),
        ("viande ou poisson au choix", set()),
        ("chez nous ou au restaurant", set()),
        ("nous sommes allergiques au lait ou aux noix", {"milk", "nuts"}),
        ("alergia ou intolerância: não", set()),
        ("makes no sense to us", set()),
    ],
)
def test_words_of_other_languages_stay_what_they_are(text, codes):
    assert codes_of(text) == codes


def test_diets():
    assert diets_of("tenim dos vegans i dos vegetarians") == {"vegan", "vegetarian"}
    assert diets_of("sense gluten x2") == {"gluten_free"}
    assert diets_of("una celíaca i un vegà") == {"gluten_free?", "vegan"}


@pytest.mark.parametrize("text", ["ou prohibit", "OU PROHIBIT!!", "ou: prohibit", "prohibit: ou"])
def test_eggs_that_are_forbidden_are_a_hint(text):
    assert codes_of(text) == {"eggs?"}
