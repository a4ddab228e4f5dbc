"""A note is passed over without a reading only where a reading would find nothing."""

import re

import pytest

from customers.allergies import items, reading
from customers.allergies.lexicon import LANGUAGES, lexicon
from customers.allergies.measuring import corpus
from customers.allergies.reading import read_note
from customers.allergies.rules.silent.telling import FINDABLE
from customers.allergies.tests.codes import codes_of, diets_of
from customers.allergies.tests.test_measure_corpus import STYLES

OF_EACH = 3  # words of a list: all 16,327 of them take 20 seconds, and were read so once
SENTENCES = (
    "{}",
    "We have {} for one guest",
    "beaucoup de {}, merci",
    "Table by the window. {} bei 2 Gästen, por favor",
    "não: {}",
    "Is there {} in it?",
)


def words_of_no_allergy():
    """Some of each list and of each meaning; those of an allergy make a reading by their kind."""
    found = {f"small {name}": sorted(words) for name, words in lexicon().small_words.items()}
    for phrase, entry in sorted(lexicon().phrases.items()):
        if not entry.kinds & FINDABLE:
            found.setdefault(" ".join(sorted(entry.kinds)), []).append(" ".join(phrase))
    return sorted({word for words in found.values() for word in words[:OF_EACH]})


@pytest.fixture
def read_all(monkeypatch):
    """Read as if nothing was ever passed over."""

    def read(text):
        with monkeypatch.context() as patched:
            patched.setattr(reading, "may_tell", lambda sentence: True)
            patched.setattr(items, "MARKS", re.compile(""))
            patched.setattr(items, "TIMES_BESIDE", re.compile(""))
            return read_note(text)

    return read


@pytest.mark.parametrize(
    "text",
    [
        "beaucoup de sensibilités",
        "varias sensibilidades",
        "Empfindlichkeiten bei 2 Gästen",
        "We have sensitivities",
    ],
)
def test_sensitivities_are_a_hint(text):
    assert codes_of(text) == {"unspecified?"}


@pytest.mark.parametrize("text", ["não: sal", "We have no salt for one guest"])
def test_salt_alone_is_a_diet(text):
    assert diets_of(text) == {"low_salt"}


def test_no_word_is_passed_over(read_all):
    words = words_of_no_allergy()
    notes = [sentence.format(word) for word in words for sentence in SENTENCES]

    assert [note for note in notes if read_note(note) != read_all(note)] == []


def test_no_note_of_the_corpus_is_passed_over(read_all):
    texts = [note.text for notes in (*LANGUAGES, *STYLES) for note in corpus(notes)][::5]

    assert [text for text in texts if read_note(text) != read_all(text)] == []
