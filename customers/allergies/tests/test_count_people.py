"""For how many people a note gives an allergy or a diet: never fewer than it says."""

import pytest

from customers.allergies.reading import read_note


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("vegan x2", [2]),
        ("deux végétariens", [2]),
        ("2x vegan 1x halal", [2, 1]),
        ("3× vegan 2 × halal", [3, 2]),
        ("3xvegan 2xhalal", [3, 2]),
        ("veganx3, halalx2", [3, 2]),
        ("3V, 2xvegan", [3, 2]),
        ("3 x V 2 x vegan", [3, 2]),
        ("one of the 6 is vegan", [1]),
        ("2 sur 5 sont végétariens", [2]),
        ("2 out of 8 are vegan", [2]),
        ("1 vegan child and 2 vegan adults", [2]),
        ("Vegan 🌱 x 3", [3]),
        ("vegan menu for all 6 of us", [6]),
        ("menu vegano per tutti e 5", [5]),
        ("comida kosher 2 pax", [2]),
        ("a pair of vegetarians", [2]),
        ("vegan cheese for two", [2]),
        ("drei davon vegetarisch", [3]),
        ("one of the girls is vegan", [1]),
        ("deux des filles sont véganes", [2]),
        ("dairy and gluten free (both boys)", [2, 2]),
        ("vegan, 2 adults 2 kids", [None]),
        ("no gluten no lactose 1 pax", [1, 1]),
        ("sans gluten et sans lactose pour 1 personne", [1, 1]),
        ("gluten free and dairy free please (one person)", [1, 1]),
        ("2 vegans, gluten free, table by the window", [2, None]),
        ("gluten free, dairy free, table for 2 people", [None, None]),
    ],
)
def test_it_works(text, people):
    assert [found.people for found in read_note(text).diets] == people


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("uno es celíaco", 1),
        ("my son (6) is allergic to milk", 1),
        ("kindje 2 jr koemelkallergie", 1),
        ("dochter van 5 mag geen ei", 1),
        ("My mum has been a coeliac for 20 years", 1),
        ("Is it nut free? My colleague is allergic", 1),
        ("2 guests (adults) allergic to nuts", 2),
        ("table 2 allergic to nuts", None),
        ("there are 4 of us, one coeliac", 1),
        ("siamo in 4 di cui 1 celiaco", 1),
        ("somos 4 de los cuales 1 celiaco", 1),
        ("gluten-free menu for three guests", 3),
        ("a gluten-free table for four", None),
        ("peanut allergy (6yo)", None),
        ("nut allergy (6 y/o)", None),
        ("alergia al huevo (6 años)", None),
        ("Nussallergie (6 J.)", None),
        ("18mo baby egg allergy", None),
        ("nut allergy (6pm)", None),
        ("kid 3 coeliac", None),
        ("kids 3 & 5 nut allergy", None),
        ("kids aged 3, 5 and 8, nut allergy", None),
        ("2 adults 2 kids 2 coeliac", 2),
        ("nut allergy pos 2", None),
        ("nut allergy guest 2", None),
        ("nut allergy guest no.2", None),
        ("2 EpiPens, peanuts", None),
        ("guest in suite 4 is lactose intolerant", None),
        ("habitación 4, alergia a las nueces", None),
        ("kamer 7 is allergisch voor noten", None),
        ("gf birthday cake for 8 please", None),
        ("gâteau sans gluten pour 6", None),
        ("gluten-free menu for 8", 8),
        ("both kids allergic to milk", 2),
        ("peanuts & fish allergy (both kids)", 2),
        ("nous serons 9 dont une femme enceinte et un intolérant au gluten", 1),
        ("two of the boys are allergic to nuts", 2),
        ("les deux enfants sont allergiques au lait", 2),
        ("beide Kinder Milchallergie", 2),
        ("4 adults, 2 kids (one dairy intolerant)", 1),
        ("2 of us are vegan, and the third is allergic to shellfish", 1),
    ],
)
def test_it_counts_neither_ages_nor_tables(text, people):
    assert read_note(text).allergens[0].people == people
