"""What a food does to somebody, with no word for an allergy: throat, breath, hospital, poison."""

import pytest

from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kiwi makes my throat close", {"kiwi"}),
        ("salmon makes my throat close up", {"fish"}),
        ("egg makes his throat shut", {"eggs"}),
        ("my daughter's lips go blue with eggs", {"eggs"}),
        ("salmon nearly put my dad in a coma", {"fish"}),
        ("she'd die if she had salmon", {"fish"}),
        ("my body rejects salmon", {"fish"}),
        ("le saumon me ferme la gorge", {"fish"}),
        ("les oeufs lui serrent la gorge", {"eggs"}),
        ("le saumon me bloque la respiration", {"fish"}),
        ("mon corps rejette le saumon", {"fish"}),
        ("le saumon c'est hopital direct", {"fish"}),
        ("hospital directo con salmón", {"fish"}),
        ("no me dejan comer huevo", {"eggs"}),
        ("salmone, dritto in ospedale", {"fish"}),
        ("o salmão fecha-me a garganta", {"fish"}),
        ("direto para o hospital com ovo", {"eggs"}),
        ("Lachs kann ihn umbringen", {"fish"}),
        ("van zalm krijgt hij geen lucht", {"fish"}),
    ],
)
def test_a_grave_effect_states_an_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("le saumon est un poison pour moi", "fish"),
        ("el huevo es veneno para mí", "eggs"),
        ("il salmone è veleno per me", "fish"),
        ("Lachs ist Gift für mich", "fish"),
        ("o salmão é veneno para mim", "fish"),
        ("zalm is vergif voor mij", "fish"),
        ("pb avec le saumon", "fish"),
        ("impossible de manger du saumon", "fish"),
        ("we keep salmon away from our son", "fish"),
    ],
)
def test_poison_and_trouble_leave_a_hint(text, code):
    assert codes_of(text) & {code, f"{code}?"}


@pytest.mark.parametrize(
    "text",
    [
        "your salmon is to die for",
        "we'd die if we missed the prawns",
        "hospital dinner, salmon for all",
        "cena del hospital, pescado para todos",
        "ce plat me coupe le souffle, homard",
        "impossible de manger à 19h, on prend le homard à 20h",
        "Gift für Gäste, Lachs zum Start",
    ],
)
def test_dinner_in_the_same_words_is_none(text):
    assert codes_of(text) == set()
