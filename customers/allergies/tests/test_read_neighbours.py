"""Everyday words of languages that have no list: Danish, Norwegian, Swedish, Polish, Basque."""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("allergisk overfor skaldyr", {"crustaceans"}),
        ("tåler ikke mælk", {"milk"}),
        ("kan ikke spise æg", {"eggs"}),
        ("mandler går ikke", {"nuts"}),
        ("nötter funkar inte", {"nuts"}),
        ("uden æg", {"eggs?"}),
        ("ägg funkar inte för min son", {"eggs?"}),
        ("jordnødder er farlige for hende", {"peanuts?"}),
        ("inga räkor tack", {"crustaceans?"}),
        ("spiser ikke svinekød", {"pork?"}),
        ("laktosfritt tack", {"lactose?", "milk?"}),
        ("glem ikke nøddeallergi", {"nuts"}),
        ("spiser ikke nødder allergisk", {"nuts"}),
        ("nøddeallergi", {"nuts"}),
        ("allergisk mot jordnötter", {"peanuts"}),
        ("nötallergi", {"nuts"}),
        ("uczulenie na orzechy", {"nuts"}),
        ("alergia na ryby", {"fish"}),
        ("nietolerancja laktozy", {"milk"}),
        ("esne alergia", {"milk"}),
        ("zeliakoa", {"gluten"}),
        ("Inga: nut allergy", {"nuts"}),
        ("Inga nut allergy", {"nuts"}),
        ("Uden Nussallergie", {"nuts"}),
        ("Bez is allergic to nuts", {"nuts"}),
        ("peanut allergy (Bez)", {"peanuts"}),
        ("Nussallergie (Bez. Mitte)", {"nuts"}),
        ("van Ingen notenallergie", {"nuts"}),
        ("Mme Ingen allergique aux arachides", {"peanuts"}),
        ("Bez lactose intolerant", {"lactose"}),
        ("Bez sin gluten", {"gluten?"}),
        ("Utan fish allergy", {"fish"}),
        ("Allergier: ingen mandler", {"nuts"}),
        ("ingen allergier, men mandler går ikke", {"nuts"}),
        ("bez mleka", {"milk?"}),
        ("bez mleka i bez jajek, alergia na ryby", {"milk?", "eggs?", "fish"}),
        ("Brak family, nut allergy", {"nuts"}),
    ],
)
def test_an_allergy_is_named(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "ingen allergier",
        "Allergier: ingen",
        "2 osoby bez alergii",
        "inga kända allergier",
        "brak alergii",
        "Žádné alergie",
        "Nincs allergia",
        "Fără alergii",
        "alerji yok",
        "alergie: brak",
        "ingen i selskabet har allergier",
        "fisk og steg til 4",
        "a hotter table please, Mr Potter",
    ],
)
def test_a_denial_or_dinner_says_nothing(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ingen allergier undtagen mandler", {"nuts"}),
        ("ingen allergier bortset fra kirsebær", {"cherry"}),
        ("inga allergier förutom nötter", {"nuts"}),
        ("inga allergier utom körsbär", {"cherry"}),
        ("brak alergii poza mlekiem", {"milk"}),
        ("Nincs allergia, csak jicama", {"unspecified?"}),
        ("Fără alergii, doar la nuci", {"nuts"}),
        ("Alerji yok, fıstık hariç", {"nuts?"}),
    ],
)
def test_an_exception_is_an_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "diet"),
    [
        ("jestem w ciąży", "pregnant"),
        ("wegetarianka", "vegetarian"),
        ("spiser ikke kød", "vegetarian"),
        ("laktosefrit tak", "lactose_free"),
    ],
)
def test_a_diet_is_named(text, diet):
    assert diets_of(text) == {diet}
