"""Forms in which people name, deny and count allergies besides the word itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customers.allergies.lexicon import small_words
from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of

MARKS = st.characters(categories=["Mn", "Mc", "Me"])


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("allergic to eggs, black jicama", set()),  # a sentence may go on to other things
        ("Allergies: eggs, jicama", {"jicama"}),
        ("allergic to salsify, eggs", {"salsify"}),
        ("egg allergy and lotus allergy", {"lotus"}),
        ("Allergies:\n- eggs\n- jicama\n", {"jicama"}),
        ("- nut allergy\n- Honeymoon\n- Balcony", set()),
        ("- No allergies\n- Dr Smith\n- Loggia", set()),
    ],
)
def test_what_no_list_has_is_pointed_at_beside_what_one_has(text, unread):
    hints = [each for each in read_note(text).allergens if each.code == "unspecified"]

    assert {each.certainty for each in hints} <= {"maybe"}
    assert {text[slice(*each.span)] for each in hints} == unread


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("(peanut) problem", {"peanuts?"}),
        ("no puede huevo", {"eggs"}),
        ("no puede venir, pescado para dos", {"fish?"}),
        ("los frutos secos no puede", {"nuts"}),
        ("doesn't want fish", {"fish?"}),
        ("I was down as nut allergic, that's a mistake", {"nuts?"}),
        ("elle peut manger des noix, allergie au lait", {"milk"}),
        ("alergia a moluscos, las gambas sí las come", {"molluscs"}),
        ("wheat, rye - my sister can't eat them", {"gluten"}),
        ("huevos y pescado NO (alergia)", {"eggs", "fish"}),
        ("Allergies? Yes: soya", {"soybeans"}),
        ("does the soup contain mustard?", {"mustard?"}),
        ("can have cooked egg but not raw", {"eggs?"}),
        ("3 ohne Wünsche und 1 Zöliakie", {"gluten"}),
        ("il bimbo non mangia uova per allergia", {"eggs"}),
        ("1x severe sesame, 2 regular", {"sesame"}),
        ("nut allergy (only peanuts)", {"nuts", "peanuts"}),
        ("könnt ihr die Zwiebeln im Salat weglassen", {"onion?"}),
    ],
)
def test_it_works(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "I never mentioned my nut allergy",
        "nut allergy was ignored last time",
        "pas de chaise haute allergie aux noix",
        "niemand hat die Nussallergie notiert",
        "onderschat de notenallergie niet",
        "no severe nut allergy",
        "No he has a nut allergy",
    ],
)
def test_a_denial_of_something_else_leaves_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "none of the guests has a nut allergy",
        "keine Gäste mit Nussallergie",
        "nessun ospite allergico alle noci",
        "Allergies / dietary restrictions: none",
    ],
)
def test_a_denial_of_the_allergy_leaves_nothing(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "text",
    ["non-IgE milk allergy", "Nicht-Zöliakie-Glutensensitivität", "nicht schwere Nussallergie"],
)
def test_a_kind_of_allergy_with_non_in_its_name_is_one(text):
    assert len(codes_of(text)) == 1
    assert "?" not in "".join(codes_of(text))


@pytest.mark.parametrize(
    "text", ["Anna: nuts, Tom (fish)", "wife - nuts, me - fish", "seat 2: nuts, seat 4: fish"]
)
def test_a_list_of_who_and_what_is_a_hint_at_each(text):
    assert codes_of(text) == {"nuts?", "fish?"}


@pytest.mark.parametrize(
    "text",
    [
        "Coeliac: no, Vegetarian: 0, Nut allergy: false",
        "Végétarien : non",
        "Zöliakie: nein",
        "Coeliac? No.",
        "Allergies:",
        "0 nut allergies",
    ],
)
def test_a_form_that_says_no_or_nothing_leaves_nothing(text):
    reading = read_note(text)

    assert not reading.allergens
    assert not reading.diets


@pytest.mark.parametrize(
    "text",
    [
        "My son has a nut allergy, can you cater? No",
        "Allergie aux noix: non",
        "never outgrew her nut allergy",
        "nut allergy not mild",
        "Allergies: none. Wife: nuts",
        "Nut allergy: not checked",
        "hasn't outgrown nut allergy",
        "Dietary requirements please: nuts",
    ],
)
def test_a_no_to_something_else_leaves_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "Coeliac: no bread, tel: 06",
        "Coeliac – no, really, severe",
        "We have 1 coeliac 0 vegan",
        "Coeliac 0 tolerance",
        "Coeliac 0.0 beer please",
        "High chair: no Coeliac: yes",
        "no allergies 1 coeliac",
    ],
)
def test_a_no_or_zero_of_something_else_denies_nothing(text):
    assert "gluten" in codes_of(text)


def test_a_label_before_another_is_a_hint():
    """What stands between may be a cause that no list has."""
    assert codes_of("Allergies: Occasion: birthday") == {"unspecified?"}
    assert codes_of("Allergies: jicama: severe") == {"unspecified?"}
    assert codes_of("Allergies:\njicama: severe") == {"unspecified?"}


def test_a_label_in_the_next_line_leaves_the_one_before_empty():
    assert codes_of("Allergies:\nOccasion: birthday") == set()
    assert codes_of("Allergies:\n\nDiet:\nSeating: window") == set()
    assert codes_of("Allergies:\nAnna: nuts") == {"nuts"}


def test_who_never_goes_without_a_pen_is_in_danger():
    [found] = read_note("Nut allergy, never leaves home without EpiPen").allergens

    assert found.is_severe


@pytest.mark.parametrize("text", ["Nuts ok: no", "Can you eat nuts? No", "Nuts: yes"])
def test_an_answer_that_may_refuse_a_food_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "kind", ["compound_ends", "compound_foods", "compound_heads", "compound_free", "diminutives"]
)
def test_an_unknown_word_with_any_end_of_the_lists_is_read(kind):
    """A word that the reader cannot take apart must not keep a note from being read."""
    for end in small_words(kind):
        assert codes_of(f"allergisch gegen snoep{end}"), end


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z"]) | MARKS, max_size=30))
def test_any_text_is_read(text):
    """Marks of Thai, Hindi, Hebrew and Arabic, a lone accent, half an emoji."""
    read_note(f"{text} allergic to nuts {text}")


@pytest.mark.parametrize(
    "text",
    [
        "allergisch voor snoeptomaatjes",
        "allergisch voor kerstomaatjes",
        "allergisch gegen Cherrytomaten",
        "allergic to cherry tomatoes",
        "allergique aux tomates cerises",
        "alérgico a tomates cherry",
    ],
)
def test_a_small_tomato_is_no_cherry(text):
    assert codes_of(text) == {"tomato"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergique au lait de coco", {"coconut"}),
        ("allergic to almond milk", {"nuts", "milk?"}),
        ("allergic to nutmeg", {"spices"}),
        ("sulphite allergy (wine)", {"sulphites", "alcohol?"}),
        ("allergic to pine nuts", {"pine_nut", "nuts?"}),
    ],
)
def test_plant_milks_and_false_nuts_are_no_more_than_they_are(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Allergien haben wir keine",
        "alergias no tenemos",
        "Allergies: -",
        "Allergies: /",
        "Vegetarier sind wir keine",
        "my dog is allergic to chicken",
        "no problem with nuts",
    ],
)
def test_it_leaves_other_denials(text):
    assert codes_of(text) == set()
    assert read_note(text).diets == []


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("siamo in 4, uno celiaco", 1),
        ("eine Nussallergie", None),
        ("two of our group of nine have fish allergies", 2),
        ("Gast 4 ist Allergiker", None),
        ("une personne très allergique aux noix", 1),
        ("tres alérgicos a las nueces", 3),
    ],
)
def test_it_counts_neither_groups_nor_seats(text, people):
    assert read_note(text).allergens[0].people == people


@pytest.mark.parametrize(
    ("text", "people"), [("vegetarisch, 2 pers", 2), ("vegetarianas somos dos", 2)]
)
def test_it_counts_people_at_the_end(text, people):
    assert read_note(text).diets[0].people == people


@pytest.mark.parametrize("text", ["wir sind Muslime", "somos judíos", "he is hypertensive"])
def test_what_a_word_only_implies_is_a_hint(text):
    assert {diet.certainty for diet in read_note(text).diets} == {"maybe"}


@pytest.mark.parametrize(
    "text",
    ["Nüsse, hochgradig allergisch", "1 severe sesame, 2 vegans", "très allergique aux noix"],
)
def test_gravity_stands_beside_its_food(text):
    assert read_note(text).allergens[0].is_severe


@pytest.mark.parametrize(
    "text",
    [
        "Spuren von Nüssen sind ok, ganze Nüsse nicht: Nussallergie",
        "can have traces of egg, just not whole eggs - egg allergy",
        "tres personas con intolerancia a la lactosa",
        "nut allergy, nothing serious",
    ],
)
def test_tolerated_traces_are_not_grave(text):
    assert not any(found.is_severe for found in read_note(text).allergens)


def test_notes_that_hosts_typed_in_a_hurry_are_read():
    codes = {
        '{"marisco":"rojo"}': {"crustaceans?", "molluscs?"},
        '{"fish": "red"}': {"fish?"},
        "wine: red, fish: snapper": set(),
        "son (5) ana to cow's milk protein": {"milk?"},
        "se comer mostarda vai p hospital": {"mustard"},
        "não é alérgico a leite, é a amêndoas": {"nuts?"},
        "non è allergico al latte, è alle mandorle": {"nuts?"},
        "non è allergico al latte, e alle noci": set(),
        "allergy conference group": {"unspecified?"},
        "congrès d'allergie, 30 couverts": {"unspecified?"},
        "allergy clinic says no nuts": {"nuts"},
        "severe allergy, conference room please": {"unspecified"},
        "pas de régime allergie aux noix": {"nuts"},
        "keine Diät Nussallergie": {"nuts"},
        "allergic, but only to cats": set(),
        "nut allergy: nothing today": {"nuts?"},
    }
    assert {text: codes_of(text) for text in codes} == codes
