"""What is liked, ordered or looked forward to beside an allergy is dinner, and causes nothing."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


def stated_diets(text: str) -> set[str]:
    return {found.code for found in read_note(text).diets if found.certainty == "stated"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("we love fish, nut allergy", {"nuts"}),
        ("she'll have the lamb, nut allergy", {"nuts"}),
        ("birthday cake with strawberries, nut allergy", {"nuts"}),
        ("champagne on arrival, nut allergy", {"nuts"}),
        ("wir nehmen den Fisch, Nussallergie", {"nuts"}),
        ("Torte mit Erdbeeren, Nussallergie", {"nuts"}),
        ("on veut le poisson, allergie aux noix", {"nuts"}),
        ("dishes with nuts, milk: allergic", {"nuts", "milk"}),
        ("milk, nut allergy", {"milk", "nuts"}),
        ("Birthday: nuts, milk allergy", {"nuts", "milk"}),
        ("Dessert - nuts, milk allergy", {"nuts", "milk"}),
        ("party with nut, milk allergies", {"nuts", "milk"}),
        ("menu nuts, milk, egg allergies", {"nuts", "milk", "eggs"}),
        ("wants nuts removed, milk allergy", {"nuts?", "milk"}),
        ("ohne Nüsse, die bitte entfernt, Milchallergie", {"nuts?", "milk"}),
        ("can't eat nuts, milk allergy", {"nuts", "milk"}),
    ],
)
def test_what_is_liked_before_a_comma_is_no_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Looking forward to the dumplings! Allergies: nil", set()),
        ("Wir freuen uns auf die Maultaschen! Allergien: Fehlanzeige", set()),
        ("guest requests almond croissants for the meeting", set()),
        ("guest requests no nuts", {"nuts?"}),
    ],
)
def test_what_is_looked_forward_to_is_no_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("traces of nuts ok but no whole ones", {"nuts?"}),
        ("traces de noix ok, mais pas de noix entières", {"nuts?"}),
        ("trazas de frutos secos ok pero no enteros", {"nuts?"}),
        ("tracce di noci ok ma non intere", {"nuts?"}),
        ("Spuren von Nüssen sind kein Problem, nur keine ganzen", {"nuts?"}),
        ("traces of nuts are fine", set()),
    ],
)
def test_who_can_have_traces_only_has_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes", "diets"),
    [
        ("Marco è allergico alle noci e Giulia è vegana", {"nuts"}, {"vegan"}),
        ("Marco è allergico alle noci e Giulia è allergica al latte", {"nuts", "milk"}, set()),
        ("João é alérgico a nozes e Maria é vegana", {"nuts"}, {"vegan"}),
        ("allergico a noci, jicama e sedano", {"nuts", "celery", "unspecified?"}, set()),
    ],
)
def test_a_name_before_a_verb_is_no_cause(text, codes, diets):
    assert codes_of(text) == codes
    assert stated_diets(text) == diets


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("keeps kosher (will eat fish & veg)", {"kosher"}),
        ("halal, fish and veg ok", {"halal"}),
        ("2 fish, 1 meat and 3 veg", {"vegetarian"}),
    ],
)
def test_fish_and_veg_are_vegetables(text, diets):
    assert stated_diets(text) == diets


def test_brackets_and_numbers_are_of_no_language():
    """“vis” is fish in Dutch only, and the lists of English have phrases with brackets."""
    assert stated_diets("vegetarisch (eet wel vis) x2") == {"pescatarian"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Can the cake be lactose free? She's intolerant", {"lactose", "milk?"}),
        ("O bolo pode ser sem lactose? Ela é intolerante", {"lactose", "milk?"}),
        ("Gluten free for one. Another guest has allergies", {"unspecified", "gluten?"}),
    ],
)
def test_a_diet_is_the_cause_of_the_intolerance_after_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("might be late, nut allergy", {"nuts"}),
        ("vielleicht etwas später, Nussallergie", {"nuts"}),
        ("eggs only well cooked, otherwise rash", {"eggs"}),
        ("Eier nur durchgebacken, sonst Ausschlag", {"eggs"}),
        ("egg whites make her throat scratchy, yolks ok", {"eggs"}),
        ("l'ananas me gratte la gorge", {"pineapple"}),
        ("guest with swallowing difficulties", {"unspecified?"}),
        ("Gast mit Schluckbeschwerden", {"unspecified?"}),
        ("Dairy's a no from me", {"milk?", "lactose?"}),
        ("table away from dogs, pet hair allergy", set()),
        ("Tisch ohne Hunde, Tierhaarallergie", set()),
    ],
)
def test_it_reads_how_people_put_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("my two daughters are lactose intolerant", 2),
        ("mes deux filles sont intolérantes au lactose", 2),
        ("meine zwei Söhne haben Nussallergie", 2),
        ("mis dos hijos son celíacos", 2),
    ],
)
def test_relatives_are_counted(text, people):
    assert read_note(text).allergens[0].people == people


@pytest.mark.parametrize(
    "text",
    [
        "fish allergy, even the smell",
        "allergie au poisson, rien que l'odeur",
        "Fischallergie, schon der Geruch reicht",
        "allergia al pesce, basta l'odore",
        "visallergie, zelfs de geur",
    ],
)
def test_an_allergy_to_the_smell_is_severe(text):
    (found,) = read_note(text).allergens

    assert (found.code, found.is_severe) == ("fish", True)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("nut allergy, fish menu", {"nuts"}),
        ("nut allergy; fish is fine", {"nuts"}),
        ("nut allergy - peanuts are ok", {"nuts"}),
        ("coeliac, lobster tasting menu", {"gluten"}),
        ("allergie aux noix ; poisson ok", {"nuts"}),
        ("Nussallergie; Fisch ist ok", {"nuts"}),
        ("adore le poisson; allergie aux noix", {"nuts"}),
        ("le encanta el pescado y alergia a las nueces", {"nuts"}),
        ("adora il pesce; allergico alle noci", {"nuts"}),
        ("loves fish and nut allergy", {"nuts"}),
        ("milk; allergic to nuts", {"nuts", "milk?"}),
        ("allergic to sesame; crab will close my throat", {"sesame", "crustaceans"}),
        ("allergic to nuts; also fish", {"nuts", "fish"}),
        ("can eat fish, nut allergy", {"nuts"}),
    ],
)
def test_dinner_behind_a_sign_or_before_and_is_no_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("1 x nut allergy (lamb)", {"nuts", "lamb?"}),
        ("2 x beef, 1 x salmon (nut allergy)", {"nuts", "beef?", "fish?"}),
        (
            "nothing from the sea pls, allergic (fish n prawns)",
            {"fish", "crustaceans", "molluscs?"},
        ),
    ],
)
def test_a_dish_beside_a_named_allergy_in_a_bracket_is_no_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("I love fish!! But I'm allergic", {"fish"}),
        ("loves fish - sadly allergic", {"fish?", "unspecified"}),
        ("I used to love prawns but I'm allergic now", {"crustaceans?", "unspecified"}),
        ("Vroeger at ze vis, nu is ze allergisch", {"fish"}),
    ],
)
def test_what_they_loved_before_they_became_allergic_is_in_sight(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("fish (and shellfish) allergy", {"fish", "crustaceans", "molluscs?"}),
        ("no fish (shellfish allergy)", {"fish", "crustaceans", "molluscs?"}),
        ("1 x seafood allergy (salmon)", {"crustaceans", "fish", "molluscs?"}),
        ("egg allergy (chicken)", {"eggs", "poultry"}),
        ("We want the fish menu. But my wife is allergic", {"fish?", "unspecified"}),
        ("Tom: salmon, Ann: nuts (allergy)", {"nuts"}),
    ],
)
def test_a_bracket_and_what_they_would_like_take_nothing_from_an_allergy(text, codes):
    assert codes <= codes_of(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergic to everything but nuts", {"nuts?"}),
        ("allergique à tout sauf aux noix", {"nuts?"}),
        ("alérgico a todo menos a las nueces", {"nuts?"}),
        ("allergisch gegen alles außer Nüsse", {"nuts?"}),
        ("allergico a tutto tranne le noci", {"nuts?"}),
        ("nuts: allergic, milk: fine", {"nuts"}),
        ("Dairy: allergic; Gluten: ok; Nuts: ok; Fish: ok", {"milk"}),
        ("nuts: allergic, milk: severe", {"nuts", "milk"}),
        ("egg: allergic / fish: fine", {"eggs"}),
        ("allergic to everything except rice", {"rice?"}),
        ("M. Poisson est allergique aux œufs", {"eggs"}),
    ],
)
def test_what_is_excepted_or_fine_or_a_surname_is_not_stated(text, codes):
    assert codes_of(text) == codes
