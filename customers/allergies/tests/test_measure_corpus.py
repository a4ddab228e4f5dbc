"""The corpus holds the reader to its figures, language by language."""

import pytest

from customers.allergies.lexicon import LANGUAGES
from customers.allergies.measuring import corpus, measure

STYLES = (
    *("mixed", "fresh", "rounds", "variants", "refusals", "forms", "denials", "answers"),
    "lists",
)


@pytest.mark.parametrize("notes", STYLES)
def test_other_styles_reach_the_same_figures(notes):
    figures = measure(corpus(notes))

    assert figures.recall >= 0.98, figures.faults
    assert figures.precision >= 0.97, figures.faults


@pytest.mark.parametrize("language", LANGUAGES)
class TestCorpus:
    def test_it_holds_a_hundred_notes(self, language):
        assert len(list(corpus(language))) >= 100

    def test_recall_and_precision(self, language):
        figures = measure(corpus(language))

        assert figures.recall >= 0.98, figures.faults
        assert figures.precision >= 0.97, figures.faults
