"""Notes of nothing but who and a food, foods beside others that are fine, and what is not over."""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Théo, poisson", {"fish?"}),
        ("le bébé, lait", {"milk?"}),
        ("Pablo, pescado", {"fish?"}),
        ("Marco, uova", {"eggs?"}),
        ("John Smith - fish", {"fish?"}),
        ("Mrs Carter: shellfish", {"crustaceans?", "molluscs?"}),
        ("lady in red: shellfish", {"crustaceans?", "molluscs?"}),
        ("Table for two. Karim: crevettes", {"crustaceans?"}),
        ("seat 4: fish", {"fish?"}),
        ("Fish (Mark)", {"fish?"}),
        ("milk → Oscar", {"milk?"}),
        ("Shellfish / Mr Brown", {"crustaceans?", "molluscs?"}),
        ("the twins, egg", {"eggs?"}),
        ("kitchen note: fish (guest 2)", {"fish?"}),
        ("twin A nuts, twin B sesame", {"nuts?", "sesame?"}),
    ],
)
def test_it_works(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "Tom: fish, Ann: steak",
        "Boss: steak",
        "Dessert, fish",
        "Choix : poisson",
        "Hello, fish please",
        "Bonjour, poisson svp",
        "Saturday, fish",
        "Petit déjeuner : poisson",
        "Terrasse, poisson",
        "Set menu: fish",
        "Menu: fish (sea bass)",
        "Fish - Friday",
        "Champagne (Claire)",
        "Shellfish / Terrace",
    ],
)
def test_a_dinner_behind_a_label_is_none(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("gluten ok nuts not ok", {"nuts?"}),
        ("Gluten fine, nuts not fine", {"nuts?"}),
        ("Gluten ok mais noix pas ok", {"nuts?"}),
        ("Tree nuts for Hannah, peanuts are fine", {"nuts?"}),
        ("he's fine with peanuts but not with almonds", {"nuts?"}),
        ("nuts are fine", set()),
        ("red wine is fine, oysters too", set()),
        ("fish is fine, steak medium", set()),
    ],
)
def test_a_food_beside_one_that_is_fine_is_a_hint(text, codes):
    assert codes_of(text) == codes


def test_a_food_that_is_fine_is_no_diet():
    assert diets_of("gluten ok nuts not ok") == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("celery in the stock, his mouth itches", {"celery?"}),
        ("my dad and mustard", {"mustard?"}),
        ("lo de Leo con el gluten", {"gluten?"}),
        ("kiwi makes my lips go numb", {"kiwi"}),
        ("Will there be nuts in any of the puddings?", {"nuts?"}),
        ("does the risotto have cream in it?", {"milk?"}),
        ("Shellfish and I do not get along", {"crustaceans?", "molluscs?"}),
        ("flour is the enemy", {"gluten?"}),
        ("Mon mari et le poisson ça fait deux", {"fish?"}),
        ("yo y el pescado no somos amigos", {"fish?"}),
        ("loin des noix svp", {"nuts?"}),
        ("lejos de las nueces", {"nuts?"}),
        ("mustard on the side for my dad", set()),
        ("celery salad for my wife", set()),
        ("My son isn't allergic to nuts", set()),
        ("Do you have fish on the menu?", set()),
    ],
)
def test_a_food_beside_a_person_or_a_symptom_is_a_hint(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "nut allergy not resolved",
        "nut allergy is not resolved",
        "l'allergie aux noix n'est pas guérie",
        "la alergia a las nueces no está resuelta",
        "cake cancelled, nut allergy",
        "gâteau annulé, allergie aux noix",
        "tarta anulada, alergia a las nueces",
    ],
)
def test_what_is_not_over_is_stated(text):
    assert codes_of(text) == {"nuts"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("pas (plus) d'allergie", set()),
        ("no (known) allergies", set()),
        ("no (severe) nut allergy", {"nuts?"}),
        ("Allergies: I don't think so", set()),
        ("Allergies : je ne crois pas", set()),
        ("Alergias: creo que no", set()),
    ],
)
def test_a_denial_in_brackets_or_in_other_words_counts(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("2 cel", {"gluten?"}),
        ("cel x1", {"gluten?"}),
        ("lact. int.", {"lactose"}),
        ("alerg. fr. secos", {"nuts"}),
        ("fdm interdits", {"crustaceans", "fish?", "molluscs?"}),
        ("menu s gluten x1", {"gluten?"}),
        ("a couple of food issues, will explain", {"unspecified?"}),
        ("fish int.", {"fish?"}),
        ("soy int., seat 3", {"soybeans?"}),
        ("intol. lact.", {"lactose"}),
        ("p.nut allergy", {"peanuts"}),
        ("sans lact", {"milk?", "lactose?"}),
        ("sin glu", {"gluten?"}),
        ("2 pax w/ sp. diets", {"unspecified?"}),
        ("will bring own food for one child", {"unspecified?"}),
        ("2 soups and fish for all.", set()),
        ("allergy season is killing me, no outside table", set()),
        ("needs a separate fryer", {"unspecified?"}),
        ("cel 600123123", set()),
        ("tel: 600123 cel", set()),
    ],
)
def test_short_forms_are_read(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    ["Bread please right away, kids hungry", "2 x kids pasta at 18:30", "butter for the bread pls"],
)
def test_bread_and_pasta_are_dinner(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("we had an incident with peanuts last year", {"peanuts?"}),
        ("*SESAME* per mobile w/ guest", {"sesame?"}),
        ("KDS note: C4 NUT", {"nuts?"}),
        ("Olivia + nuts = bad news", {"nuts?"}),
        ("we discussed the nuts by phone", {"nuts?"}),
        ("mi marido con los anacardos se pone malísimo", {"nuts?"}),
        ("My wife ordered the almond cake", set()),
        ("tarta de avellanas para cuatro", set()),
        ("Celebrating at the Walnut Room afterwards", set()),
        ("Celery in the bloody mary", set()),
        ("nut brown ale", set()),
        ("eats everything incl. nuts", set()),
        ("n'est plus allergique aux noix", set()),
    ],
)
def test_a_food_that_is_hardly_ordered_is_a_hint_unless_it_is_dinner(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "the nut allergy was for another guest",
        "l'allergie noix c'était pour l'autre réservation",
        "la alergia a las nueces era de otro cliente",
        "nut allergy long gone",
    ],
)
def test_the_allergy_of_somebody_else_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "2 cel",
        "cel x2",
        "Window table, 2 cel",
        "Window table. 2 cel",
        "Birthday, 2 cel",
        "Birthday, 2 gluten",
        "we are 6, 2 cel",
        "we have 2 cel at the table",
    ],
)
def test_counted_coeliacs_are_a_hint_behind_any_words(text):
    assert codes_of(text) == {"gluten?"}


