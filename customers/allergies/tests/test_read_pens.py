"""A pen may be one of adrenaline."""

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    "text",
    ["he carries two pens", "carries 2 pens", "has his pens with him", "she brings her pens"],
)
def test_pens_that_are_carried_state_an_allergy(text):
    assert codes_of(text) == {"unspecified"}
    assert [one.is_severe for one in read_note(text).allergens] == [True]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("my pens", {"unspecified?"}),
        ("I forgot my pens last time", {"unspecified?"}),
        ("we need two pens and paper", set()),
        ("his pens and pencils", set()),
        ("colouring pens for the kids", set()),
        ("peanut allergy, two pens and paper for a game", {"peanuts"}),
        ("has an EpiPen, bring colouring pens for the kids", {"unspecified"}),
    ],
)
def test_other_pens_do_not(text, codes):
    assert codes_of(text) == codes
