"""Allergies that a note cancels or calls over: a hint, as somebody has to ask, never stated."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy resolved",
        "nut allergy - resolved",
        "nut allergy (resolved)",
        "nut allergy - RESOLVED 2023",
        "nut allergy lifted",
        "nut allergy gone since 2020",
        "we said nut allergy but thats not right",
        "nut allergy deleted by guest",
        "remove nut allergy pls",
        "removed: nut allergy",
        "cross out nut allergy",
        "forget about the nut allergy",
        "allergie aux noix terminée",
        "allergie aux noix levée",
        "allergie aux noix : annulé",
        "allergie aux noix, guérie depuis 2 ans",
        "allergie aux noix dans l'enfance, guérie",
        "l'allergie aux noix, c'est fini",
        "l'allergie aux noix a été supprimée",
        "veuillez annuler l'allergie aux noix",
        "ne plus tenir compte de l'allergie aux noix",
        "fini l'allergie aux noix",
        "avant : allergie aux noix",
        "a perdu son allergie aux noix",
        "alergia a las nueces eliminada",
        "alergia a las nueces superada",
        "lo de la alergia a las nueces ya está superado",
        "alergia a las nueces: anulado",
        "alergia a las nueces ya no",
        "la alergia a las nueces ha sido retirada",
        "eliminen la alergia a las nueces",
        "cancelar la alergia a las nueces",
        "se acabó la alergia a las nueces",
        "se le quitó la alergia a las nueces",
        "antigua alergia a las nueces",
        "quitadme la alergia a las nueces, no es mía",
        "nut allergy tag can go",
        "alergia nueces: falso, error del camarero",
        "borrad de mi ficha la alergia a las nueces",
        "Nussallergie aufgehoben",
        "Nussallergie bitte streichen",
        "allergia alle noci risolta",
        "notenallergie verwijderd",
    ],
)
def test_what_is_over_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "plus d'allergie aux noix",
        "plus d'intolérance au lactose depuis le traitement",
        "n'est plus allergique aux noix",
        "ya no es alérgico a las nueces",
        "ya no tiene alergia a las nueces",
        "no soy alérgico al pescado",
        "se equivocaron, no soy alérgica a las nueces",
        "no soy celíaco",
        "no longer allergic to nuts, outgrew it",
        "son has no nut allergy any more",
    ],
)
def test_what_is_denied_is_none(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "don't forget the nut allergy",
        "n'oubliez pas l'allergie aux noix",
        "no olvidar la alergia a las nueces",
        "please don't remove the nut allergy",
        "can't remove nut allergy",
        "cancel the cake. nut allergy",
        "resolved table issue, nut allergy",
        "supprimer le dessert, allergie aux noix",
        "allergie aux noix, annuler le gâteau",
        "allergie aux noix, repas terminé avant 22h",
        "allergie aux noix toujours présente",
        "alergia a nueces, terminada la cena saldremos",
        "nut allergy, dinner finished by 10 please",
        "nut allergy, deposit removed",
        "la alergia a las nueces sigue",
        "plus une allergie aux noix",
    ],
)
def test_what_something_else_is_over_beside_is_stated(text):
    assert codes_of(text) == {"nuts"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no longer lactose intolerant", {"lactose?"}),
        ("no longer coeliac", {"gluten?"}),
        ("n'est plus coeliaque", {"gluten?"}),
        ("keine Zöliakie mehr", {"gluten?"}),
        ("was coeliac, now only lactose", {"gluten?", "lactose?"}),
        ("niet meer coeliakie, nu alleen noten", {"gluten?", "nuts?"}),
        ("no longer coeliac; milk!", {"gluten?", "milk?"}),
        ("no longer coeliac, would love the bread", {"gluten?"}),
        ("not coeliac", set()),
        ("was here last year, coeliac", {"gluten"}),
        ("no longer dairy intolerant", {"milk?"}),
        ("no longer dairy intolerant but nut allergic", {"milk?", "nuts"}),
        ("no more nuts allergic", {"nuts?"}),
        ("no more nuts, allergic", {"nuts"}),
        ("no longer vegan, dairy intolerant", {"milk"}),
    ],
)
def test_what_may_be_over_or_refused_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("cancel vegan meal", {"vegan?"}),
        ("remove the vegan request", {"vegan?"}),
        ("please remove gluten free request, guest not coming", {"gluten_free?"}),
        ("annuler le repas végan", {"vegan?"}),
        ("cancel the vegan meal", {"vegan?"}),
        ("cancel the gluten free meal, guest swapped", {"gluten_free?"}),
        ("das vegane Menü stornieren", {"vegan?"}),
        ("menù senza glutine da annullare", {"gluten_free?"}),
        ("vegan menu - please cancel", {"vegan?"}),
        ("anulad lo del menú sin lactosa", {"lactose_free?"}),
        ("gluten free not needed", {"gluten_free?"}),
        ("glutenfrei wird doch nicht gebraucht", {"gluten_free?"}),
        ("menu sans gluten pas nécessaire", {"gluten_free?"}),
        ("vegan meal not needed", {"vegan?"}),
        ("don't cancel the vegan meal", {"vegan"}),
        ("cancel the drinks menu, vegan guest", {"vegan"}),
        ("vegan, cake not needed", {"vegan"}),
        ("vegan menu, table cancelled", {"vegan"}),
        ("vegan menu for Tom, Anna cancelled", {"vegan"}),
        ("vegan, no highchair needed", {"vegan"}),
        ("vegan high chair not needed", {"vegan"}),
        ("gluten free highchair not needed", {"gluten_free"}),
        ("vegetarisch Hochstuhl nicht nötig", {"vegetarian"}),
        ("vegan menu is not needed", {"vegan?"}),
        ("please cancel the cake, vegan meal for Tom", {"vegan"}),
        ("vegan meal please", {"vegan"}),
        ("scratch the vegan for Ellie", {"vegan?"}),
        ("cancel GF x1", {"gluten_free?"}),
        ("vegan meal no longer needed", {"vegan?"}),
        ("we no longer need the vegan meal", {"vegan?"}),
        ("el menú vegetariano ya no hace falta", {"vegetarian?"}),
        ("il menu vegano non serve più", {"vegan?"}),
        ("vegan starter no longer required", {"vegan?"}),
        ("vegan, high chair no longer needed", {"vegan"}),
        ("2 vegans; pram space no longer needed", {"vegan"}),
        ("2 vegans, Tom isn't coming any more", {"vegan?"}),
        ("vegan, Kinderstuhl nicht mehr", {"vegan?"}),
        ("vegano, trona ya no", {"vegan?"}),
        ("vegetarian, not drinking anymore", {"vegetarian?"}),
        ("vegan, but no longer", set()),
        ("vegetarian for ten years, not any more", set()),
        ("no longer vegan", set()),
    ],
)
def test_a_diet_that_is_called_off_is_a_hint(text, diets):
    assert diets_of(text) == diets


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy, but no longer",
        "nut allergy but not any more",
        "allergic to nuts, but no longer",
        "allergie aux noix, mais plus maintenant",
        "alergia a las nueces, pero ya no",
        "allergia alle noci, ma non più",
        "Nussallergie, aber nicht mehr",
        "alergia a nozes, mas já não",
        "notenallergie, maar niet meer",
    ],
)
def test_an_allergy_that_a_turn_calls_over_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize("text", ["allergia alle noci finito", "alergia a las nueces, terminado"])
def test_what_has_ended_beside_an_allergy_is_not_the_allergy(text):
    (nuts,) = [one for one in read_note(text).allergens if one.code == "nuts"]

    assert nuts.certainty == "stated"


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy, but no longer severe",
        "nut allergy, but no longer carries an EpiPen",
        "nut allergy but no longer to almonds",
        "Nussallergie, aber nicht mehr so schlimm",
        "nut allergy, ended up in A&E",
        "nut allergy - severe - ended up in hospital",
        "allergie aux noix, fini aux urgences",
    ],
)
def test_what_is_over_may_be_something_else(text):
    assert codes_of(text) == {"nuts"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergie aux noix : aucune déclarée", {"nuts?"}),
        ("allergie noix : aucune connue", {"nuts?"}),
        ("alergia al huevo: ninguna declarada", {"eggs?"}),
        ("allergia al pesce: nessuna segnalata", {"fish?"}),
        ("alergia a nozes: nenhuma declarada", {"nuts?"}),
        ("allergie aux noix connue", {"nuts"}),
        ("allergie aux noix : jamais déclarée", {"nuts"}),
        ("allergie aux noix, aucune autre déclarée", {"nuts"}),
        ("allergie aux noix : aucune trace", {"nuts"}),
        ("allergie : aucune déclarée, intolérance : lait", {"milk"}),
    ],
)
def test_none_declared_behind_a_food_states_nothing(text, codes):
    assert codes_of(text) == codes