@pytest.mark.parametrize("text", ["call my cel", "cel 555 1234", "Birthday, 2 bread"])
def test_a_telephone_is_no_coeliac(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    "food",
    [
        *("gluten", "wheat", "oat", "oats", "avoine", "avena", "Hafer", "aveia", "cereals"),
        *("céréales", "cereales", "Getreide", "wholewheat", "Weizenmehl", "tarwemeel", "froment"),
        *("farine de blé", "harina de trigo", "blés", "orges", "kamut", "triticale", "seitan"),
        *("malt", "flour", "pan rallado", "breadcrumbs", "semolina", "🌾"),
    ],
)
def test_cereals_flour_and_crumbs_are_a_hint(food):
    text = f"Table by the window. We have {food} for one guest, please"

    assert "gluten?" in codes_of(text)


@pytest.mark.parametrize("food", ["bread", "pasta", "pan", "pâtes", "Nudeln", "croissants", "🥖"])
def test_bread_and_pasta_for_one_guest_are_dinner(food):
    assert codes_of(f"Table by the window. We have {food} for one guest, please") == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("which mains are gluten free?", {"gluten?"}),
        ("quels plats sont sans gluten ?", {"gluten?"}),
        ("welche Gerichte sind glutenfrei?", {"gluten?"}),
        ("is there shellfish stock in the risotto?", {"crustaceans?", "molluscs?"}),
        ("does the risotto have shellfish stock in it?", {"crustaceans?", "molluscs?"}),
        ("is there a fish option in the menu?", set()),
        ("is there fish in stock?", set()),
    ],
)
def test_who_wants_to_know_what_is_in_a_dish_is_a_hint(text, codes):
    assert codes_of(text) == codes


def test_a_letter_that_leaves_something_out_is_no_yes():
    assert "gluten" in {code.rstrip("?") for code in codes_of("Allergies: s gluten")}


def test_which_dishes_are_vegan_is_a_hint():
    assert diets_of("what desserts are vegan?") == {"vegan?"}


@pytest.mark.parametrize("text", ["my client runs a nut business", "my wife runs a nut shop"])
def test_who_runs_a_business_has_no_symptom(text):
    assert "nuts" not in codes_of(text)


@pytest.mark.parametrize("text", ["nuts give him the runs", "milk = runs"])
def test_the_runs_are_a_symptom(text):
    assert codes_of(text) & {"nuts", "milk", "nuts?", "milk?"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Wheat messes me up badly", {"gluten"}),
        ("eggs make my wife run to the bathroom", {"eggs"}),
        ("los cacahuetes le cierran la garganta al niño", {"peanuts"}),
        ("pas de crevettes pour mon mari sinon c'est les urgences", {"crustaceans"}),
        ("Dietary: Nuts (severe). Occasion: Anniversary.", {"nuts"}),
    ],
)
def test_what_it_does_and_how_grave_it_is_states_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Doctor has banned Dad from prawns", {"crustaceans?"}),
        ("Mr fuit les crustacés, médical", {"crustaceans?"}),
        ("dairy gives our youngest bloody nappies", {"milk?"}),
        ("il latte lo fa stare malissimo", {"milk?"}),
        ("milk makes my daughter scream", {"milk?"}),
        ("prawns, please tell kitchen", {"crustaceans?"}),
        ("crevettes, merci de prévenir la cuisine", {"crustaceans?"}),
        ("your cheese soufflé makes me so happy", set()),
        ("the fish made my wife smile", set()),
        ("medical congress dinner: salmon or chicken", set()),
        ("please let the kitchen know we loved the fish", set()),
    ],
)
def test_a_doctor_an_effect_or_a_word_to_the_kitchen_makes_it_a_hint(text, codes):
    assert codes_of(text) == codes
