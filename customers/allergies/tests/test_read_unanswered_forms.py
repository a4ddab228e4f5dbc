"""What booking pages write where a guest has answered nothing; and headings in two languages."""

import pytest

from customers.allergies.tests.codes import codes_of, diets_of


@pytest.mark.parametrize(
    "text",
    [
        "Allergies: unknown",
        "Allergies : oui / non",
        "Allergies: yes / no\nOccasion: birthday",
        "Allergies: UNKNOWN | Seating: inside",
        "Food allergies: Unknown. Occasion: Birthday.",
        "Allergies - unknown",
        "Allergies (unknown)",
        "Allergies: (blank)",
        "Allergies: no information",
        "Allergies: undefined",
        "Allergies: No Preference",
        "allergies: unknown at time of booking",
        "Allergies/Dietary: not specified",
        "Allergies & dietary: unknown",
        "Dietary requirements: unknown",
        '{"allergies": "unknown", "table": 4}',
        "Allergies : inconnu",
        "Allergies : non renseigné",
        "Allergies : N/C",
        "Alergias: desconocido",
        "Alergias: no especificado",
        "Alergias: sin especificar",
        "Alergias: N/D",
        "Allergien: unbekannt",
        "Allergieën: onbekend",
        "Allergies: -",
        "Allergies: | Occasion: birthday",
        "Allergies checked, none",
        "ALLERGIES CHECKED - NONE",
        "Allergies / Alergias / Allergien: none",
        "ALLERGIES / ALERGIAS / INTOLERANCES: no",
        "Diet: standard",
        "Allergies=Unknown; Diet=Unknown",
        "Allergies ➜ none",
    ],
)
def test_no_answer_tells_of_nothing(text):
    assert (codes_of(text), diets_of(text)) == (set(), set())


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Allergies: unknown, please ask", {"unspecified?"}),
        ("has an unknown allergy", {"unspecified?"}),
        ("allergy unknown, guest will tell", {"unspecified?"}),
        ("Allergies: unknown (will call)", {"unspecified?"}),
        ("Nut allergy: unknown", {"nuts?"}),
        ("Allergies: unknown, nuts", {"nuts?"}),
        ("Allergies: null, notes: nuts", {"nuts"}),
        ("Allergies: | nuts |", {"nuts"}),
        ("Allergies & dietary requirements: nuts", {"nuts"}),
        ("Allergies / Alergias: nuts", {"nuts"}),
        ("Nut allergy / Alergias: no", {"nuts"}),
        ("nut allergy confirmed, none else", {"nuts"}),
        ("Allergies checked: nuts", {"nuts"}),
    ],
)
def test_what_is_answered_all_the_same_is_read(text, codes):
    assert codes_of(text) == codes
